import DetentPanel
import DetentPlatform
import DetentTypes
import Synchronization

/// Opens a connection on a thread of its own, which ends then: the look-up of a host can take
/// minutes.
///
/// Until `outcome`, nothing else may use the connection.
final class ConnectAttempt: Sendable {
    /// How it ended.
    enum Outcome: Equatable {
        case open
        case failed(MQTTConnection.Problem)
    }

    private let ended = Mutex<Outcome?>(nil)
    private let bell: WakeUp
    private let thread = Mutex<WorkerThread?>(nil)

    /// Begins to open a connection.
    ///
    /// - Throws: `PlatformError` if no descriptor or thread is available.
    init(_ connection: MQTTConnection, of broker: BrokerPlan) throws(PlatformError) {
        bell = try WakeUp()
        nonisolated(unsafe) let connection = connection
        let worker = try WorkerThread(named: "detent-connect") { [self] in
            var outcome = Outcome.open
            do throws(MQTTConnection.Problem) {
                try connection.open(broker)
            } catch {
                outcome = .failed(error)
            }
            ended.withLock { $0 = outcome }
            bell.ring()
        }
        thread.withLock { $0 = worker }
    }

    /// Readable when there is an outcome.
    var descriptor: Int32 { bell.descriptor }

    /// How it ended; nil while it lasts.
    var outcome: Outcome? { ended.withLock { $0 } }

    /// Waits for its end, until `deadline` at most.
    func join(until deadline: Instant) { _ = thread.withLock { $0.take()?.join(until: deadline) } }
}
