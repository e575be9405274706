public import DetentPlatform
public import DetentTypes
import Synchronization

/// Carries commands of the real-time loop to the runners, and their reports back.
///
/// Only one thread, the real-time loop, uses `start`, `cancel`, `drainReports` and
/// `reportDescriptor`. They wait for no lock, allocate nothing and never block; each makes one
/// system call, to wake the other side. Everything else happens on threads of this module, which
/// run under the ordinary scheduling policy. Each attempt has at most one `started`, and exactly
/// one `finished`.
public final class ActionDispatcher: Sendable {
    private struct State {
        /// The kind of each action.
        var kinds: [ActionKindID?]
        var queues: AttemptQueues
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
    /// Has a lock of its own, the inner one: an attempt may begin while commands are taken.
    private let line: Mutex<ReportLine>
    private let thread = Mutex<WorkerThread?>(nil)
    private let runners: ActionRunners
    private let makeRequest: @Sendable (ActionCommand) -> ActionRequest
    private let readAnswer: @Sendable (ActionCommand, [UInt8]) -> ActionAnswer
    private let didEnd: @Sendable (ActionCommand, ActionResult) -> Void

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - kinds: the kind of each action of the plan; nil for an action that the core performs. A
    ///     command for an action without a runner ends as `failed(.notStarted)`.
    ///   - runners: the runner of each kind; `stop` stops them.
    ///   - makeRequest: fills in names and values just before an attempt starts; called on any
    ///     thread except that of the real-time loop.
    ///   - readAnswer: returns the value that the output of a query means, if the request keeps an
    ///     answer; called on the same threads as `didEnd`, before it.
    ///   - didEnd: called for every attempt that has ended, before the real-time loop is told, on
    ///     any thread except that of the loop; it must not block.
    /// - Throws: `PlatformError` if no descriptor or thread is available.
    public init(
        kinds: [ActionKindID?], runners: ActionRunners,
        commandCapacity: Int = ActionLimits.commands, reportCapacity: Int = ActionLimits.reports,
        makeRequest: @escaping @Sendable (ActionCommand) -> ActionRequest,
        readAnswer: @escaping @Sendable (ActionCommand, [UInt8]) -> ActionAnswer = { _, _ in
            .unreadable("its output is not read")
        },
        didEnd: @escaping @Sendable (ActionCommand, ActionResult) -> Void = { _, _ in }
    ) throws(PlatformError) {
        let line = ReportLine(capacity: reportCapacity)
        commands = Ring(capacity: commandCapacity)
        reports = line.ring
        commandWakeUp = try WakeUp()
        reportWakeUp = try WakeUp()
        state = Mutex(State(kinds: kinds, queues: AttemptQueues(actions: kinds.count)))
        self.line = Mutex(line)
        self.runners = runners
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
    /// - Returns: false if the ring is full: nothing will be reported, and the caller treats the
    ///   attempt as `failed(.notStarted)`.
    public func start(
        action: UInt16, run: RunID, control: ControlID, value: Value, previous: Value,
        values: ActionValues = ActionValues(), origin: Origin
    ) -> Bool {
        send(
            ActionCommand(
                .start, action: action, run: run, control: control, value: value,
                previous: previous, values: values, origin: origin))
    }

    /// Asks to stop an attempt; one that has already ended is not changed.
    ///
    /// - Returns: false if the ring is full; ask again later.
    public func cancel(action: UInt16, run: RunID) -> Bool {
        send(ActionCommand(.cancel, action: action, run: run))
    }

    /// Passes every report to `body`, oldest first, and clears the descriptor.
    public func drainReports(_ body: (ActionReport) -> Void) {
        reportWakeUp.clear()
        while let report = reports.pop() { body(report) }
        if isBlocked.load(ordering: .acquiring) { commandWakeUp.ring() }
    }

    private func send(_ command: ActionCommand) -> Bool {
        guard commands.push(command) else { return false }
        commandWakeUp.ring()
        return true
    }

    // MARK: The other side

    /// Adds actions after the known ones, for a panel that follows. The known ones stay: attempts
    /// of them may run. From any thread except that of the loop.
    public func add(_ kinds: [ActionKindID?]) {
        state.withLock { state in
            state.kinds += kinds
            state.queues.add(kinds.count)
        }
    }

    /// Refuses new attempts, cancels those that wait or run, and waits until all have ended or
    /// `grace` has passed; then the threads end. Reports in the ring can still be drained
    /// afterwards.
    ///
    /// - Returns: the number of attempts that could not be ended in time.
    @discardableResult
    public func stop(grace: TimeSpan) -> Int {
        state.withLock { state in
            state.isStopping = true
            for command in state.queues.removeWaiting() {
                finish(command, .cancelled, "cancelled before it started")
            }
            // All at the same moment: the runners are stopped one after another.
            for command in state.queues.running {
                runner(of: command.action, state)?.cancel(command.run)
            }
        }
        let deadline = MonotonicClock.now + grace
        let leftBehind = runners.stop(until: deadline) { MonotonicClock.now }
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
                let isFull = line.withLock { line in
                    guard line.isBlocked else { return false }
                    line.moveOn()
                    flushed(line)
                    return line.isBlocked
                }
                // While reports wait, no command is taken: this bounds the attempts that wait.
                if isFull { return true }
                guard let command = commands.pop() else { return true }
                receive(command, &state)
                return false
            }
            if isDone { return }
        }
    }

