public import DetentCore
public import DetentPanel
public import DetentScenario
import DetentTypes
import DetentWorld

/// Performs the steps of a soak run on a panel in virtual time, and writes down what comes of it.
///
/// Equal plans, seeds and steps give equal histories. What a dial must show is kept here, by a
/// model that does not know the engine.
///
/// Synchronization: none; one thread at a time.
public struct SoakRun {
    /// The panel.
    public let plan: PanelPlan
    /// What happened since the last call of `forget`.
    public private(set) var history: [HistoryStep] = []
    /// The panel in virtual time.
    public let runner: VirtualRunner
    /// What a scenario repeats, since the start; empty unless requested.
    private(set) var log: [SoakEntry] = []
    private let trouble: SoakTrouble
    private let facts: SoakFacts
    private let keepsLog: Bool
    private let backend: SimulatedBackend
    private let seed: UInt64
    private let bounce: BounceChoice
    private var model: DialModel
    private var seen = (entries: 0, attempts: 0, writes: 0, answers: 0)
    private var lastRequest = RequestID.none
    /// Controls whose value must be their position.
    private var mustFollow: Set<ControlID> = []
    /// What the last presses in peace asked for.
    private var pressed: [ControlID: Value] = [:]
    private var touched = SoakTouched()
    /// Lines whose chip is away.
    private var away: Set<LineID> = []
    /// The edges that had been dropped when all losses were shown last.
    private var dropped = 0

    /// Starts a panel whose contacts bounce as the seed says.
    ///
    /// - Throws: `EngineError` if the plan exceeds a limit of the engine.
    public init(
        seed: UInt64, plan: PanelPlan, trouble: SoakTrouble
    ) throws(EngineError) {
        try self.init(seed: seed, plan: plan, trouble: trouble, disguise: nil)
    }

    init(
        seed: UInt64, plan: PanelPlan, trouble: SoakTrouble, disguise: Soak.Disguise?,
        keepsLog: Bool = false
    ) throws(EngineError) {
        self.plan = plan
        self.trouble = trouble
        self.keepsLog = keepsLog
        facts = SoakFacts(plan)
        self.seed = seed
        bounce = .all(SoakUser.bounce(seed: seed, trouble))
        backend = SimulatedBackend(
            PhysicalModel(plan, seed: seed, bounce: bounce),
            queue: trouble.losesEdges ? 12 : 10_000)
        for (control, bounce) in SoakUser.encoderBounce(plan, trouble) {
            backend.setBounce(of: control, bounce.choice)
        }
        runner = try VirtualRunner(
            plan, backend: disguise?(backend) ?? backend, wakeEvery: trouble.wakeEvery,
            keepsState: true)
        model = DialModel(plan)
        collect()
    }

    /// Edges that the contacts made since the start.
    public var edgeCount: Int { backend.edgeCount }

    /// Drops the history and the record so far, so that a long run needs no more memory.
    public mutating func forget() {
        history.removeAll(keepingCapacity: true)
        runner.takeRecord { _ in }
        seen = (0, 0, 0, 0)
    }

    /// Performs a step.
    public mutating func play(_ step: SoakStep) throws(EngineError) {
        wait(step.after)
        switch step.work {
        case .apply(let stimulus): apply(stimulus)
        case .lose(let line, let count): lose(line, count)
        case .sleep(let span):
            note("the process sleeps for \(span)")
            backend.advance(to: runner.now + span)
            model.forgetAll()
            touched.hasLosses = true
        case .unplug(let line):
            note("the chip of \(plan[line].name) goes away")
            model.forget(plan[line].control)
            touched.wires.insert(line)
            backend.unplug(line, at: runner.now)
            let isFirst = away.insert(line).inserted
            if isFirst, plan[line].hasLevels { seeFault(of: line) }
        case .replug(let line):
            note("the chip of \(plan[line].name) comes back")
            backend.replug(line, at: runner.now)
            away.remove(line)
        case .restart(let pause): try restart(pause, isOrderly: true)
        case .powerCut(let pause): try restart(pause, isOrderly: false)
        case .reload(let controls): try reload(controls)
        case .rest: comeToRest()
        }
        collect()
    }

    private mutating func note(_ text: String) { add(.note(text)) }

    private mutating func add(_ work: SoakEntry.Work) {
        if keepsLog { log.append(SoakEntry(at: runner.now, work: work)) }
    }

    // MARK: Steps

    private mutating func apply(_ stimulus: Stimulus) {
        add(.stimulus(stimulus))
        touched.add(stimulus)
        switch stimulus {
        case .gestures(let gestures):
            for gesture in gestures { make(gesture) }
        case .tell(let event): send(event)
        case .bounce(let control, let word): backend.setBounce(of: control, word.choice)
        default:
            if let control = stimulus.reporting {
                mustFollow.remove(control)
                model.forget(control)
            }
            runner.change(stimulus)
        }
        runner.run(until: runner.now)
    }

