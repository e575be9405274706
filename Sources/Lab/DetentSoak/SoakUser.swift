import DetentCore
public import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld

/// A user who does anything at all to a panel. The seed alone decides what.
///
/// It never looks at the panel, so any part of its steps is a run of its own.
public struct SoakUser: Sendable {
    private let plan: PanelPlan
    private let trouble: SoakTrouble
    private var random: SplitMix64
    private var steps: [SoakStep] = []
    /// The pause before the next step.
    private var pause = TimeSpan.zero

    /// Makes the user of a seed.
    public init(seed: UInt64, plan: PanelPlan, trouble: SoakTrouble) {
        self.plan = plan
        self.trouble = trouble
        random = SplitMix64(seed: seed, stream: 2_000)
    }

    /// How the contacts of a seed bounce.
    public static func bounce(seed: UInt64, _ trouble: SoakTrouble) -> BounceProfile {
        var random = SplitMix64(seed: seed, stream: 2_500)
        if trouble.isHostile {
            let closes = random.spread(from: .milliseconds(1), to: .milliseconds(40))
            return BounceProfile(
                closes: closes, longest: closes * 4, tail: 30, cleanCloses: 5)
        }
        return BounceProfile(
            closes: random.spread(from: .microseconds(100), to: .milliseconds(2)),
            longest: .milliseconds(6), tail: 20, cleanCloses: 10)
    }

    /// How encoders bounce instead: between two quarters of a turn their contacts come to rest.
    static func encoderBounce(
        _ plan: PanelPlan, _ trouble: SoakTrouble
    ) -> [(ControlID, BounceSelection)] {
        if trouble.isHostile { return [] }
        let sliding = BounceProfile(closes: .microseconds(400), longest: .microseconds(2_500))
        return plan.controls.indices.compactMap { place in
            guard case .encoder = plan.controls[place].settings.decoder else { return nil }
            return (ControlID(UInt16(place)), .profile(sliding))
        }
    }

    /// The next steps: anything at all for a while, then rest.
    public mutating func round(_ gestures: Int) -> [SoakStep] {
        steps = []
        for _ in 0..<gestures {
            doAnything()
            wait(random.spread(from: .microseconds(100), to: .milliseconds(900)))
        }
        add(.rest)
        return steps
    }

    private mutating func add(_ work: SoakStep.Work) {
        steps.append(SoakStep(after: pause, work: work))
        pause = .zero
    }

    private mutating func wait(_ span: TimeSpan) { pause = pause + span }

    private mutating func make(_ gesture: Gesture, _ control: ControlID) {
        add(.apply(.gestures([PartGesture(gesture, control)])))
    }

    // MARK: What is done

    private mutating func doAnything() {
        guard !plan.controls.isEmpty else { return }
        let control = ControlID(UInt16(random.below(UInt64(plan.controls.count))))
        switch random.below(100) {
        case 0..<12: speak(to: control)
        case 12..<22 where trouble.breaksActions: breakAction(of: control)
        case 22..<30 where trouble.losesEdges: lose(control)
        case 30..<32 where trouble.restarts: restart()
        case 34..<40 where trouble.breaksWires: breakWire(of: control)
        case 40..<43: hear(from: control)
        case 32..<34: add(.apply(.tell(.resync())))
        case 43..<48 where trouble.races: race(for: control)
        case 48..<51 where trouble.reloads: reload(control)
        case 51..<53 where trouble.breaksActions && plan.broker != nil:
            add(.apply(.broker(isThere: random.chance(percent: 50))))
        default: touch(control)
        }
    }

    private mutating func touch(_ control: ControlID) {
        let settings = plan[control].settings
        if settings.hasGuard, random.chance(percent: 30) {
            return make(.cover(control, isOpen: random.chance(percent: 50)), control)
        }
        switch settings.decoder {
        case .none: speak(to: control)
        case .button, .buttonRow: push(control)
        case .lever: make(.flip(control, to: Int(random.below(2))), control)
        case .selector(let selector):
            make(.select(control, Int(random.below(UInt64(selector.positions)))), control)
        case .analog(let analog):
            let position = UInt32(random.below(UInt64(analog.positions)))
            make(.select(control, Int(analog.value(at: position).raw)), control)
        case .encoder:
            if plan.buttons(of: control) > 0, random.chance(percent: 40) { return push(control) }
            turn(control)
        }
    }

