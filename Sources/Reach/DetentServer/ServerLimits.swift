import DetentPanel
public import DetentTypes

/// Every bound of the server, and what happens when it is reached.
public enum ServerLimits {
    /// Characters of the shortest token. A file with a shorter one is refused.
    static let shortestToken = 16
    /// Different characters that a token has at least. A file with one of fewer is refused: 16
    /// random digits have as many in all but two cases of a million.
    static let differentCharacters = 5

    /// How many of some places the callers of a role can take. The others are kept for callers that
    /// may do more: a quarter for `operate` and `configure`, an eighth for `configure` alone, and
    /// one at least.
    static func places(_ all: Int, for role: AccessRole) -> Int {
        switch role {
        case .view: all - max(1, all / 4)
        case .operate: all - max(1, all / 8)
        case .configure: all
        }
    }

    /// Trusted connections, apart from WebSockets. A further one displaces the one that was idle
    /// longest. If none is idle, its request is answered and it is closed.
    public static var connections: Int { 16 }
    /// Connections that have not shown authority. A further one displaces the one that was idle
    /// longest.
    public static var strangers: Int { 16 }
    /// Connections without authority from one address (IPv6: from one network of 64 bits). A
    /// further one displaces another of the same address.
    public static var strangersPerPeer: Int { 8 }
    /// Pixels of a window for which a face is laid out, in each direction. Other sizes are refused.
    public static var windowPixels: ClosedRange<Int> { 1...10_000 }
    /// Drawings that are kept: a face for each size of a window, and the wiring. The oldest is made
    /// again.
    public static var keptDrawings: Int { 8 }
    /// Bytes of them. A drawing that is larger alone is not kept.
    public static var keptDrawingBytes: Int { 4_194_304 }
    /// Pixels to which the size of a window is rounded down for its face.
    public static var facePixels: Int { 8 }
    /// Drawings that wait for their turn. A further one is answered 429. `places` says how many are
    /// for a role.
    public static var waitingDrawings: Int { 8 }
    /// WebSockets that may receive events. A further one is answered 503. `places` says how many
    /// are for a role.
    public static var webSockets: Int { 8 }
    /// Connections that the system keeps until they are accepted. It drops further ones, and their
    /// clients retry.
    public static var acceptBacklog: Int { 64 }
    /// Socket buffer of a connection in each direction, in bytes. A client that sends more in
    /// advance waits, as TCP specifies.
    public static var socketBytes: Int { 131_072 }
    /// Bytes that are read from a connection at a time. Nothing more is read while a request is
    /// being answered, so this limits what a client can send in advance.
    public static var readBytes: Int { 16_384 }
    /// Bytes of a response that are passed to the system at a time. The next follow when the peer
    /// has received these.
    public static var writeBytes: Int { 65_536 }
    /// Bytes of a request's first line and headers; more is 431, and the connection is closed.
    public static var headBytes: Int { 16_384 }
    /// Headers of a request; more is 431.
    public static var headers: Int { 64 }
    /// Bytes of a request's body; more is 413, and the connection is closed.
    public static var bodyBytes: Int { 65_536 }
    /// Bytes of a body with the panel file: the largest file, as JSON writes most texts.
    static var fileBodyBytes: Int { 2 * Limits.fileBytes }
    /// Requests for the panel file at the same time, each with its own thread. A further one is
    /// answered 429.
    static var fileRequests: Int { 2 }
    /// Bytes of one frame of a WebSocket; more closes it with 1009.
    public static var frameBytes: Int { 16_384 }
    /// Bytes of one message in several frames; more closes it with 1009.
    public static var messageBytes: Int { 65_536 }
    /// Frames of one message; more closes it with 1009.
    public static var fragments: Int { 64 }
    /// Messages of one WebSocket per second. Further ones are answered 429 and not handled.
    public static var messagesPerSecond: Int { 200 }
    /// Bytes that wait for a slow listener. Further messages are dropped, and it gets a snapshot.
    public static var backlogBytes: Int { 262_144 }
    /// Requests that wait for the panel's answer, and as many changes. A further one is answered
    /// 429. `places` says how many are for a role.
    public static var waitingRequests: Int { 64 }
    /// Changes of one WebSocket among them. A further one is answered 429, so that one page cannot
    /// use all places. An HTTP connection has one request at a time.
    public static var waitingPerConnection: Int { 16 }
    /// How long an answer of the panel is shared: `/healthz`, `/metrics` and the message `ping`
    /// ask it at most so often, however many ask. A panel that said nothing for that time is asked
    /// whether it is alive before it is believed.
    public static var sharedAnswer: TimeSpan { .seconds(1) }

    /// Downloads at the same time, each with its own thread. A further one is answered 429.
    /// `places` says how many are for a role.
    public static var downloads: Int { 2 }

    /// How long a request's head may take; after that the connection is closed.
    public static var headTime: TimeSpan { .seconds(10) }
    /// How long a connection may be idle between requests, and how long a request's body may take.
    public static var idleTime: TimeSpan { .seconds(30) }
    /// How long an answer may take to be made, such as a face or a download. After that it is 503,
    /// and what comes later is dropped.
    public static var answerTime: TimeSpan { .seconds(20) }
    /// How long a peer may take to receive `writeBytes` of its response; after that it is closed.
    public static var writeTime: TimeSpan { .seconds(10) }
    /// How long no connection is accepted after the system had no descriptor or memory for one.
    public static var acceptPause: TimeSpan { .milliseconds(250) }
    /// How long a WebSocket may send nothing, or receive nothing of what waits for it. After that
    /// it is closed.
    public static var silence: TimeSpan { .seconds(45) }
    /// How often a ping is sent to a WebSocket.
    public static var pingEvery: TimeSpan { .seconds(15) }
    /// How long a WebSocket has to send its token; after that it is closed.
    public static var tokenTime: TimeSpan { .seconds(5) }
    /// How late a wrong token is answered. The connection is closed then, so that one connection
    /// has one guess, and one address as many a second as it may have connections without a token.
    public static var wrongTokenTime: TimeSpan { .seconds(1) }
    /// How long a refused connection may continue to send, so that it can read the response.
    public static var linger: TimeSpan { .seconds(1) }
    /// How long the server may take to close its connections when it ends.
    public static var grace: TimeSpan { .seconds(1) }
    /// The shortest time between two messages with waveforms: twenty a second.
    public static var wavesEvery: TimeSpan { .milliseconds(50) }
    /// How often the clock is sent while its rate is not 1.
    public static var clockEvery: TimeSpan { .seconds(1) }

    /// Bytes of a datagram; a longer one is cut, and then no message.
    static var datagramBytes: Int { 4_096 }
    /// Datagrams that are read before reports are passed on.
    static var datagramsAtOnce: Int { 256 }
}
