import DetentActions
import DetentPlatform
import DetentTypes
import Synchronization

/// A runner whose attempts end when the test says so.
final class ScriptedRunner: ActionRunner {
    private struct State {
        var begun: [ActionRequest] = []
        var tells: [UInt32: @Sendable (AttemptEvent) -> Void] = [:]
    }

    private let state = Mutex(State())
    private let changed: WakeUp

    init() throws {
        changed = try WakeUp()
    }

    var begun: [ActionRequest] { state.withLock { $0.begun } }

    func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        state.withLock { state in
            state.begun.append(request)
            state.tells[request.run.number] = tell
        }
        changed.ring()
    }

    func cancel(_ run: RunID) {}
    /// Forgets the attempts that have not ended; each keeps its dispatcher.
    func stop(within span: TimeSpan) -> Int {
        state.withLock { $0.tells = [:] }
        return 0
    }

    /// Ends an attempt, stamped now.
    func end(_ run: RunID, _ outcome: ActionOutcome = .succeeded, answer: String? = nil) {
        guard let tell = state.withLock({ $0.tells.removeValue(forKey: run.number) }) else {
            return
        }
        tell(
            .ended(
                ActionResult(
                    run: run, outcome: outcome, explanation: "as the test says", startedAt: nil,
                    endedAt: MonotonicClock.now, answer: answer.map { Array($0.utf8) })))
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
}

extension ActionPayload {
    /// The program; nil for another payload.
    var program: ProgramCall? {
        if case .program(let call) = self { call } else { nil }
    }
}
