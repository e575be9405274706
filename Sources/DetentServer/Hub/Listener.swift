import DetentRuntime
import DetentTypes
import DetentWorld

/// The way back to whoever follows a panel: a WebSocket, or a test.
///
/// The hub and its listeners are used on one thread.
protocol Listener: AnyObject {
    /// Bytes that were sent and wait to go out.
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
    /// As many WebSockets as may be are open.
    case tooMany
    /// It does not even read the answers to its own messages.
    case tooSlow
    /// The server ends.
    case goingAway
}

/// Where somebody wants to go on who followed before.
struct Resumption: Equatable {
    /// The session that the last event was of.
    var session: String
    /// The number of the last event that arrived.
    var since: UInt64
}

/// One listener, as the hub keeps it.
struct Following {
    /// What it has to get before it can be told what changes.
    enum Stage: Equatable {
        /// Its token.
        case token(until: Instant)
        case snapshot(isLost: Bool)
        case resumption(Resumption)
        /// It has all that is known.
        case live
    }

    let listener: any Listener
    let holder: HolderID
    var stage: Stage
    /// Where it wants to go on once its token has come.
    let resumption: Resumption?
    /// The lines whose levels it is told.
    var traced: [LineID] = []
    /// Messages in the second that began at `secondBegan`.
    var messages = 0
    var secondBegan = Instant.zero
}
