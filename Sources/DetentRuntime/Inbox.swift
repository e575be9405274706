public import DetentCore
public import DetentPlatform
import DetentTypes
import Synchronization

/// Requests from other threads to the real-time loop.
///
/// Senders take a lock among themselves; the loop never waits for them.
public final class Inbox: Sendable {
    private let requests = Ring<TimedEvent>(capacity: RuntimeLimits.inbox)
    private let senders = Mutex(())
    private let wakeUp: WakeUp
    private let shallStop = Atomic<Bool>(false)

    /// Opens the inbox.
    ///
    /// - Throws: `PlatformError` when the process has no descriptor left.
    public init() throws(PlatformError) {
        wakeUp = try WakeUp()
    }

    /// Asks for an event, stamped now; false where `RuntimeLimits.inbox` requests wait already.
    public func send(_ event: Event) -> Bool {
        let isTaken = senders.withLock { _ in
            requests.push(TimedEvent(event: event, at: MonotonicClock.now))
        }
        wakeUp.ring()
        return isTaken
    }

    /// Ends the loop after its present turn.
    public func stop() {
        shallStop.store(true, ordering: .releasing)
        wakeUp.ring()
    }

    /// Lets the loop run a turn soon although nothing is asked of it.
    public func wake() { wakeUp.ring() }

    var descriptor: Int32 { wakeUp.descriptor }
    var isStopping: Bool { shallStop.load(ordering: .acquiring) }

    /// For the loop: hands over what waits, at most `RuntimeLimits.inbox` requests.
    ///
    /// Senders that never pause so cannot hold a turn up; what is left rings for the next one.
    func drain(_ body: (TimedEvent) -> Void) {
        wakeUp.clear()
        for _ in 0..<RuntimeLimits.inbox {
            guard let request = requests.pop() else { return }
            body(request)
        }
        wakeUp.ring()
    }
}
