import DetentTypes

/// Every bound of the server, and what happens when it is reached.
public enum ServerLimits {
    /// Trusted connections at once, WebSockets apart. A further one displaces the one that was
    /// idle for longest; where none is idle its request is answered, and it is closed after that.
    public static var connections: Int { 16 }
    /// Connections at once that have not shown authority. A further one displaces the one that
    /// was idle for longest.
    public static var strangers: Int { 16 }
    /// How many of these may come from one address (IPv6: from one network of 64 bits). A further
    /// one displaces another of the same address.
    public static var strangersPerPeer: Int { 8 }
    /// WebSockets at once that may hear events. A further one is answered 503.
    public static var webSockets: Int { 8 }
    /// Connections that the system keeps until they are accepted. It drops further ones, and their
    /// clients try again.
    public static var acceptBacklog: Int { 64 }
    /// Bytes that the system is asked to keep of a connection in each direction. A client that
    /// sends more than these ahead waits, as TCP has it.
    public static var socketBytes: Int { 131_072 }
    /// Bytes that are read from a connection at once. Nothing more is read while a request is
    /// being answered, so a client that sends requests ahead has at most these waiting.
    public static var readBytes: Int { 16_384 }
    /// Bytes of an answer that are handed to the system at once. The next ones follow when the
    /// peer has taken these.
    public static var writeBytes: Int { 65_536 }
    /// Bytes of a request's first line and headers; more is 431, and the connection is closed.
    public static var headBytes: Int { 16_384 }
    /// Headers of a request; more is 431 as well.
    public static var headers: Int { 64 }
    /// Bytes of a request's body; more is 413, and the connection is closed.
    public static var bodyBytes: Int { 65_536 }
    /// Bytes of one frame of a WebSocket; more closes it with 1009.
    public static var frameBytes: Int { 16_384 }
    /// Bytes of one message in several frames; more closes it with 1009.
    public static var messageBytes: Int { 65_536 }
    /// Frames of one message; more closes it with 1009.
    public static var fragments: Int { 64 }
    /// Messages of one WebSocket in a second. Further ones are answered 429 and not looked at.
    public static var messagesPerSecond: Int { 200 }
    /// Bytes that wait for a slow listener. What comes then is dropped, and it gets a snapshot.
    public static var backlogBytes: Int { 262_144 }
    /// Events that history keeps. Older ones are forgotten, and nobody can go on from there.
    public static var history: Int { 10_000 }
    /// Requests that wait for the panel's answer. A further one is answered 429.
    public static var waitingRequests: Int { 64 }
    /// Changes of one WebSocket among them. A further one is answered 429, so that one page cannot
    /// take the places of the others. A connection of HTTP has one request at a time.
    public static var waitingPerConnection: Int { 16 }

    /// Downloads that are made at once, each on a thread of its own. A further one is answered 429.
    public static var downloads: Int { 2 }

    /// A request's head has to come whole within this; otherwise the connection is closed.
    public static var headTime: TimeSpan { .seconds(10) }
    /// A connection may be idle so long between requests, and a request's body take so long.
    public static var idleTime: TimeSpan { .seconds(30) }
    /// A peer that takes no `writeBytes` of its answer within this is closed.
    public static var writeTime: TimeSpan { .seconds(10) }
    /// How long no connection is accepted after the system had no descriptor or memory for one.
    public static var acceptPause: TimeSpan { .milliseconds(250) }
    /// A WebSocket that gives no sign of life for so long, or takes nothing of what waits for it,
    /// is closed.
    public static var silence: TimeSpan { .seconds(45) }
    /// How often a WebSocket is asked for a sign of life.
    public static var pingEvery: TimeSpan { .seconds(15) }
    /// How long a WebSocket has for its token; then it is closed.
    public static var tokenTime: TimeSpan { .seconds(5) }
    /// How long a connection that was refused may go on sending, so that it can read why.
    public static var linger: TimeSpan { .seconds(1) }
    /// How long the server may take to say goodbye when it ends.
    public static var grace: TimeSpan { .seconds(1) }
    /// How long a change waits for the panel's answer, which comes within a turn. Then it is
    /// answered 503: the panel stands still, or does too much to tell all of it.
    public static var answerTime: TimeSpan { .seconds(2) }
    /// Events and states go out at most so often: thirty times a second.
    public static var eventsEvery: TimeSpan { .milliseconds(33) }
    /// How long the server pauses between two looks at the panel while a request waits for an
    /// answer of it. The answer of an idle panel comes in one turn, and is seen without a pause.
    public static var answersEvery: TimeSpan { .milliseconds(1) }
    /// Waves go out at most so often: twenty times a second.
    public static var wavesEvery: TimeSpan { .milliseconds(50) }
    /// How often the clock is told while it runs at another rate than 1.
    public static var clockEvery: TimeSpan { .seconds(1) }
}
