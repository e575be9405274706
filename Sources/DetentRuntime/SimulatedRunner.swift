public import DetentActions
public import DetentPlatform
public import DetentTypes
import Synchronization

/// Plays actions instead of running them: each takes a time and succeeds, or fails when told to.
///
/// What `detent sim` uses unless it is asked to run the real programs.
public final class SimulatedRunner: ActionRunner {
    private struct Attempt {
        var run: RunID
        var endsAt: Instant
        var outcome: ActionOutcome
        var request: ActionRequest
        var tell: @Sendable (AttemptEvent) -> Void
    }

    private struct State {
        var attempts: [Attempt] = []
        var takes: TimeSpan
        var nextOutcome = ActionOutcome.succeeded
        /// The value of each device, by its control: the last that was brought about.
        var devices: [String: String] = [:]
        var isEnding = false
        var thread: WorkerThread?
    }

    private let state: Mutex<State>
    private let wakeUp: WakeUp

    /// Starts the thread; every attempt takes `takes`.
    ///
    /// - Throws: `PlatformError` where no descriptor or thread can be had.
    public init(takes: TimeSpan) throws(PlatformError) {
        state = Mutex(State(takes: takes))
        wakeUp = try WakeUp()
        let worker = try WorkerThread(named: "detent-play") { [self] in work() }
        state.withLock { $0.thread = worker }
    }

    /// How long attempts take from now on.
    public func setTakes(_ takes: TimeSpan) {
        state.withLock { $0.takes = takes }
    }

    /// How the next attempt that starts ends; those after it succeed again.
    public func setNextOutcome(_ outcome: ActionOutcome) {
        state.withLock { $0.nextOutcome = outcome }
    }

    /// Begins an attempt; what becomes of it is told from another thread.
    public func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        let now = MonotonicClock.now
        state.withLock { state in
            state.attempts.append(
                Attempt(
                    run: request.run, endsAt: now + state.takes, outcome: state.nextOutcome,
                    request: request, tell: tell))
            state.nextOutcome = .succeeded
        }
        wakeUp.ring()
    }

    /// Asks an attempt to end; its outcome is told all the same.
    public func cancel(_ run: RunID) {
        let now = MonotonicClock.now
        state.withLock { state in
            for place in state.attempts.indices where state.attempts[place].run == run {
                state.attempts[place].endsAt = now
                state.attempts[place].outcome = .cancelled
            }
        }
        wakeUp.ring()
    }

    /// Ends every attempt, and says how many are left when the time is over.
    public func stop(within span: TimeSpan) -> Int {
        let thread = state.withLock { state in
            state.isEnding = true
            for place in state.attempts.indices { state.attempts[place].endsAt = .zero }
            return state.thread.take()
        }
        wakeUp.ring()
        thread?.join()
        return 0
    }

    private func work() {
        while true {
            let now = MonotonicClock.now
            let (due, next, isEnding) = state.withLock { state in
                let due = state.attempts.filter { $0.endsAt <= now }
                    .map { attempt in (attempt, Self.end(attempt, &state)) }
                state.attempts.removeAll { $0.endsAt <= now }
                let next = state.attempts.map(\.endsAt).min() ?? .never
                return (due, next, state.isEnding)
            }
            for (attempt, answer) in due {
                attempt.tell(
                    .ended(
                        ActionResult(
                            run: attempt.run, outcome: attempt.outcome,
                            explanation: "played by the simulator", startedAt: nil, endedAt: now,
                            answer: answer)))
            }
            if isEnding { return }
            wakeUp.wait(until: next)
            wakeUp.clear()
        }
    }

    /// What the device makes of an attempt: its value, or its answer, which is empty while nobody
    /// has brought anything about.
    private static func end(_ attempt: Attempt, _ state: inout State) -> [UInt8]? {
        let words = attempt.request.environment
        let control = words.last { $0.name == "DETENT_CONTROL" }?.value ?? ""
        if attempt.request.keepsAnswer { return Array((state.devices[control] ?? "").utf8) }
        if attempt.outcome == .succeeded {
            state.devices[control] = words.last { $0.name == "DETENT_VALUE" }?.value
        }
        return nil
    }
}
