import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld

/// Somebody who does anything at all to a whole panel, and writes down what comes of it.
///
/// The seed decides everything. What a dial must show is kept here, by a model of its own.
struct PanelUser {
    /// What may go wrong in a run.
    struct Trouble {
        /// Edges vanish, and the process sleeps while its short queue overflows.
        var losesEdges = false
        var restarts = false
        /// Actions are slow, fail, hang and get lost.
        var breaksActions = false
        /// Contacts stick, wires break and chips go away.
        var breaksWires = false
        /// The process wakes only at multiples of this.
        var wakeEvery = TimeSpan.zero
        /// Buttons are pressed long enough for a hold.
        var holds = true
    }

    let plan: PanelPlan
    let trouble: Trouble
    let runner: VirtualRunner
    private(set) var history: [HistoryStep] = []
    private let backend: SimulatedBackend
    private var random: SplitMix64
    private var model: DialModel
    private var seenEntries = 0
    private var seenAttempts = 0
    private var seenWrites = 0
    private var seenAnswers = 0
    private var lastRequest = RequestID.none
    /// Controls somebody outside has spoken to since their part was last moved in peace.
    private var mustFollow: Set<ControlID> = []

    init(seed: UInt64, plan: PanelPlan, trouble: Trouble = Trouble()) throws {
        self.plan = plan
        self.trouble = trouble
        random = SplitMix64(seed: seed, stream: 2_000)
        let bounce = BounceProfile(
            closes: random.spread(from: .microseconds(100), to: .milliseconds(3)), tail: 20,
            cleanCloses: 10)
        // Between two quarters of a turn the contacts of an encoder come to rest.
        let sliding = BounceProfile(closes: .microseconds(400), longest: .microseconds(2_500))
        let world = PhysicalModel(
            plan, seed: seed,
            bounce: .perPart(button: bounce, lever: bounce, selector: bounce, encoder: sliding))
        backend = SimulatedBackend(world, queue: trouble.losesEdges ? 12 : 10_000)
        runner = try VirtualRunner(plan, backend: backend, wakeEvery: trouble.wakeEvery)
        model = DialModel(plan)
        collect()
    }

    /// Anything at all for a while, then quiet, then what must hold.
    mutating func round(_ gestures: Int) throws {
        for _ in 0..<gestures {
            try doAnything()
            wait(random.spread(from: .microseconds(100), to: .milliseconds(900)))
        }
        try comeToRest()
    }

    // MARK: What is done

    private mutating func doAnything() throws {
        let control = ControlID(UInt16(random.below(UInt64(plan.controls.count))))
        switch random.below(100) {
        case 0..<12:
            speak(to: control)
        case 12..<22 where trouble.breaksActions:
            runner.actions.follow(script(), for: control)
        case 22..<30 where trouble.losesEdges:
            lose(control)
        case 30..<32 where trouble.restarts:
            try restart()
        case 34..<40 where trouble.breaksWires:
            try breakWire(of: control)
        case 40..<43:
            hear(from: control)
        case 32..<34:
            runner.handle(.resync)
            mustFollow = []
        default:
            try touch(control)
        }
        collect()
    }

    private mutating func touch(_ control: ControlID) throws {
        let settings = plan.controls[Int(control.index)].settings
        if settings.hasGuard, random.chance(percent: 30) {
            let isOpen = random.chance(percent: 50)
            return try backend.apply(.cover(control, isOpen: isOpen), at: runner.now)
        }
        switch settings.decoder {
        case .none:
            speak(to: control)
        case .button, .buttonRow:
            try push(control)
        case .lever:
            try backend.apply(.flip(control, to: Int(random.below(2))), at: runner.now)
        case .selector(let selector):
            let position = Int(random.below(UInt64(selector.positions)))
            try backend.apply(.select(control, position), at: runner.now)
        case .encoder:
            if buttons(of: control) > 0, random.chance(percent: 40) { return try push(control) }
            try turn(control)
        }
    }

    /// How many buttons a finger finds at a control's part.
    private func buttons(of control: ControlID) -> Int {
        let settings = plan.controls[Int(control.index)].settings
        let contacts = Int(settings.contacts.count) - (settings.hasGuard ? 1 : 0)
        switch settings.decoder {
        case .none, .lever, .selector: return 0
        case .button: return 1
        case .encoder: return max(0, contacts - 2)
        case .buttonRow: return contacts
        }
    }

