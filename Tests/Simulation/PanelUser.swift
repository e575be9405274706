import DetentCore
import DetentPanel
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
        let world = World(
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
        switch settings.decoder {
        case .none, .buttonRow:
            break
        case .button:
            try push(control)
        case .lever:
            try backend.apply(.flip(control, to: Int(random.below(2))), at: runner.now)
        case .selector(let selector):
            let position = Int(random.below(UInt64(selector.positions)))
            try backend.apply(.select(control, position), at: runner.now)
        case .encoder:
            if random.chance(percent: 30) { return try push(control) }
            try turn(control)
        }
    }

    private mutating func push(_ control: ControlID) throws {
        let longest = TimeSpan.milliseconds(trouble.holds ? 1_500 : 600)
        switch random.below(5) {
        case 0: try backend.apply(.press(control), at: runner.now)
        case 1: try backend.apply(.release(control), at: runner.now)
        case 2:
            for _ in 0...random.below(4) {
                try backend.apply(.click(control, hold: .milliseconds(30)), at: runner.now)
                wait(random.spread(from: .milliseconds(50), to: .milliseconds(250)))
            }
        default:
            let hold = random.spread(from: .milliseconds(15), to: longest)
            try backend.apply(.click(control, hold: hold), at: runner.now)
        }
        if !trouble.holds {
            wait(longest)
            try backend.apply(.release(control), at: runner.now)
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
        guard plan.settings.kind != .button else {
            return runner.handle(.fire(control, .on, .api, isConfirmed: false))
        }
        let value = Value(Int32(random.below(12)) - 2)
        mustFollow.remove(control)
        model.speak(control, value)
        runner.handle(.intent(control, value, .api))
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
        try letGo()
        if trouble.losesEdges { try showLosses() }
        for control in controls { try moveInPeace(control) }
        beQuiet()
        record()
    }

    private mutating func letGo() throws {
        for control in controls {
            switch plan.controls[Int(control.index)].settings.decoder {
            case .none, .lever, .selector, .buttonRow: break
            case .button, .encoder:
                // Every encoder of these panels can be pushed.
                try backend.apply(.release(control), at: runner.now)
            }
        }
        beQuiet()
    }

    /// A loss that no later edge tells of cannot be seen: a spike on every line tells.
    private mutating func showLosses() throws {
        for line in plan.lines.indices {
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
        mustFollow.insert(control)
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

    private var controls: [ControlID] {
        plan.controls.indices.map { ControlID(UInt16($0)) }
    }

    private mutating func collect() {
        let record = runner.record
        for entry in record.entries[seenEntries...] {
            history.append(.report(entry.report, at: entry.at))
        }
        for attempt in record.attempts[seenAttempts...] { history.append(.attempt(attempt)) }
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
                    dial: trouble.breaksActions ? nil : model.value(control),
                    snapshot: snapshot, mustFollow: mustFollow.contains(control)))
        }
        history.append(.quiet(at: runner.now, states))
    }
}