    private func runner(of action: UInt16, _ state: borrowing State) -> (any ActionRunner)? {
        guard Int(action) < state.kinds.count, let kind = state.kinds[Int(action)] else {
            return nil
        }
        return runners[kind]
    }

    /// Why an action has no runner, for the log.
    private func missingRunner(of action: UInt16, _ state: borrowing State) -> String {
        guard Int(action) < state.kinds.count else { return "unknown action" }
        guard let kind = state.kinds[Int(action)] else { return "the core performs this action" }
        return "this program has no runner for `\(kind.word)`"
    }

    private func receive(_ command: ActionCommand, _ state: inout State) {
        guard let runner = runner(of: command.action, state) else {
            if command.verb == .start {
                let explanation = missingRunner(of: command.action, state)
                finish(command, .failed(.notStarted), explanation)
            }
            return
        }
        switch command.verb {
        case .start where state.isStopping:
            finish(command, .cancelled, "cancelled before it started: Detent is ending")
        case .start:
            switch state.queues.admit(command) {
            case .start: begin(command, on: runner)
            case .wait: break
            case .refuse:
                finish(
                    command, .failed(.notStarted),
                    "\(ActionLimits.waitingPerAction) attempts of this action are already waiting; "
                        + "check why the first one does not end")
            }
        case .cancel:
            switch state.queues.cancel(command) {
            case .waiting(let waiting):
                finish(waiting, .cancelled, "cancelled before it started")
            case .running: runner.cancel(command.run)
            case .unknown: break
            }
        }
    }

    private func begin(_ command: ActionCommand, on runner: any ActionRunner) {
        runner.start(makeRequest(command)) { [self] event in
            switch event {
            case .began(let at): report(command, .started, at: at)
            case .ended(let ended): conclude(command, ended)
            }
        }
    }

    /// Tells the end of an attempt, and goes on with what waited for it.
    private func conclude(_ command: ActionCommand, _ ended: ActionResult) {
        let (result, kind) = understand(command, ended)
        details.add(result)
        didEnd(command, result)
        state.withLock { state in
            report(command, kind, at: result.endedAt)
            for next in state.queues.ended(action: command.action) {
                // An attempt waits only if its action has a runner.
                if let runner = runner(of: next.action, state) { begin(next, on: runner) }
            }
        }
    }

    /// A query, or an action that the device confirms, has failed if its answer is not a value.
    private func understand(
        _ command: ActionCommand, _ ended: ActionResult
    ) -> (ActionResult, ActionReport.Kind) {
        guard ended.outcome == .succeeded, let bytes = ended.answer else {
            return (ended, .finished(ended.outcome))
        }
        switch readAnswer(command, bytes) {
        case .value(let value):
            return (ended, .answered(value))
        case .confirmed(let value):
            return (ended, value == command.value ? .finished(.succeeded) : .confirmed(value))
        case .unreadable(let explanation):
            var result = ended
            result.outcome = .failed(.invalidAnswer)
            result.explanation = explanation
            return (result, .finished(result.outcome))
        }
    }

    private func finish(
        _ command: ActionCommand, _ outcome: ActionOutcome, _ explanation: String
    ) {
        let now = MonotonicClock.now
        let result = ActionResult(
            run: command.run, outcome: outcome, explanation: explanation, startedAt: nil,
            endedAt: now)
        details.add(result)
        didEnd(command, result)
        report(command, .finished(outcome), at: now)
    }

    private func report(_ command: ActionCommand, _ kind: ActionReport.Kind, at: Instant) {
        line.withLock { line in
            line.send(
                ActionReport(run: command.run, control: command.control, kind: kind, at: at))
            flushed(line)
        }
    }

    private func flushed(_ line: borrowing ReportLine) {
        isBlocked.store(line.isBlocked, ordering: .releasing)
        reportWakeUp.ring()
    }
}
