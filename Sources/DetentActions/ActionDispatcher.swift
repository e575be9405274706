public import DetentPlatform
public import DetentTypes
import Synchronization

/// Carries commands of the real-time loop to a runner, and its reports back.
///
/// `start`, `cancel`, `drainReports` and `reportDescriptor` are for one thread, the real-time
/// loop: they take no lock, allocate nothing and never block; each makes one system call at most
/// to wake the other side. Everything else happens on threads of this module, which run under the
/// ordinary scheduling policy. For each attempt there is at most one `started`, and exactly one
/// `finished`.
public final class ActionDispatcher: Sendable {
    private struct State {
        var queues: AttemptQueues
        var reports: ReportLine
        var isStopping = false
    }

    /// Details of ended attempts for history; not for the real-time loop.
    public let details = OutcomeDetails()

    private let commands: Ring<ActionCommand>
    private let reports: Ring<ActionReport>
    private let commandWakeUp: WakeUp
    private let reportWakeUp: WakeUp
    private let isBlocked = Atomic<Bool>(false)
    private let shallEnd = Atomic<Bool>(false)
    private let state: Mutex<State>
    private let thread = Mutex<WorkerThread?>(nil)
    private let runner: any ActionRunner
    private let makeRequest: @Sendable (ActionCommand) -> ActionRequest
    private let readAnswer: @Sendable (ActionCommand, [UInt8]) -> ActionAnswer
    private let didEnd: @Sendable (ActionCommand, ActionResult) -> Void

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - actionCount: how many actions the plan has; a command for one beyond ends as
    ///     `failed(.notStarted)`.
    ///   - runner: stopped by `stop`.
    ///   - makeRequest: fills names and values in just before an attempt starts; called on any
    ///     thread but the real-time loop's.
    ///   - readAnswer: says what the output of a query means, where a request keeps an answer;
    ///     called as `didEnd`, before it.
    ///   - didEnd: told of every attempt that has ended, before the real-time loop is; called on
    ///     any thread but the loop's, and must not wait.
    /// - Throws: `PlatformError` where no descriptor or thread can be had.
    public init(
        actionCount: Int, runner: any ActionRunner,
        commandCapacity: Int = ActionLimits.commands, reportCapacity: Int = ActionLimits.reports,
        makeRequest: @escaping @Sendable (ActionCommand) -> ActionRequest,
        readAnswer: @escaping @Sendable (ActionCommand, [UInt8]) -> ActionAnswer = { _, _ in
            .unreadable("nobody reads its answer")
        },
        didEnd: @escaping @Sendable (ActionCommand, ActionResult) -> Void = { _, _ in }
    ) throws(PlatformError) {
        let line = ReportLine(capacity: reportCapacity)
        commands = Ring(capacity: commandCapacity)
        reports = line.ring
        commandWakeUp = try WakeUp()
        reportWakeUp = try WakeUp()
        state = Mutex(State(queues: AttemptQueues(actions: actionCount), reports: line))
        self.runner = runner
        self.makeRequest = makeRequest
        self.readAnswer = readAnswer
        self.didEnd = didEnd
        let worker = try WorkerThread(named: "detent-actions") { [self] in work() }
        thread.withLock { $0 = worker }
    }

    // MARK: The real-time loop's side

    /// Becomes readable (POLLIN) when there are reports; `drainReports` clears it.
    public var reportDescriptor: Int32 { reportWakeUp.descriptor }

    /// Asks for an attempt.
    ///
    /// - Returns: false where the ring is full: nothing will be reported, and the caller treats
    ///   the attempt as `failed(.notStarted)`.
    public func start(
        action: UInt16, run: RunID, control: ControlID, value: Value, previous: Value,
        origin: Origin
    ) -> Bool {
        send(
            ActionCommand(
                .start, action: action, run: run, control: control, value: value,
                previous: previous, origin: origin))
    }

    /// Asks to stop an attempt; one that has ended already is left as it is.
    ///
    /// - Returns: false where the ring is full; ask again later.
    public func cancel(action: UInt16, run: RunID) -> Bool {
        send(ActionCommand(.cancel, action: action, run: run))
    }

    /// Hands over every report that has come, oldest first, and clears the descriptor.
    public func drainReports(_ body: (ActionReport) -> Void) {
        reportWakeUp.clear()
        while let report = reports.pop() { body(report) }
        if isBlocked.load(ordering: .acquiring) { commandWakeUp.ring() }
    }

