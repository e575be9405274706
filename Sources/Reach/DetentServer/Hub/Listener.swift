import DetentTypes
import DetentWorld

/// Receives the messages about a panel: a WebSocket, or a test.
///
/// The hub calls it on one thread.
protocol Listener: AnyObject {
    /// Bytes that wait to be sent.
    var backlog: Int { get }
    /// Sends a message.
    func send(_ text: String)
    /// Ends the connection.
    func close(_ cause: ListenerEnd)
}

/// Why the hub ends a connection.
enum ListenerEnd: Equatable {
    /// The token is missing or wrong.
    case unauthorized
    /// The maximum number of WebSockets is open.
    case tooMany
    /// It does not read even the answers to its messages.
    case tooSlow
    /// The server ends.
    case goingAway
}

/// Where a listener continues after a lost connection.
struct Resumption: Equatable {
    /// The session of the last event.
    var session: String
    /// The number of the last event that it received.
    var since: UInt64
}

/// The hub's state of one listener.
struct Subscription {
    /// What it needs before it can receive changes.
    enum Stage: Equatable {
        /// Its token.
        case token(until: Instant)
        /// It has sent another one. It is told so then, and closed.
        case wrongToken(until: Instant, answer: String)
        case snapshot(isLost: Bool)
        case resumption(Resumption)
        /// It is up to date.
        case live
    }

    let listener: any Listener
    let source: InputSourceID
    var stage: Stage
    /// Who it is and what it may do, once it has sent its token.
    var caller: Caller
    var role: AccessRole { caller.role }
    /// Where it wants to continue once it has sent its token.
    let resumption: Resumption?
    /// The lines whose levels it receives.
    var traced: [LineID] = []
    /// Messages in the second that began at `secondBegan`.
    var messages = 0
    var secondBegan = Instant.zero
}
