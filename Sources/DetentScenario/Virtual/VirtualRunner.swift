public import DetentCore
public import DetentHAL
public import DetentPanel
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
    private let storage: EngineStorage
    private var engine: Engine
    /// The devices behind the actions.
    public var actions: ActionModel
    /// Begins attempts in place of `actions`; what becomes of them is handed in by `handle`.
    private let programs: (any AttemptStarter)?
    /// The record also holds the levels of lines, as in a traced run.
    public var notesLines = false
    /// What a state directory would hold; nil where there is none.
    private var journal: StateJournal?
    /// The process wakes only at multiples of this; zero: whenever something is due.
    private let wakeEvery: TimeSpan
    /// Notes what a trace shows; nil where nobody wants one.
    private var watch: ChangeWatch?
    private let buffer: UnsafeMutableBufferPointer<LineEvent>
    /// Effects of the last events, in order, not carried out yet.
    private var effects: [(effect: Effect, at: Instant)] = []
    /// What happened so far.
    public private(set) var record = VirtualRecord()
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
        self.plan = plan
        self.backend = backend
        self.actions = actions
        self.programs = programs
        self.wakeEvery = wakeEvery
        journal = keepsState ? StateJournal(plan) : nil
        watch = isTraced ? ChangeWatch(controls: plan.controls.count) : nil
        now = start
        storage = EngineStorage(for: plan.capacity)
        engine = try plan.makeEngine(in: storage)
        buffer = .allocate(capacity: 256)
        startPanel()
    }

    deinit {
        buffer.deallocate()
    }

    /// The state of a control; nil if there is no such control.
    public func snapshot(of control: ControlID) -> ControlSnapshot? {
        engine.snapshot(of: control)
    }

    /// The debounced level of a contact; nil if the line is no contact.
    public func contactLevel(of line: LineID) -> Level? { engine.contactLevel(of: line) }

    /// What the engine dropped or mended.
    public var counters: EngineCounters { engine.counters }

    /// Gives what happened since the last call away, and forgets it, so that a run without end
    /// takes no more memory.
    public func takeRecord(_ body: (VirtualRecord) -> Void) {
        body(record)
        record.removeAll()
    }

    /// The next moment at which anything is due; `never` if nothing is.
    public var next: Instant {
        min(backend.deadline, min(engine.nextDeadline, actions.next))
    }

    /// Lets everything happen up to a moment, that moment included.
    public func run(until end: Instant) {
        while !record.isFull {
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
        while !record.isFull {
            let inputs = min(backend.deadline, actions.next)
            let due = wakeUp(for: next)
            guard due != .never, inputs != .never || due <= record.lastTurn + horizon else { break }
            step(at: due)
        }
        record.endAtLastTurn()
        now = max(now, record.lastTurn)
    }

    /// Hands the engine something from outside, now, and carries out what it wants.
    ///
    /// It wakes a process that sleeps: what happened before is handed over first.
    public func handle(_ event: Event) {
        step(at: now)
        pass(event, at: now)
        carryOut()
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
        journal?.writeDue(by: now)
        if isOrderly { journal?.writeAll() }
        journal = journal.map { StateJournal(plan, saved: $0.saved) }
        actions.abandon()
        if watch != nil { record.add(VirtualChange(kind: .ended, at: now)) }
        engine = try plan.makeEngine(in: storage)
        now = now + pause
        // Nobody hears what happens meanwhile.
        while drain() > 0 {}
        startPanel()
    }

    private func startPanel() {
        if watch != nil {
            watch = ChangeWatch(controls: plan.controls.count)
            record.add(VirtualChange(kind: .started, at: now))
        }
        _ = backend.open(plan.lineSettings)
        takeAll()
        for it in journal?.saved ?? [] { pass(.saved(it.control, it.value), at: now) }
        pass(.start, at: now)
        carryOut()
        record.turn(at: now)
    }

    private func wakeUp(for due: Instant) -> Instant {
        guard wakeEvery != .zero, due != .never else { return due }
        let period = wakeEvery.nanoseconds
        let late = due.nanoseconds % period
        return late == 0 ? due : due + TimeSpan(nanoseconds: period - late)
    }

    private func step(at moment: Instant) {
        now = max(now, moment)
        takeAll()
        carryOut()
        if engine.nextDeadline <= now {
            pass(.tick, at: now)
            carryOut()
        }
    }

    /// Edges and outcomes up to now, merged by their stamps; at one moment edges come first.
    private func takeAll() {
        var outcomes: [ActionModel.Outcome] = []
        while let outcome = actions.takeEnded(by: now) { outcomes.append(outcome) }
        var place = 0
        func passOutcomes(before moment: Instant) {
            while place < outcomes.count, outcomes[place].at < moment {
                let it = outcomes[place]
                place += 1
                note(it.control, it.run, .ended(it.outcome), at: it.at, isQuery: it.isQuery)
                if let answer = it.answer {
                    pass(.answered(it.control, it.run, answer), at: it.at)
                } else {
                    pass(.actionFinished(it.control, it.run, it.outcome), at: it.at)
                }
                carryOutReports()
                record.turn(at: it.at)
            }
        }
        while true {
            let count = drain()
            for event in buffer.prefix(count) {
                passOutcomes(before: event.at)
                pass(Event(event), at: event.at)
                carryOutReports()
                record.turn(at: event.at)
            }
            if count < buffer.count { break }
        }
        passOutcomes(before: .never)
    }

    private func note(
        _ control: ControlID, _ run: RunID, _ step: VirtualRecord.Attempt.Step,
        at moment: Instant, isQuery: Bool = false
    ) {
        record.add(
            VirtualRecord.Attempt(
                control: control, run: run, step: step, at: moment, isQuery: isQuery))
    }

    private func drain() -> Int { backend.drain(into: buffer, now: now) }

    private func pass(_ event: Event, at moment: Instant) {
        var found: [(effect: Effect, at: Instant)] = []
        engine.handle(event, at: moment) { found.append(($0, $1)) }
        effects += found
        let changes = watch?.changes(by: event, at: moment) { engine.snapshot(of: $0) }
        for change in changes ?? [] { record.add(change) }
        if watch == nil, notesLines, let change = VirtualChange(event, at: moment) {
            record.add(change)
        }
    }

    /// Puts reports into the record; what has to be done waits until the batch has been handed
    /// over.
    private func carryOutReports() {
        for (effect, due) in effects {
            if case .report = effect { carryOut(effect, due) }
        }
        effects.removeAll { if case .report = $0.effect { true } else { false } }
    }

    /// Does what the engine wants; answers come at once, and may want more.
    private func carryOut() {
        while !effects.isEmpty, !record.isFull {
            let batch = effects
            effects.removeAll(keepingCapacity: true)
            for (effect, due) in batch { carryOut(effect, due) }
        }
    }

    private func carryOut(_ effect: Effect, _ due: Instant) {
        switch effect {
        case .readLevel(let line):
            if let reading = backend.read(line, now: now) {
                pass(.reading(line, reading.level), at: reading.at)
            }
        case .indicate(let line, let level):
            _ = backend.write(line, level, now: now)
            recordWrite(line, level, at: due)
        case .drive(let line, let level):
            recordWrite(line, level, at: due)
            record.turn(at: due)
            if let written = backend.write(line, level, now: now) {
                pass(.outputWritten(line, level), at: written)
            }
        case .start(let action, let run, let control, let value, let previous, let origin):
            record.turn(at: due)
            start(
                ActionAttempt(
                    action: action, run: run, control: control, value: value, previous: previous,
                    origin: origin))
        case .cancel(let action, let run):
            record.turn(at: due)
            if let programs { return programs.cancel(action, run) }
            if let control = actions.cancel(run) { note(control, run, .cancelled, at: now) }
        case .report(let report):
            record.add(VirtualRecord.Entry(report: report, at: due))
            journal?.writeDue(by: due)
            if journal?.note(report, at: due) == true { journal?.writeDue(by: due) }
        }
    }

    private func start(_ it: ActionAttempt) {
        let isQuery = plan.controls[Int(it.control.index)].settings.query == it.action
        note(it.control, it.run, .started, at: now, isQuery: isQuery)
        if let programs {
            if !programs.start(it) {
                pass(.actionFinished(it.control, it.run, .failed(code: -1)), at: now)
            }
            return
        }
        if isQuery {
            actions.ask(it.control, it.run, at: now)
        } else {
            actions.start(it.control, it.run, value: it.value, at: now)
        }
        pass(.actionStarted(it.control, it.run), at: now)
    }

    private func recordWrite(_ line: LineID, _ level: Level, at due: Instant) {
        record.add(VirtualRecord.Write(line: line, level: level, at: due))
        if watch != nil || notesLines {
            record.add(VirtualChange(kind: .line(line, level), at: due))
        }
    }
}
