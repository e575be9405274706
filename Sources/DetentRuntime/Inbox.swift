public import DetentCore
public import DetentPlatform
import DetentTypes
import Synchronization

/// Requests from other threads to the real-time loop.
///
/// Senders share a lock; the loop never waits for them.
public final class Inbox: Sendable {
    private let requests = Ring<TimedEvent>(capacity: RuntimeLimits.inbox)
    private let senders = Mutex(())
    private let wakeUp: WakeUp
    private let stopRequested = Atomic<Bool>(false)

    /// Opens the inbox.
    ///
    /// - Throws: `PlatformError` when the process has no descriptor left.
    public init() throws(PlatformError) {
        wakeUp = try WakeUp()
    }

    /// Sends an event with the current time; false if `RuntimeLimits.inbox` requests are waiting.
    public func send(_ event: Event) -> Bool {
        let isTaken = senders.withLock { _ in
            requests.push(TimedEvent(event: event, at: MonotonicClock.now))
        }
        wakeUp.ring()
        return isTaken
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

    /// For the loop: passes on the waiting requests, at most `RuntimeLimits.inbox`.
    ///
    /// The limit keeps a turn short when senders never pause. The rest wakes the loop again.
    func drain(_ body: (TimedEvent) -> Void) {
        wakeUp.clear()
        for _ in 0..<RuntimeLimits.inbox {
            guard let request = requests.pop() else { return }
            body(request)
        }
        wakeUp.ring()
    }
}
