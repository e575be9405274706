import DetentActions
public import DetentTypes

/// Every bound of the connection to a broker, and what happens when it is reached.
public enum MQTTLimits {
    /// Messages that the broker has not acknowledged. Further ones wait: of each state only the
    /// newest.
    public static var unacknowledged: Int { 16 }
    /// Events that wait. The oldest is dropped and counted.
    public static var waitingEvents: Int { 256 }
    /// Bytes of events that wait. For more the oldest are dropped and counted.
    public static var waitingEventBytes: Int { 262_144 }
    /// Stored states of removed controls that are emptied at a connection; the next one goes on.
    static var leftovers: Int { 1_000 }
    /// Bytes of their topics, which others chose. The next connection goes on.
    static var leftoverBytes: Int { 262_144 }
    /// Bytes of reports of all devices that wait. For more, the oldest of the source with most of
    /// them is dropped.
    static var waitingReportBytes: Int { 2_097_152 }
    /// Answers to commands that wait. The newest is dropped and counted.
    public static var waitingAnswers: Int { 64 }
    /// Bytes of answers that wait. The newest is dropped and counted.
    public static var waitingAnswerBytes: Int { 131_072 }
    /// Commands that wait for the panel's answer. A further one is refused as `busy`.
    public static var waitingCommands: Int { 64 }
    /// Bytes of a command. A longer one is refused.
    public static var commandBytes: Int { 1_024 }
    /// Messages of actions on their way. A further one fails; a panel runs as many actions.
    public static var publications: Int { ActionLimits.running }
    /// Bytes of the message of an action, with its placeholders replaced. A longer one fails.
    public static var publicationBytes: Int { 16_384 }
    /// Words to the panel that wait for room in the link. With more, the process takes the panel
    /// for stuck and ends; each attempt has one word, and devices wait.
    static var waitingWords: Int { 2 * ActionLimits.running }
    /// Bytes of such words, with the same end.
    static var waitingWordBytes: Int { 1_048_576 }
    /// Bytes of the record of what was announced. A longer one is ignored.
    public static var recordBytes: Int { 65_536 }
    /// The pause before the next attempt to connect: it doubles with each failure, and each is up
    /// to half longer or shorter. The longest is 9 s, so that every panel is back within 10 s
    /// after its broker.
    public static var reconnect: ClosedRange<TimeSpan> { .seconds(1)...(.seconds(6)) }
    /// How long a connection has to last until the pause is short again.
    public static var trust: TimeSpan { .seconds(10) }
    /// How long an orderly end may take. After that the broker publishes the last will.
    public static var goodbye: TimeSpan { .milliseconds(700) }
    /// How long it may take to open a connection, with the look-up of the host. The process between
    /// the panel and the broker then ends, and starts again. Linux gives up an address that does
    /// not answer after two minutes.
    public static var opening: TimeSpan { .seconds(300) }
    /// How often TLS is carried on while the broker has not answered.
    static var handshakeStep: TimeSpan { .milliseconds(100) }
    /// How long a broker may take to answer a connection that is open.
    public static var answer: TimeSpan { .seconds(20) }
    /// How long a broker may take to acknowledge a message or a subscription, and to read what
    /// waits for it. Then the connection ends and another one begins: a broker that answers tests
    /// and takes nothing is not connected.
    public static var acknowledgement: TimeSpan { .seconds(20) }
    /// How much longer it may take while it sends more than is read, as in a flood of commands: two
    /// minutes.
    public static var flood: TimeSpan { .seconds(120) }
    /// The shortest time between two corrections of the panel's own topics, so that two panels with
    /// the same topics do not drive each other.
    public static var correction: TimeSpan { .seconds(5) }
    /// How often a panel is told the figures of its connection at most.
    static var tellingFigures: TimeSpan { .seconds(1) }
    /// The longest wait until everything is told again after Home Assistant has started; the wait
    /// is random, so that many panels do not answer at once.
    public static var birthWait: TimeSpan { .seconds(5) }
}
