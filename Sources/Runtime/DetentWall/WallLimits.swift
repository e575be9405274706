import DetentTypes

/// Every bound of the processes beside a panel, and what happens when it is reached.
package enum WallLimits {
    /// Bytes of one message between a panel and its connection to a broker. What would be longer is
    /// refused before it is sent; a process that sends more is ended.
    package static var messageBytes: Int { 24_576 }
    /// Updates in one message to a process. More follow in further messages.
    package static var updatesPerMessage: Int { 256 }
    /// Messages that a process takes before it does something else. More follow in its next turn.
    static var messagesAtOnce: Int { 16 }
    /// Requests of a process that are taken before updates are passed on. More follow.
    static var requestsAtOnce: Int { 64 }
    /// Addresses of a name that are tried, one after another. Others are left out.
    static var addressesOfName: Int { 4 }
    /// Bytes of the text of a reload that the pages get; the rest is only in the log.
    static var reloadText: Int { 16_384 }
    /// How long a process may take no message; after that it is killed and started again.
    static var stall: TimeSpan { .seconds(2) }
    /// The shortest time between two questions whether a process is alive.
    static var heartbeat: TimeSpan { .seconds(1) }
    /// How long the answer may take; after that the process is killed and started again. With
    /// `heartbeat` it makes 5 s, in which a process that hangs is noticed.
    static var heartbeatAnswer: TimeSpan { .seconds(4) }
    /// Who looks for an answer so much too late was stopped itself, and asks again.
    static var heartbeatLateness: TimeSpan { .seconds(1) }
    /// How often the connection to a broker is asked even if it owes nothing: a hand that comes to
    /// the panel has to find that it works.
    package static var brokerHeartbeat: TimeSpan { .seconds(5) }
    /// How long a process may take from its start until it asks for the history; after that it is
    /// killed and started again. A slow board that boots needs a few seconds.
    static var startTime: TimeSpan { .seconds(20) }
    /// The pause before a process that has ended starts again: it doubles with each end.
    static var pause: ClosedRange<TimeSpan> { .milliseconds(100)...(.seconds(5)) }
    /// How long connections wait for a process that does not start. After that they are closed
    /// each time it fails.
    static var unserved: TimeSpan { .seconds(5) }
    /// Connections that are closed at a time, as many as the system keeps. More follow.
    static var turnedAway: Int { 64 }
    /// How long a process has to run until the pause is short again.
    static var trust: TimeSpan { .seconds(10) }
    /// How long a process may take to end with its panel; after that it is killed.
    static var grace: TimeSpan { .milliseconds(1_500) }
}
