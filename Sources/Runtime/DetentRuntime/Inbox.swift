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

    /// In place of the number of a panel, which counts from 0.
    private static let anyPanel = UInt32.max
    private let requests = Ring<Request>(capacity: RuntimeLimits.inbox)
    private let senders = Mutex(())
    private let wakeUp: WakeUp
    private let stopRequested = Atomic<Bool>(false)
    private let change = Mutex<PanelChange?>(nil)
    private let hasChange = Atomic<Bool>(false)
    /// What the broker's connection told last, until the loop has it: twice the moment in
    /// nanoseconds, and one more if it is offline; 0: nothing.
    private let broker = Atomic<UInt64>(0)

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
    ///     followed it, the event is dropped: it could name another control. One that names none,
    ///     such as that of a reload, is not.
    ///   - moment: when it happened; nil for now.
    public func send(_ event: Event, for panel: UInt32 = 0, at moment: Instant? = nil) -> Bool {
        var panel = panel
        if case .reload = event { panel = Self.anyPanel }
        let isTaken = senders.withLock { [panel] _ in
            requests.push(
                Request(
                    event: TimedEvent(event: event, at: moment ?? MonotonicClock.now),
                    panel: panel))
        }
        wakeUp.ring()
        return isTaken
    }

    /// Tells whether the panel has lost its broker. The newest word counts; none is lost.
    public func tellBroker(isOffline: Bool, at moment: Instant) {
        broker.store(moment.nanoseconds << 1 | (isOffline ? 1 : 0), ordering: .releasing)
        wakeUp.ring()
    }

    /// For the loop: what was told of the broker since the last call.
    func takeBroker() -> TimedEvent? {
        guard broker.load(ordering: .relaxed) != 0 else { return nil }
        let word = broker.exchange(0, ordering: .acquiringAndReleasing)
        return TimedEvent(
            event: .broker(isOffline: word & 1 != 0), at: Instant(nanoseconds: word >> 1))
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
            if request.panel == panel || request.panel == Self.anyPanel { body(request.event) }
        }
        wakeUp.ring()
    }
}