    private mutating func push(_ control: ControlID) {
        let longest = TimeSpan.milliseconds(trouble.holds ? 1_500 : 600)
        let button = Int(random.below(UInt64(plan.buttons(of: control))))
        switch random.below(5) {
        case 0: make(.press(control, button: button), control)
        case 1: make(.release(control, button: button), control)
        case 2:
            for _ in 0...random.below(4) {
                make(.click(control, button: button, hold: .milliseconds(30)), control)
                wait(random.spread(from: .milliseconds(50), to: .milliseconds(250)))
            }
        default:
            let hold = random.spread(from: .milliseconds(15), to: longest)
            make(.click(control, button: button, hold: hold), control)
        }
        if !trouble.holds {
            wait(longest)
            make(.release(control, button: button), control)
        }
    }

    /// A whole turn, slow enough for sliding contacts; `SoakRun` lets the hand rest after it.
    private mutating func turn(_ control: ControlID) {
        let detents = Int(random.below(13)) - 6
        make(.turn(control, detents: detents, perSecond: 12), control)
    }

    private mutating func speak(to control: ControlID) {
        switch plan[control].settings.nature.role {
        case .events:
            let event = Value(Int32(random.below(5)))
            let isConfirmed = random.chance(percent: 50)
            add(.apply(.tell(.fire(control, event, .api, isConfirmed: isConfirmed))))
        case .device, .group, .form, .mirror:
            if random.chance(percent: 20) {
                let distance = Int32(random.below(9)) - 4
                return add(.apply(.tell(.change(control, by: distance, .api))))
            }
            let value = Value(Int32(random.below(12)) - 2)
            add(.apply(.tell(.intent(control, value, .api))))
        }
    }

    /// A device tells its value; dials are left out, because their model knows only hands.
    private mutating func hear(from control: ControlID) {
        if plan[control].settings.nature.range != nil { return }
        add(.apply(.feedback(control, Value(Int32(random.below(4))))))
    }

    /// Several callers, the device and a hand at one instant.
    private mutating func race(for control: ControlID) {
        for _ in 0...random.below(4) {
            switch random.below(3) {
            case 0: hear(from: control)
            case 1: speak(to: control)
            default: touch(control)
            }
        }
    }

    // MARK: What goes wrong

    private mutating func breakAction(of control: ControlID) {
        let takes = random.spread(from: .microseconds(10), to: .milliseconds(1_500))
        switch random.below(8) {
        case 0: setScript(ActionScript(takes: takes, then: .fail(code: 3)), control)
        case 1: setScript(ActionScript(takes: takes, then: .hang), control)
        case 2: setScript(ActionScript(takes: takes, then: .lose), control)
        case 3 where trouble.failsOnce: add(.apply(.failAction(control, code: 1)))
        case 4 where trouble.failsOnce: add(.apply(.failNext))
        default: setScript(ActionScript(takes: takes), control)
        }
    }

    private mutating func setScript(_ script: ActionScript, _ control: ControlID) {
        add(.apply(.actions(control, script)))
    }

    private mutating func breakWire(of control: ControlID) {
        let contacts = plan[control].settings.contacts
        let lines =
            contacts.places.map { LineID(UInt16($0)) } + LevelModel.lines(of: control, plan)
        guard !lines.isEmpty else { return }
        let place = Int(random.below(UInt64(lines.count)))
        let line = lines[place]
        let choice = random.below(6)
        // Nothing but its going away can happen to an output.
        guard place < Int(contacts.count) else {
            return add(choice < 3 ? .unplug(line) : .replug(line))
        }
        switch choice {
        case 0, 1: make(.stick(line, .active), control)
        case 2: make(.cut(line), control)
        case 3: make(.restore(line), control)
        case 4: add(.unplug(line))
        default: add(.replug(line))
        }
    }

    private mutating func lose(_ control: ControlID) {
        let contacts = plan[control].settings.contacts
        for line in contacts.first..<(contacts.first + contacts.count) {
            add(.lose(LineID(line), count: Int(random.below(5))))
        }
        if random.chance(percent: 50) {
            add(.sleep(random.spread(from: .milliseconds(1), to: .milliseconds(200))))
        }
    }

    private mutating func restart() {
        let pause = random.spread(from: .milliseconds(1), to: .seconds(2))
        add(random.chance(percent: 50) ? .restart(pause) : .powerCut(pause))
    }

    /// A third of all files did not change; in the others the control did, or it and another one.
    private mutating func reload(_ control: ControlID) {
        let other = ControlID(UInt16(random.below(UInt64(plan.controls.count))))
        switch random.below(3) {
        case 0: add(.reload([]))
        case 1: add(.reload([control]))
        default: add(.reload(other == control ? [control] : [control, other]))
        }
    }
}

extension PanelPlan {
    /// How many buttons a finger finds at a control's part.
    func buttons(of control: ControlID) -> Int {
        let settings = self[control].settings
        return settings.decoder.buttons(contacts: Int(settings.partContacts))
    }
}
