import DetentPlatform
import DetentRuntime
import DetentTypes
import DetentWall
import Glibc
import Synchronization

@testable import DetentMQTT

/// The work of a connection on a thread of its own, beside a panel in the same process.
final class MQTTThread: Sendable {
    private struct State {
        var orders: [MQTTRequest] = []
        var isEnding = false
    }

    /// Its way to the panel: a list of orders, and a function that takes words.
    private final class Inlet: MQTTInlet {
        let it: MQTTThread

        init(_ it: MQTTThread) {
            self.it = it
        }

        var descriptor: Int32 { it.panel.updates.descriptor }
        var isFull: Bool { false }

        func receive(
            _ order: (MQTTRequest) -> Void, confirm: (RequestID, ConfirmTokens.Token) -> Void
        ) -> Bool {
            let (orders, isEnding) = it.state.withLock { state in
                defer { state.orders = [] }
                return (state.orders, state.isEnding)
            }
            orders.forEach(order)
            return !isEnding
        }

        func post(_ word: MQTTNote) { it.tell(word) }

        /// The work has cleared the bell of the updates after `take`: an order between the two
        /// rings for nothing.
        func flush() {
            if it.hasWork { it.panel.updates.wake() }
        }
    }

    private let panel: FakePanel
    private let state = Mutex(State())
    private let tell: @Sendable (MQTTNote) -> Void
    private let worker = Mutex<WorkerThread?>(nil)
    private let ended: WakeUp

    /// Starts the thread, which connects.
    init(
        _ panel: FakePanel, tell: @escaping @Sendable (MQTTNote) -> Void = { _ in },
        openingTime: TimeSpan = MQTTLimits.opening,
        say: @escaping @Sendable (String) -> Void
    ) throws {
        self.panel = panel
        self.tell = tell
        ended = try WakeUp()
        let thread = try WorkerThread(named: "broker") { [self] in
            var work = MQTTClientLoop(
                port: panel, inlet: Inlet(self), facts: MQTTFacts(version: "1"),
                openingTime: openingTime, say: say)
            work.run()
            ended.ring()
        }
        worker.withLock { $0 = thread }
    }

    private var hasWork: Bool { state.withLock { !$0.orders.isEmpty || $0.isEnding } }

    /// Gives it an order of the panel.
    func deliver(_ message: PanelMessage) {
        guard case .order(let order) = message else { return }
        state.withLock { $0.orders.append(order) }
        panel.updates.wake()
    }

    /// Waits until its work has ended by itself; false after half a minute.
    func waitForEnd() -> Bool {
        var entry = pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 30_000) == 1
    }

    /// Ends it; it disconnects.
    func stop() {
        state.withLock { $0.isEnding = true }
        panel.updates.wake()
        worker.withLock { $0.take() }?.join()
    }
}
