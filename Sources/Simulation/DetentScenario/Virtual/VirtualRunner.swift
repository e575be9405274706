public import DetentCore
public import DetentHAL
public import DetentPanel
internal import DetentRuntime
public import DetentTypes
public import DetentWorld

/// Runs a panel's engine on a backend in virtual time, as fast as the machine can.
///
/// Time advances from one event to the next, in the order of the time law: edges and outcomes by
/// timestamp, then their consequences, then deadlines. Equal inputs give equal records.
///
/// Synchronization: none; one thread at a time. A run passes millions of edges, so exclusive access
/// is not checked.
public final class VirtualRunner {
    /// The panel.
    public private(set) var plan: PanelPlan
    private let backend: any GPIOBackend
    @exclusivity(unchecked) private var effects: VirtualEffects
    @exclusivity(unchecked) private var panel: PanelTurn<VirtualEffects>
    /// The process wakes only at multiples of this; zero: whenever something is due.
    private let wakeEvery: TimeSpan
    /// The moment up to which the panel has run.
    @exclusivity(unchecked) public private(set) var now: Instant

    /// Opens the backend and starts the panel at a moment.
    ///
    /// - Parameter programs: starts real programs instead of `actions`.
    /// - Parameter wakeEvery: simulates a process that sleeps too long; its edges arrive late, in
    ///   batches.
    /// - Parameter keepsState: whether values survive a restart, as with a state directory.
    /// - Parameter isTraced: whether the record also contains what only a trace shows.
    public convenience init(
        _ plan: PanelPlan, backend: any GPIOBackend, actions: ActionModel = ActionModel(),
        programs: (any AttemptStarter)? = nil,
        at start: Instant = .zero, wakeEvery: TimeSpan = .zero, keepsState: Bool = false,
        isTraced: Bool = false
    ) throws(EngineError) {
        let effects = VirtualEffects(
            plan, backend: backend, actions: actions, programs: programs, keepsState: keepsState,
            isTraced: isTraced)
        try self.init(plan, backend: backend, effects: effects, at: start, wakeEvery: wakeEvery)
    }

    init(
        _ plan: PanelPlan, backend: any GPIOBackend, effects: VirtualEffects,
        at start: Instant = .zero, wakeEvery: TimeSpan = .zero
    ) throws(EngineError) {
        panel = try PanelTurn(plan, backend: backend, handler: effects)
        self.plan = plan
        self.backend = backend
        self.effects = effects
        self.wakeEvery = wakeEvery
        now = start
        startPanel()
    }

    /// The simulated devices.
    public var actions: ActionModel {
        get { effects.actions }
        set { effects.actions = newValue }
    }

    /// The latest attempt of each control since the panel started.
    public var attempts: [ControlID: ActionAttempt] { effects.attempts }
    func asked(of control: ControlID) -> String { effects.asked(of: control) }

    /// Whether the record also contains the levels of lines, as in a traced run.
    public var notesLines: Bool {
        get { effects.notesLines }
        set { effects.notesLines = newValue }
    }

    /// The record so far.
    public var record: VirtualRecord { effects.record }

    /// The state of a control; nil if the control is unknown.
    public func snapshot(of control: ControlID) -> ControlSnapshot? {
        panel.snapshot(of: control)
    }

    /// The debounced level of a contact; nil if the line is not a contact.
    public func contactLevel(of line: LineID) -> Level? { panel.contactLevel(of: line) }

    /// Counts of events that the engine dropped or corrected.
    public var counters: EngineCounters { panel.counters }

    /// Passes on and clears the record since the last call, so that an endless run does not use
    /// more and more memory.
    public func takeRecord(_ body: (VirtualRecord) -> Void) { effects.takeRecord(body) }

    /// Changes what is beyond the panel; what is due then has happened. Gestures and bounce are
    /// matters of the backend, and events of `handle`: they change nothing here.
    public func change(_ stimulus: Stimulus) {
        switch stimulus {
        case .gestures, .tell, .bounce: return
        case .failAction(let control, let code): actions.fail(control, code: code, at: now)
        case .failNext: actions.failNext(code: 1)
        case .finishAction(let control): actions.finish(control, at: now)
        case .actions(let control, let script): actions.setScript(script, for: control)
        case .device(let control, let value): actions.set(control, to: value)
        case .feedback(let control, let value):
            actions.set(control, to: value)
            effects.feedback.setSilent(control, false, at: now)
            if effects.feedback.hears(control, at: now) { handle(.feedback(control, value)) }
        case .report(let control, let reports):
            effects.feedback.setSilent(control, true, at: now)
            effects.reports.begin(reports, of: control, at: now)
        case .silence(let control): effects.feedback.setSilent(control, true, at: now)
        case .loseFeedback(let control):
            effects.feedback.setSilent(control, true, at: now)
            handle(.feedbackLost(control))
        case .broker(let isThere):
            effects.setBroker(isThere: isThere, at: now)
            handle(.broker(isOffline: !isThere))
        }
        run(until: now)
    }

    /// The next moment at which something is due; `never` if nothing is.
    public var next: Instant { next(backend.deadline) }

    private func next(_ lines: Instant) -> Instant {
        min(lines, min(panel.engine.nextDeadline, effects.next))
    }

    /// Runs up to and including a moment.
    public func run(until end: Instant) {
        steps(until: end) {}
        now = max(now, end)
    }

    /// Runs until only repeats and patterns are due.
    ///
    /// Repeats and pattern steps after the last other event are removed from the record.
    public func runUntilQuiet() {
        steps(until: nil) {}
        effects.endAtLastTurn()
        now = max(now, effects.record.lastTurn)
    }