    private func send(_ command: ActionCommand) -> Bool {
        if !commands.push(command) { return false }
        commandWakeUp.ring()
        return true
    }

    // MARK: The other side

    /// Refuses new attempts, cancels what waits and what runs, and waits until it is over or
    /// `grace` has passed; then the threads end. Reports that the ring holds can still be drained
    /// afterwards.
    ///
    /// - Returns: programs that could not be ended in time.
    @discardableResult
    public func stop(grace: TimeSpan) -> Int {
        state.withLock { state in
            state.isStopping = true
            for command in state.queues.removeWaiting() {
                finish(command, .cancelled, "cancelled before it began", &state)
            }
        }
        let leftBehind = runner.stop(within: grace)
        shallEnd.store(true, ordering: .releasing)
        commandWakeUp.ring()
        thread.withLock { $0.take()?.join() }
        return leftBehind
    }

    private func work() {
        while !shallEnd.load(ordering: .acquiring) {
            commandWakeUp.wait()
            commandWakeUp.clear()
            drainCommands()
        }
        drainCommands()
    }

    private func drainCommands() {
        while true {
            let isDone = state.withLock { state in
                if state.reports.isBlocked {
                    state.reports.moveOn()
                    flushed(&state)
                }
                // Until the reports have gone no command is taken: so few attempts can wait.
                if state.reports.isBlocked { return true }
                guard let command = commands.pop() else { return true }
                take(command, &state)
                return false
            }
            if isDone { return }
        }
    }

    private func take(_ command: ActionCommand, _ state: inout State) {
        if Int(command.action) >= state.queues.actionCount {
            if command.verb == .start {
                finish(command, .failed(.notStarted), "the plan has no such action", &state)
            }
            return
        }
        switch command.verb {
        case .start where state.isStopping:
            finish(command, .cancelled, "cancelled before it began: Detent is ending", &state)
        case .start:
            switch state.queues.admit(command) {
            case .start: begin(command)
            case .wait: break
            case .refuse:
                finish(
                    command, .failed(.notStarted),
                    "\(ActionLimits.waitingPerAction) attempts of this action wait already; "
                        + "see why its program does not end", &state)
            }
        case .cancel:
            switch state.queues.cancel(command) {
            case .waiting(let waiting):
                finish(waiting, .cancelled, "cancelled before it began", &state)
            case .running: runner.cancel(command.run)
            case .unknown: break
            }
        }
    }

    private func begin(_ command: ActionCommand) {
        runner.start(makeRequest(command)) { [self] event in
            switch event {
            case .began(let at):
                state.withLock { state in
                    report(command, .started, at: at, &state)
                }
            case .ended(let ended):
                let (result, kind) = understand(command, ended)
                details.add(result)
                didEnd(command, result)
                state.withLock { state in
                    report(command, kind, at: result.endedAt, &state)
                    for next in state.queues.ended(action: command.action) { begin(next) }
                }
            }
        }
    }

    /// A query that says nothing that makes sense has failed, whatever its exit code.
    private func understand(
        _ command: ActionCommand, _ ended: ActionResult
    ) -> (ActionResult, ActionReport.Kind) {
        guard ended.outcome == .succeeded, let bytes = ended.answer else {
            return (ended, .finished(ended.outcome))
        }
        switch readAnswer(command, bytes) {
        case .value(let value):
            return (ended, .answered(value))
        case .unreadable(let explanation):
            var result = ended
            result.outcome = .failed(.invalidAnswer)
            result.explanation = explanation
            return (result, .finished(result.outcome))
        }
    }

    private func finish(
        _ command: ActionCommand, _ outcome: ActionOutcome, _ explanation: String,
        _ state: inout State
    ) {
        let now = MonotonicClock.now
        let result = ActionResult(
            run: command.run, outcome: outcome, explanation: explanation, startedAt: nil,
            endedAt: now)
        details.add(result)
        didEnd(command, result)
        report(command, .finished(outcome), at: now, &state)
    }

    private func report(
        _ command: ActionCommand, _ kind: ActionReport.Kind, at: Instant, _ state: inout State
    ) {
        state.reports.send(
            ActionReport(run: command.run, control: command.control, kind: kind, at: at))
        flushed(&state)
    }

    private func flushed(_ state: inout State) {
        isBlocked.store(state.reports.isBlocked, ordering: .releasing)
        reportWakeUp.ring()
    }
}
