public import DetentCore
public import DetentHAL
public import DetentPanel
internal import DetentRuntime
public import DetentTypes
public import DetentWorld

/// Runs a panel's engine on a backend in virtual time, as fast as the machine can.
///
/// Time goes from one thing that is due to the next, in the order of the time law: edges and
/// outcomes by their stamps, then what they ask for, then deadlines. Equal inputs give equal
/// records.
///
/// Synchronization: none; one thread at a time.
public final class VirtualRunner {
    /// The panel.
    public let plan: PanelPlan
    private let backend: any GPIOBackend
    private let effects: VirtualEffects
    private var panel: PanelTurn<VirtualEffects>
    /// The process wakes only at multiples of this; zero: whenever something is due.
    private let wakeEvery: TimeSpan
    /// The moment up to which everything has happened.
    public private(set) var now: Instant

    /// Opens the backend and starts the panel at a moment.
    ///
    /// - Parameter programs: begins attempts in place of `actions`.
    /// - Parameter wakeEvery: a process that sleeps too long; its edges come late, in batches.
    /// - Parameter keepsState: values outlive the process, as with a state directory.
    /// - Parameter isTraced: the record also holds what only a trace shows.
    public init(
        _ plan: PanelPlan, backend: any GPIOBackend, actions: ActionModel = ActionModel(),
        programs: (any AttemptStarter)? = nil,
        at start: Instant = .zero, wakeEvery: TimeSpan = .zero, keepsState: Bool = false,
        isTraced: Bool = false
    ) throws(EngineError) {
        let effects = VirtualEffects(
            plan, backend: backend, actions: actions, programs: programs, keepsState: keepsState,
            isTraced: isTraced)
        panel = try PanelTurn(plan, backend: backend, handler: effects)
        self.plan = plan
        self.backend = backend
        self.effects = effects
        self.wakeEvery = wakeEvery
        now = start
        startPanel()
    }

    /// The devices behind the actions.
    public var actions: ActionModel {
        get { effects.actions }
        set { effects.actions = newValue }
    }

    /// The record also holds the levels of lines, as in a traced run.
    public var notesLines: Bool {
        get { effects.notesLines }
        set { effects.notesLines = newValue }
    }

    /// What happened so far.
    public var record: VirtualRecord { effects.record }

    /// The state of a control; nil if there is no such control.
    public func snapshot(of control: ControlID) -> ControlSnapshot? {
        panel.snapshot(of: control)
    }

    /// The debounced level of a contact; nil if the line is no contact.
    public func contactLevel(of line: LineID) -> Level? { panel.contactLevel(of: line) }

    /// What the engine dropped or mended.
    public var counters: EngineCounters { panel.counters }

    /// Gives what happened since the last call away, and forgets it, so that a run without end
    /// takes no more memory.
    public func takeRecord(_ body: (VirtualRecord) -> Void) { effects.takeRecord(body) }

    /// The next moment at which anything is due; `never` if nothing is.
    public var next: Instant {
        min(backend.deadline, min(panel.nextDeadline, effects.actions.next))
    }

    /// Lets everything happen up to a moment, that moment included.
    public func run(until end: Instant) {
        while !effects.record.isFull {
            let due = wakeUp(for: next)
            guard due <= end, due != .never else { break }
            step(at: due)
        }
        now = max(now, end)
    }

    /// Lets everything happen until nothing but repeats and patterns is due.
    ///
    /// What only repeats or blinks after the last thing that mattered is left out of the record.
    public func runUntilQuiet() {
        let horizon = plan.longestWait
        while !effects.record.isFull {
            let inputs = min(backend.deadline, effects.actions.next)
            let due = wakeUp(for: next)
            guard due != .never, inputs != .never || due <= effects.record.lastTurn + horizon else {
                break
            }
            step(at: due)
        }
        effects.endAtLastTurn()
        now = max(now, effects.record.lastTurn)
    }

    /// Runs to a moment, or without one until nothing but repeats and patterns is due, and gives
    /// what happened away in parts, so that a long run takes no more memory than a short one.
    ///
    /// The parts together are what `record` holds after `run(until:)` or `runUntilQuiet`. Only
    /// repeats that may still be left out at the end wait, up to `ScenarioLimits.records`; the run
    /// is cut there.
    ///
    /// - Parameter part: takes each part; what it throws ends the run.
    /// - Returns: false where the run was cut.
    public func play<Failure: Error>(
        until end: Instant?, part: (VirtualRecord) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let horizon = plan.longestWait
        var enough = ScenarioLimits.recordPart
        while !effects.record.isFull {
            let inputs = min(backend.deadline, effects.actions.next)
            let due = wakeUp(for: next)
            let isDue =
                if let end { due <= end } else {
                    inputs != .never || due <= effects.record.lastTurn + horizon
                }
            guard due != .never, isDue else { break }
            step(at: due)
            guard effects.record.count >= enough else { continue }
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

    /// Hands the engine something from outside, now, and carries out what it wants.
    ///
    /// It wakes a process that sleeps: what happened before is handed over first.
    public func handle(_ event: Event) {
        step(at: now)
        panel.begin(at: now, linesSilentUntil: now)
        panel.add(event, at: now)
        panel.finish()
        effects.endTurn()
        run(until: now)
    }

    /// The process ends and starts again: all state that lives in it is gone.
    ///
    /// The backend is closed, so outputs get the levels that the panel wants at exit; a backend
    /// that has lost its power before gives nothing more.
    ///
    /// - Parameter pause: how long nobody is there.
    /// - Parameter isOrderly: the process has time to write what it has not written yet.
    public func restart(after pause: TimeSpan, isOrderly: Bool = true) throws(EngineError) {
        backend.close()
        effects.didEnd(at: now, isOrderly: isOrderly)
        now = now + pause
        try panel.restart(at: now)
        startPanel()
    }

    private func startPanel() {
        effects.willStart(at: now)
        _ = backend.open(plan.lineSettings)
        panel.start(at: now, saved: effects.journal?.saved ?? []) { now }
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
        repeat {
            panel.begin(at: now)
            if panel.hasRoom {
                while let outcome = effects.takeOutcome(by: now) {
                    panel.add(outcome.event, at: outcome.at)
                }
            }
            panel.finish()
            effects.endTurn()
        } while panel.hasMore && !effects.record.isFull
    }
}