    private mutating func push(_ control: ControlID) throws {
        let longest = TimeSpan.milliseconds(trouble.holds ? 1_500 : 600)
        let button = Int(random.below(UInt64(buttons(of: control))))
        switch random.below(5) {
        case 0: try backend.apply(.press(control, button: button), at: runner.now)
        case 1: try backend.apply(.release(control, button: button), at: runner.now)
        case 2:
            for _ in 0...random.below(4) {
                try backend.apply(
                    .click(control, button: button, hold: .milliseconds(30)), at: runner.now)
                wait(random.spread(from: .milliseconds(50), to: .milliseconds(250)))
            }
        default:
            let hold = random.spread(from: .milliseconds(15), to: longest)
            try backend.apply(.click(control, button: button, hold: hold), at: runner.now)
        }
        if !trouble.holds {
            wait(longest)
            try backend.apply(.release(control, button: button), at: runner.now)
        }
    }

    /// A whole turn, slow enough for sliding contacts, and the hand rests after it.
    private mutating func turn(_ control: ControlID) throws {
        let detents = Int(random.below(13)) - 6
        try backend.apply(.turn(control, detents: detents, perSecond: 12), at: runner.now)
        model.turn(control, detents)
        wait(.milliseconds(600))
    }

    private mutating func speak(to control: ControlID) {
        let plan = plan.controls[Int(control.index)]
        switch plan.settings.kind {
        case .button, .commands:
            let event = Value(Int32(random.below(5)))
            let isConfirmed = random.chance(percent: 50)
            runner.handle(
                .fire(control, event, .api, isConfirmed: isConfirmed, request: nextRequest()))
        case .switch, .toggleButton, .radioGroup, .threeWay, .dial, .selection, .group, .form,
            .mirror:
            let value = Value(Int32(random.below(12)) - 2)
            mustFollow.remove(control)
            model.speak(control, value)
            runner.handle(.intent(control, value, .api, request: nextRequest()))
        }
    }

    private mutating func nextRequest() -> RequestID {
        lastRequest.number += 1
        history.append(.asked(lastRequest))
        return lastRequest
    }

    /// A device tells its value; dials are left out, for their model knows only hands.
    private mutating func hear(from control: ControlID) {
        if case .dial = plan.controls[Int(control.index)].settings.kind { return }
        mustFollow.remove(control)
        runner.handle(.feedback(control, Value(Int32(random.below(4)))))
    }

    private mutating func breakWire(of control: ControlID) throws {
        let contacts = plan.controls[Int(control.index)].settings.contacts
        guard contacts.count > 0 else { return }
        let line = LineID(contacts.first + UInt16(random.below(UInt64(contacts.count))))
        model.forget(control)
        switch random.below(6) {
        case 0, 1: try backend.apply(.stick(line, .active), at: runner.now)
        case 2: try backend.apply(.cut(line), at: runner.now)
        case 3: try backend.apply(.restore(line), at: runner.now)
        case 4: backend.unplug(line, at: runner.now)
        default: backend.replug(line, at: runner.now)
        }
    }

    private mutating func mendWires() throws {
        for (place, line) in plan.lines.enumerated() {
            guard case .contact = line.use else { continue }
            backend.replug(LineID(UInt16(place)), at: runner.now)
            try backend.apply(.restore(LineID(UInt16(place))), at: runner.now)
        }
    }

    private mutating func script() -> ActionScript {
        let takes = random.spread(from: .microseconds(10), to: .milliseconds(1_500))
        switch random.below(6) {
        case 0: return ActionScript(takes: takes, then: .fail(code: 3))
        case 1: return ActionScript(takes: takes, then: .hang)
        case 2: return ActionScript(takes: takes, then: .lose)
        default: return ActionScript(takes: takes)
        }
    }

    private mutating func lose(_ control: ControlID) {
        let contacts = plan.controls[Int(control.index)].settings.contacts
        for line in contacts.first..<(contacts.first + contacts.count) {
            backend.loseEdges(of: LineID(line), count: Int(random.below(5)))
        }
        model.forget(control)
        if random.chance(percent: 50) {
            // The process sleeps over whatever is under way, and the queue is short.
            let pause = random.spread(from: .milliseconds(1), to: .milliseconds(200))
            backend.advance(to: runner.now + pause)
            model.forgetAll()
        }
    }

    private mutating func restart() throws {
        collect()
        let isOrderly = random.chance(percent: 50)
        if !isOrderly { backend.cutPower(at: runner.now) }
        try runner.restart(after: random.spread(from: .milliseconds(1), to: .seconds(2)))
        history.append(.restart)
        model.restart()
        mustFollow = []
    }