    /// Runs to a moment, or if nil until only repeats and patterns are due. Passes the record on in
    /// parts, so that a long run uses no more memory than a short one.
    ///
    /// The parts together equal `record` after `run(until:)` or `runUntilQuiet`. Only repeats that
    /// may be removed at the end are held back, up to `ScenarioLimits.records`; then the run is
    /// aborted.
    ///
    /// - Parameter part: takes each part; an error ends the run.
    /// - Returns: false if the run was aborted.
    public func play<Failure: Error>(
        until end: Instant?, part: (VirtualRecord) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        var enough = ScenarioLimits.recordPart
        try steps(until: end) { () throws(Failure) in
            guard effects.record.count >= enough else { return }
            let isQuiet = min(backend.deadline, effects.actions.next) == .never
            try part(effects.takeSettled(keepsTail: end == nil && isQuiet))
            enough = max(ScenarioLimits.recordPart, 2 * effects.record.count)
        }
        let isWhole = !effects.record.isFull
        if end == nil { effects.endAtLastTurn() }
        now = max(now, end ?? effects.record.lastTurn)
        try part(effects.record)
        effects.forgetRecord()
        return isWhole
    }

    /// Does what is due up to a moment, or if nil until only repeats and patterns are due.
    private func steps<Failure: Error>(
        until end: Instant?, after body: () throws(Failure) -> Void
    ) throws(Failure) {
        let horizon = end == nil ? plan.longestWait : .zero
        while !effects.record.isFull {
            let lines = backend.deadline
            let due = wakeUp(for: next(lines))
            let last =
                end
                ?? (min(lines, effects.actions.next) == .never
                    ? effects.record.lastTurn + horizon : .never)
            guard due <= last, due != .never else { break }
            step(at: due)
            try body()
        }
    }

    /// Passes an event from outside to the engine now, and performs the effects.
    ///
    /// It wakes a sleeping process: earlier events are handled first.
    public func handle(_ event: Event) {
        step(at: now)
        panel.begin(at: now, linesSilentUntil: now)
        panel.add(event, at: now)
        panel.finish()
        effects.endTurn()
        run(until: now)
    }

    /// The process ends and starts again: its state is lost.
    ///
    /// The backend is closed, so outputs get their `on-exit` levels, unless the power has failed
    /// before.
    ///
    /// - Parameter pause: how long the process is absent.
    /// - Parameter isOrderly: whether the process can save its values first.
    public func restart(after pause: TimeSpan, isOrderly: Bool = true) throws(EngineError) {
        backend.close()
        effects.didEnd(at: now, isOrderly: isOrderly)
        now = now + pause
        try panel.restart(at: now)
        startPanel()
    }

    /// Lets another panel follow on the same lines, as a reload does.
    ///
    /// - Returns: the lines that could not be requested; the panel then goes on unchanged.
    public func replacePlan(
        _ next: PanelPlan, _ difference: PanelDifference
    ) throws(EngineError) -> [HALError] {
        let former = plan
        let effects = VirtualEffects(next, following: effects, difference, at: now)
        var panel = try PanelTurn(next, following: panel, difference, handler: effects)
        let errors = backend.change(to: next.lineSettings, continuing: difference.lines)
        guard errors.isEmpty else { return errors }
        let saved = difference.savedValues(of: former, in: next) {
            self.panel.snapshot(of: $0)?.desired
        }
        panel.startFollowing(difference, saved: saved.values)
        plan = next
        self.effects = effects
        self.panel = panel
        effects.endTurn()
        run(until: now)
        return []
    }

    /// Wakes a sleeping process: all that is due by now is handled.
    public func wake() {
        repeat { step(at: now) } while next <= now && !effects.record.isFull
    }

    /// The panel follows its own file, as by a reload.
    ///
    /// It wakes a sleeping process: earlier events are handled first.
    ///
    /// - Parameters:
    ///   - lines: the simulated lines at the end of the runner's backend. Their parts and wires
    ///     stay as they are.
    ///   - seed: the seed of those lines.
    ///   - bounce: how new parts would bounce.
    ///   - controls: those that start again, as after a change of a setting. Their values, lamps
    ///     and outputs stay.
    /// - Returns: the lines that could not be requested; the panel then goes on unchanged.
    public func reload(
        _ lines: SimulatedBackend, seed: UInt64, bounce: BounceChoice,
        touching controls: [ControlID]
    ) throws(EngineError) -> [HALError] {
        wake()
        let difference = PanelDifference(
            from: plan, to: plan, touching: Set(controls.map { plan[$0].id }))
        lines.expect(
            PhysicalModel(plan, following: lines.outside, difference, seed: seed, bounce: bounce))
        return try replacePlan(plan, difference)
    }

    private func startPanel() {
        effects.willStart(at: now)
        _ = backend.open(plan.lineSettings)
        panel.start(at: now, saved: effects.journal?.saved ?? []) { now }
        if effects.feedback.isBrokerAway {
            panel.begin(at: now, linesSilentUntil: now)
            panel.add(.broker(isOffline: true), at: now)
            panel.finish()
        }
        effects.didStart(at: now)
    }

    private func wakeUp(for due: Instant) -> Instant {
        guard wakeEvery != .zero, due != .never else { return due }
        let period = wakeEvery.nanoseconds
        let late = due.nanoseconds % period
        return late == 0 ? due : due + TimeSpan(nanoseconds: period - late)
    }

    private func step(at moment: Instant) {
        now = max(now, moment)
        let effects = effects
        repeat {
            panel.begin(at: now)
            if panel.hasRoom, effects.next <= now {
                while let outcome = effects.takeOutcome(by: now) {
                    panel.add(outcome.event, at: outcome.at)
                }
            }
            panel.finish()
            effects.endTurn()
        } while panel.hasMore && !effects.record.isFull
    }
}
