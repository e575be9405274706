import DetentActions
import DetentPlatform
internal import DetentTypes
import DetentWorld
import Synchronization

/// Simulates the actions of a scenario in real time, according to its `actions:`.
///
/// The first argument of a request is the index of its control in the plan, the second is the
/// value. No attempt ends before `release()`.
final class ScriptedActions: ActionRunner {
    private struct State {
        var model: ActionModel
        var begun: [RunID] = []
        /// The latest attempt of each control.
        var commands: [ControlID: ActionCommand] = [:]
        var tells: [RunID: @Sendable (AttemptEvent) -> Void] = [:]
        var cancelled: [RunID] = []
        /// Attempts that are not simulated.
        var refused: [RunID] = []
        /// The panel has not made a turn yet: the first steps of the scenario set up its devices.
        var isHeld = true
        var isEnding = false
        var thread: WorkerThread?
    }

    private let state: Mutex<State>
    private let wakeUp: WakeUp

    /// Starts the thread.
    init(_ model: ActionModel) throws(PlatformError) {
        state = Mutex(State(model: model))
        wakeUp = try WakeUp()
        let worker = try WorkerThread(named: "detent-script") { [self] in work() }
        state.withLock { $0.thread = worker }
    }

    /// Lets attempts end, as in virtual time only when the steps of a moment are done.
    func release() {
        let wasHeld = state.withLock { state in
            defer { state.isHeld = false }
            return state.isHeld
        }
        if wasHeld { wakeUp.ring() }
    }

    /// Takes note of an attempt.
    func note(_ command: ActionCommand) {
        state.withLock { $0.commands[command.control] = command }
    }

    /// The latest attempt of a control.
    func command(of control: ControlID) -> ActionCommand? {
        state.withLock { $0.commands[control] }
    }

    /// Makes the running attempt of a control fail, or otherwise its next one.
    func fail(_ control: ControlID, code: Int32) {
        state.withLock { $0.model.fail(control, code: code, at: MonotonicClock.now) }
        wakeUp.ring()
    }

    /// Makes the running attempt of a control succeed now.
    func finish(_ control: ControlID) {
        state.withLock { $0.model.finish(control, at: MonotonicClock.now) }
        wakeUp.ring()
    }

    /// Makes the next attempt of any control fail.
    func failNext() { state.withLock { $0.model.failNext(code: 1) } }

    /// Sets the script for later attempts of a control.
    func setScript(_ script: ActionScript, for control: ControlID) {
        state.withLock { $0.model.setScript(script, for: control) }
    }

    /// Changes the value of a device.
    func set(_ control: ControlID, to value: Value) {
        state.withLock { $0.model.set(control, to: value) }
    }

    /// The model without attempts, for a panel that restarts.
    var remainder: ActionModel {
        var model = state.withLock { $0.model }
        model.abandon()
        return model
    }

    func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        let now = MonotonicClock.now
        state.withLock { state in
            switch request.payload {
            case .simulated(let control, _) where request.keepsAnswer:
                state.model.ask(control, request.run, at: now)
            case .simulated(let control, let value):
                state.model.start(control, request.run, value: value, at: now)
            case .program, .fields, .refused:
                state.refused.append(request.run)
            }
            state.tells[request.run] = tell
            state.begun.append(request.run)
        }
        wakeUp.ring()
    }

    func cancel(_ run: RunID) {
        state.withLock { state in
            state.model.cancel(run)
            state.cancelled.append(run)
        }
        wakeUp.ring()
    }

    func stop(within span: TimeSpan) -> Int {
        let thread = state.withLock { state in
            state.isEnding = true
            state.cancelled += state.tells.keys.sorted { $0.number < $1.number }
            return state.thread.take()
        }
        wakeUp.ring()
        thread?.join()
        return 0
    }

    private func work() {
        while true {
            let now = MonotonicClock.now
            let (news, next, isEnding) = state.withLock { state -> (News, Instant, Bool) in
                let begun = Self.takeBegun(&state, now)
                if state.isHeld, !state.isEnding { return (begun, .never, false) }
                return (begun + Self.takeEnded(&state, now), state.model.next, state.isEnding)
            }
            for (event, tell) in news { tell(event) }
            if isEnding { return }
            wakeUp.wait(until: next, isExact: true)
            wakeUp.clear()
        }
    }

    private typealias News = [(AttemptEvent, @Sendable (AttemptEvent) -> Void)]

    private static func takeBegun(_ state: inout State, _ now: Instant) -> News {
        defer { state.begun = [] }
        return state.begun.compactMap { run in state.tells[run].map { (.began(at: now), $0) } }
    }

    /// The outcomes that are due by now, in order.
    private static func takeEnded(_ state: inout State, _ now: Instant) -> News {
        var news: News = []
        func end(_ run: RunID, _ outcome: ActionOutcome, _ answer: Value? = nil) {
            guard let tell = state.tells.removeValue(forKey: run) else { return }
            let result = ActionResult(
                run: run, outcome: outcome, explanation: "simulated by the scenario",
                startedAt: nil,
                endedAt: now, answer: answer.map { Array(String($0.raw).utf8) })
            news.append((.ended(result), tell))
        }
        while let outcome = state.model.takeEnded(by: now) {
            end(outcome.run, outcome.outcome, outcome.answer)
        }
        for run in state.refused { end(run, .failed(.notStarted)) }
        state.refused = []
        for run in state.cancelled { end(run, .cancelled) }
        state.cancelled = []
        return news
    }
}
