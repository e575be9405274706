import DetentPlatform
import DetentTypes
import Synchronization

@testable import DetentActions

/// A runner that begins everything and ends only what the test says.
final class ScriptedRunner: ActionRunner {
    private struct State {
        var begun: [RunID] = []
        var cancelled: [RunID] = []
        var tells: [UInt32: @Sendable (AttemptEvent) -> Void] = [:]
    }

    private let state = Mutex(State())
    let changed: WakeUp

    init() throws {
        changed = try WakeUp()
    }

    var begun: [UInt32] { state.withLock { $0.begun.map(\.number) } }
    var cancelled: [UInt32] { state.withLock { $0.cancelled.map(\.number) } }

    func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        state.withLock { state in
            state.begun.append(request.run)
            state.tells[request.run.number] = tell
        }
        changed.ring()
    }

    func cancel(_ run: RunID) {
        state.withLock { $0.cancelled.append(run) }
        changed.ring()
    }

    /// Forgets the attempts that have not ended; each keeps its dispatcher.
    func stop(within span: TimeSpan) -> Int {
        state.withLock { $0.tells = [:] }
        return 0
    }

    /// Tells that an attempt has begun and ended.
    func end(
        _ number: UInt32, _ outcome: ActionOutcome = .succeeded, answer: [UInt8]? = nil
    ) {
        guard let tell = state.withLock({ $0.tells.removeValue(forKey: number) }) else { return }
        let now = MonotonicClock.now
        tell(.began(at: now))
        tell(
            .ended(
                ActionResult(
                    run: RunID(number), outcome: outcome, explanation: "as the test says",
                    startedAt: now, endedAt: now, answer: answer)))
    }

    /// Waits until so many attempts have been given to it.
    func waitForBegun(_ count: Int) -> Bool {
        let deadline = MonotonicClock.now + .seconds(60)
        while begun.count < count {
            if MonotonicClock.now >= deadline { return false }
            changed.wait(until: deadline)
            changed.clear()
        }
        return true
    }

    /// Waits until so many cancels have been given to it.
    func waitForCancelled(_ count: Int) -> Bool {
        let deadline = MonotonicClock.now + .seconds(60)
        while cancelled.count < count {
            if MonotonicClock.now >= deadline { return false }
            changed.wait(until: deadline)
            changed.clear()
        }
        return true
    }
}