    /// A gesture that the part has no room for has no effect; the panel then sees nothing of it.
    private mutating func make(_ it: PartGesture) {
        do throws(GestureError) {
            try backend.apply(it.gesture, at: runner.now)
        } catch {
            return
        }
        switch it.gesture {
        case .turn(let control, let detents, _):
            model.turn(control, detents)
            // Nothing meets a turn that is under way: what it counts would be unknown.
            wait(.milliseconds(600))
        case .stick, .cut, .glitch, .miss: model.forget(it.control)
        case .press, .release, .click, .cover, .flip, .select, .restore: break
        }
    }

    private mutating func send(_ event: Event) {
        switch event {
        case .intent(let control, let value, let origin, _):
            mustFollow.remove(control)
            model.speak(control, value)
            runner.handle(.intent(control, value, origin, request: nextRequest()))
        case .change(let control, let distance, let origin, _):
            mustFollow.remove(control)
            model.forget(control)
            runner.handle(.change(control, by: distance, origin, request: nextRequest()))
        case .fire(let control, let value, let origin, let isConfirmed, _):
            let request = nextRequest()
            runner.handle(
                .fire(control, value, origin, isConfirmed: isConfirmed, request: request))
        case .resync:
            mustFollow = []
            runner.handle(event)
        case .tick, .start, .edge, .reading, .sample, .overflow, .lineFault, .lineRestored,
            .actionStarted,
            .actionFinished, .outputWritten, .saved, .answered, .feedback, .feedbackLost,
            .lampTest, .reload, .close, .broker:
            runner.handle(event)
        }
    }

    private mutating func nextRequest() -> RequestID {
        lastRequest.number += 1
        history.append(.asked(lastRequest))
        return lastRequest
    }

    private mutating func lose(_ line: LineID, _ count: Int) {
        if count > 0 { note("\(count) edges of \(plan[line].name) are lost") }
        backend.loseEdges(of: line, count: count)
        model.forget(plan[line].control)
        touched.hasLosses = true
    }

    /// An output that is away is a fault, as soon as the process has been awake.
    private mutating func seeFault(of line: LineID) {
        wait(.milliseconds(20))
        let control = plan[line].control
        let isTold = runner.snapshot(of: control)?.flags.contains(.fault) ?? false
        history.append(.refused(control, line, isTold: isTold, at: runner.now))
    }

    private mutating func restart(
        _ pause: TimeSpan, isOrderly: Bool
    ) throws(EngineError) {
        add(isOrderly ? .restart(pause) : .powerCut(pause))
        collect()
        if !isOrderly { backend.cutPower(at: runner.now) }
        try runner.restart(after: pause, isOrderly: isOrderly)
        history.append(.restart)
        model.restart()
        mustFollow = []
    }

    /// Lines that are away refuse a reload; the panel then goes on as it was.
    private mutating func reload(_ controls: [ControlID]) throws(EngineError) {
        // What is due at this moment comes first.
        runner.wake()
        collect()
        add(.reload(controls))
        let errors = try runner.reload(
            backend, seed: seed, bounce: bounce, touching: controls)
        let record = runner.record
        // What devices report anew comes from outside.
        let told =
            facts.hasReports
            ? 0
            : record.entries.count - seen.entries + record.attempts.count - seen.attempts
                + record.writes.count - seen.writes
        history.append(.reload(errors.isEmpty ? controls : [], told: told))
        guard errors.isEmpty else { return }
        mustFollow.subtract(controls)
        touched.parts.formUnion(controls)
    }

    // MARK: Rest

    /// Hands off, devices that obey, every loss shown by a later edge, and time for all of it.
    ///
    /// Only what was touched since the last rest is put in order, so that a short run has a short
    /// end.
    private mutating func comeToRest() {
        for control in touched.scripts.sorted() {
            apply(.actions(control, ActionScript(takes: .milliseconds(20))))
        }
        for line in touched.wires.sorted() {
            if trouble.breaksWires {
                backend.replug(line, at: runner.now)
                away.remove(line)
            }
            apply(.gestures([PartGesture(.restore(line), plan[line].control)]))
        }
        if touched.isBrokerAway { apply(.broker(isThere: true)) }
        for button in touched.buttons.sorted() {
            guard case .button(let control, let place) = button else { continue }
            apply(.gestures([PartGesture(.release(control, button: place), control)]))
        }
        beQuiet()
        if hasLosses { showLosses() }
        // A value that follows its part does so from the next move on.
        mustFollow = []
        pressed = [:]
        settle()
        record()
        for control in touched.parts.sorted() { moveInPeace(control) }
        for button in touched.buttons.sorted() { pressInPeace(button) }
        settle()
        if hasLosses {
            // The press may be among them.
            pressed = [:]
            showLosses()
            settle()
        }
        record()
        touched = SoakTouched()
    }

