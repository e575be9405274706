public import DetentCore
public import DetentPlatform
public import DetentTypes
import Synchronization

/// Requests from other threads to the real-time loop.
///
/// Senders share a lock; the loop never waits for them.
public final class Inbox: Sendable {
    /// A request with the number of the panel whose indices it uses.
    private struct Request: BitwiseCopyable {
        var event: TimedEvent
        var panel: UInt32
    }

    private let requests = Ring<Request>(capacity: RuntimeLimits.inbox)
    private let senders = Mutex(())
    private let wakeUp: WakeUp
    private let stopRequested = Atomic<Bool>(false)
    private let change = Mutex<PanelChange?>(nil)
    private let hasChange = Atomic<Bool>(false)

    /// Opens the inbox.
    ///
    /// - Throws: `PlatformError` when the process has no descriptor left.
    public init() throws(PlatformError) {
        wakeUp = try WakeUp()
    }

    /// Sends an event; false if `RuntimeLimits.inbox` requests are waiting.
    ///
    /// - Parameters:
    ///   - panel: the number of the panel whose controls the event names. If another panel has
    ///     followed it, the event is dropped: it could name another control.
    ///   - moment: when it happened; nil for now.
    public func send(_ event: Event, for panel: UInt32 = 0, at moment: Instant? = nil) -> Bool {
        let isTaken = senders.withLock { _ in
            requests.push(
                Request(
                    event: TimedEvent(event: event, at: moment ?? MonotonicClock.now),
                    panel: panel))
        }
        wakeUp.ring()
        return isTaken
    }

    /// Asks the loop to change to another panel; `PanelChange.answer` tells what came of it.
    public func send(_ change: PanelChange) {
        self.change.withLock { $0 = change }
        hasChange.store(true, ordering: .releasing)
        wakeUp.ring()
    }

    /// For the loop: whether another panel waits.
    var isChangeWaiting: Bool { hasChange.load(ordering: .acquiring) }

    /// For the loop: takes the panel that waits.
    public func takeChange() -> PanelChange? {
        guard hasChange.exchange(false, ordering: .acquiringAndReleasing) else { return nil }
        return change.withLock { $0.take() }
    }

    /// Ends the loop after its current turn.
    public func stop() {
        stopRequested.store(true, ordering: .releasing)
        wakeUp.ring()
    }

    /// Makes the loop run a turn soon, without a request.
    public func wake() { wakeUp.ring() }

    var descriptor: Int32 { wakeUp.descriptor }
    var isStopping: Bool { stopRequested.load(ordering: .acquiring) }

    /// For the loop: passes on the waiting requests for its panel, at most `RuntimeLimits.inbox`.
    ///
    /// The limit keeps a turn short when senders never pause. The rest wakes the loop again.
    func drain(for panel: UInt32 = 0, _ body: (TimedEvent) -> Void) {
        wakeUp.clear()
        for _ in 0..<RuntimeLimits.inbox {
            guard let request = requests.pop() else { return }
            if request.panel == panel { body(request.event) }
        }
        wakeUp.ring()
    }
}