    // MARK: Quiet

    /// Hands off, devices that obey, every loss shown by a later edge, and time for all of it.
    private mutating func comeToRest() throws {
        for control in controls {
            runner.actions.follow(ActionScript(takes: .milliseconds(20)), for: control)
        }
        if trouble.breaksWires { try mendWires() }
        try letGo()
        if trouble.losesEdges { try showLosses() }
        for control in controls { try moveInPeace(control) }
        beQuiet()
        record()
    }

    private mutating func letGo() throws {
        for control in controls {
            for button in 0..<buttons(of: control) {
                try backend.apply(.release(control, button: button), at: runner.now)
            }
        }
        beQuiet()
    }

    /// A loss that no later edge tells of cannot be seen: a spike on every line tells.
    private mutating func showLosses() throws {
        for (line, it) in plan.lines.enumerated() {
            guard case .contact = it.use else { continue }
            backend.loseEdges(of: LineID(UInt16(line)), count: 0)
            try backend.apply(
                .glitch(LineID(UInt16(line)), width: .microseconds(20)), at: runner.now)
            wait(.milliseconds(10))
        }
        model.forgetAll()
        beQuiet()
    }

    /// Moves a part that holds a position to another one, after which the value must follow.
    private mutating func moveInPeace(_ control: ControlID) throws {
        guard let position = backend.position(of: control) else { return }
        let target = position == 0 ? 1 : 0
        try backend.apply(.select(control, target), at: runner.now)
        if rules(of: control)?.condition.count ?? 0 == 0 { mustFollow.insert(control) }
        wait(.milliseconds(400))
    }

    /// Longer than any bounce, settling, timeout and failure, to a moment at which all processes
    /// are awake.
    private mutating func beQuiet() {
        let second = TimeSpan.seconds(1).nanoseconds
        let end = (runner.now.nanoseconds / second + 12) * second
        runner.run(until: Instant(nanoseconds: end))
        collect()
    }

    private mutating func wait(_ span: TimeSpan) {
        runner.run(until: runner.now + span)
        collect()
    }

    // MARK: What came of it

    private func rules(of control: ControlID) -> RelationSettings? {
        let place = Int(plan.controls[Int(control.index)].settings.relation.index)
        return plan.relations.rules.indices.contains(place) ? plan.relations.rules[place] : nil
    }

    /// Nothing but hands and words from outside moves its value.
    private func isPlainDial(_ control: ControlID) -> Bool {
        let role = rules(of: control)?.form ?? RelationSettings.FormRole.none
        return !trouble.breaksActions && role == RelationSettings.FormRole.none
    }

    private var controls: [ControlID] {
        plan.controls.indices.map { ControlID(UInt16($0)) }
    }

    private mutating func collect() {
        let record = runner.record
        for entry in record.entries[seenEntries...] {
            history.append(.report(entry.report, at: entry.at))
        }
        for it in record.answers[seenAnswers...] { history.append(.answered(it.request)) }
        for attempt in record.attempts[seenAttempts...] { history.append(.attempt(attempt)) }
        for write in record.writes[seenWrites...] {
            let owner = plan.lines[Int(write.line.index)].control
            let settings = plan.controls[Int(owner.index)].settings
            guard case .breakBeforeMake = settings.transition else { continue }
            let outputs = settings.outputs
            guard write.line.index >= outputs.first,
                write.line.index < outputs.first + outputs.count
            else { continue }
            history.append(.output(owner, write.line, write.level, at: write.at))
        }
        seenWrites = record.writes.count
        seenAnswers = record.answers.count
        seenEntries = record.entries.count
        seenAttempts = record.attempts.count
    }

    private mutating func record() {
        var states: [ControlState] = []
        for control in controls {
            guard let snapshot = runner.snapshot(of: control) else { continue }
            let lines = plan.controls[Int(control.index)].settings.contacts
            let contacts = (lines.first..<(lines.first + lines.count)).map { place in
                ControlState.Contact(
                    line: LineID(place), world: backend.level(of: LineID(place)),
                    engine: runner.contactLevel(of: LineID(place)))
            }
            states.append(
                ControlState(
                    control: control, contacts: contacts,
                    position: backend.position(of: control),
                    dial: isPlainDial(control) ? model.value(control) : nil,
                    snapshot: snapshot, mustFollow: mustFollow.contains(control)))
        }
        history.append(.quiet(at: runner.now, states))
    }
}