    /// Lets time pass until no control waits for anything. A timer such as `auto-off` can start an
    /// action while all are at rest, so it may take more than once.
    private mutating func settle() {
        for _ in 0..<3 {
            beQuiet()
            if isIdle { return }
        }
    }

    /// A loss that no later edge tells of cannot be seen: a spike on every line tells.
    private mutating func showLosses() {
        for (place, it) in plan.lines.enumerated() {
            guard case .contact = it.use else { continue }
            let line = LineID(UInt16(place))
            backend.loseEdges(of: line, count: 0)
            apply(.gestures([PartGesture(.glitch(line, width: .microseconds(20)), it.control)]))
            wait(.milliseconds(10))
        }
        model.forgetAll()
        beQuiet()
        touched.hasLosses = false
        dropped = backend.droppedEdges
    }

    /// A process that wakes late also loses edges when many contacts bounce at once.
    private var hasLosses: Bool { touched.hasLosses || backend.droppedEdges != dropped }

    /// Moves a part that holds a position to another one, after which the value must follow.
    private mutating func moveInPeace(_ control: ControlID) {
        guard let position = backend.position(of: control) else { return }
        var other = position == 0 ? 1 : 0
        if case .analog(let analog) = plan[control].settings.decoder {
            let first = Int(analog.value(at: 0).raw)
            other = position == first ? Int(analog.value(at: 1).raw) : first
        }
        apply(.gestures([PartGesture(.select(control, other), control)]))
        if facts.following.contains(control), !trouble.failsOnce { mustFollow.insert(control) }
        wait(.milliseconds(400))
    }

    /// Presses a button whose control then must have the value that the press asks for.
    private mutating func pressInPeace(_ contact: Gesture.Contact) {
        guard case .button(let control, let button) = contact, !trouble.isHostile,
            !trouble.failsOnce,
            let value = pressed[control] ?? runner.snapshot(of: control)?.desired,
            let next = facts.value(afterPressing: button, of: control, at: value, plan)
        else { return }
        let hold = TimeSpan.milliseconds(400)
        apply(.gestures([PartGesture(.click(control, button: button, hold: hold), control)]))
        pressed[control] = next
        wait(.seconds(1))
    }

    /// To a moment at which a process that wakes late is awake.
    private mutating func beQuiet() {
        let second = TimeSpan.seconds(1).nanoseconds
        let end = (runner.now + facts.restTime).nanoseconds / second * second
        runner.run(until: Instant(nanoseconds: end))
        collect()
    }

    private mutating func wait(_ span: TimeSpan) {
        guard span != .zero else { return }
        runner.run(until: runner.now + span)
        collect()
    }

    private var isIdle: Bool {
        controls.allSatisfy { runner.snapshot(of: $0)?.phase ?? .idle == .idle }
    }

    // MARK: What came of it

    private var controls: [ControlID] {
        plan.controls.indices.map { ControlID(UInt16($0)) }
    }

    private func hasPlainDial(_ control: ControlID) -> Bool {
        facts.plainDials.contains(control) && !trouble.isHostile
            && (!trouble.breaksActions || plan[control].settings.actions == .none)
    }

    private mutating func collect() {
        let record = runner.record
        for entry in record.entries[seen.entries...] {
            history.append(.report(entry.report, at: entry.at))
        }
        for answered in record.answers[seen.answers...] {
            history.append(.answered(answered.request))
        }
        for attempt in record.attempts[seen.attempts...] { history.append(.attempt(attempt)) }
        for write in record.writes[seen.writes...] {
            let owner = plan.lines[Int(write.line.index)].control
            let settings = plan[owner].settings
            guard case .breakBeforeMake = settings.transition,
                settings.outputs.places.contains(Int(write.line.index))
            else { continue }
            history.append(.output(owner, write.line, write.level, at: write.at))
        }
        seen = (
            record.entries.count, record.attempts.count, record.writes.count, record.answers.count
        )
    }

    private mutating func record() {
        var states: [ControlState] = []
        for control in controls {
            guard let snapshot = runner.snapshot(of: control) else { continue }
            let contacts = plan[control].settings.contacts.places.map { place in
                let line = LineID(UInt16(place))
                return ControlState.Contact(
                    line: line, world: backend.level(of: line),
                    engine: runner.contactLevel(of: line))
            }
            let outputs = LevelModel.lines(of: control, plan).map { line in
                ControlState.Output(line: line, told: backend.strength(of: line))
            }
            states.append(
                ControlState(
                    control: control, contacts: contacts, outputs: outputs,
                    position: backend.position(of: control),
                    dial: hasPlainDial(control) ? model.value(control) : nil,
                    snapshot: snapshot, mustFollow: mustFollow.contains(control),
                    pressed: pressed[control]))
        }
        history.append(.quiet(at: runner.now, states))
    }
}

extension Stimulus {
    /// The control whose device says something by it.
    fileprivate var reporting: ControlID? {
        switch self {
        case .report(let control, _), .feedback(let control, _): control
        default: nil
        }
    }
}
