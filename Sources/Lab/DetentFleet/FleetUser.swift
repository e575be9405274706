import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld

/// A user who operates one panel, about as often as asked. The seed alone decides what.
struct FleetUser {
    /// What a user does at one moment.
    enum Deed: Equatable {
        case gesture(PartGesture)
        /// A part that has no contacts is operated from outside.
        case tell(Event)
    }

    /// A deed with its moment on the panel's clock.
    struct Step: Equatable {
        var at: Instant
        var deed: Deed
    }

    private let plan: PanelPlan
    private let controls: [ControlID]
    /// The time between two operations is up to half longer or shorter.
    private let period: TimeSpan
    private var random: SplitMix64
    private var next = Instant.never
    /// Where the user left each lever and selector.
    private var positions: [Int]
    /// Deeds of the operation that has begun, last one first.
    private var rest: [Step] = []

    /// Operations so far.
    private(set) var operations = 0

    init(_ plan: PanelPlan, rate: Double, seed: UInt64, number: Int) {
        self.plan = plan
        period = TimeSpan(nanoseconds: UInt64(1_000_000_000 / rate))
        random = SplitMix64(seed: seed, stream: UInt64(number))
        controls = plan.allControls.filter { plan.isOperable($0) }
        positions = Array(repeating: 0, count: plan.controls.count)
    }

    /// The user comes to the panel.
    mutating func begin(at now: Instant) {
        guard !controls.isEmpty else { return }
        next = now + TimeSpan(nanoseconds: random.below(period.nanoseconds + 1))
    }

    /// The user leaves, once the operation that has begun is done.
    mutating func leave() { next = .never }

    /// When the next deed is due.
    var due: Instant { min(next, rest.last?.at ?? .never) }

    /// Takes the next deed; nil if none is due by now.
    mutating func pop(by now: Instant) -> Step? {
        if let step = rest.last, step.at <= min(now, next) { return rest.popLast() }
        guard next <= now, next != .never else { return nil }
        let at = next
        let half = period.nanoseconds / 2
        next = at + TimeSpan(nanoseconds: half + random.below(period.nanoseconds + 1))
        operations += 1
        var steps = operation(at)
        let first = steps.removeFirst()
        rest = (rest + steps).sorted { $0.at > $1.at }
        return first
    }

    /// One operation: a cover is opened before and shut after.
    private mutating func operation(_ at: Instant) -> [Step] {
        let control = controls[Int(random.below(UInt64(controls.count)))]
        let deed = deed(control)
        guard plan[control].settings.hasGuard else { return [Step(at: at, deed: deed)] }
        func cover(_ isOpen: Bool) -> Deed {
            .gesture(PartGesture(.cover(control, isOpen: isOpen), control))
        }
        return [
            Step(at: at, deed: cover(true)),
            Step(at: at + .milliseconds(150), deed: deed),
            Step(at: at + .milliseconds(400), deed: cover(false)),
        ]
    }

    private mutating func deed(_ control: ControlID) -> Deed {
        let place = Int(control.index)
        let settings = plan[control].settings
        func gesture(_ gesture: Gesture) -> Deed { .gesture(PartGesture(gesture, control)) }
        switch settings.decoder {
        case .none:
            let value = Value(Int32(random.below(2)))
            return .tell(.intent(control, value, .api))
        case .button, .buttonRow:
            let buttons = Int(settings.partContacts)
            let button = Int(random.below(UInt64(max(1, buttons))))
            return gesture(.click(control, button: button, hold: .milliseconds(60)))
        case .lever:
            positions[place] = 1 - min(1, positions[place])
            return gesture(.flip(control, to: positions[place]))
        case .selector(let selector):
            // Any position but the present one.
            let count = max(2, Int(selector.positions))
            let further = 1 + Int(random.below(UInt64(count - 1)))
            positions[place] = (positions[place] + further) % count
            return gesture(.select(control, positions[place]))
        case .analog(let analog):
            let position = UInt32(random.below(UInt64(analog.positions)))
            return gesture(.select(control, Int(analog.value(at: position).raw)))
        case .encoder:
            let detents = 1 + Int(random.below(3))
            let sign = random.below(2) == 0 ? 1 : -1
            return gesture(.turn(control, detents: sign * detents, perSecond: 20))
        }
    }
}

extension PanelPlan {
    /// Whether a hand or a caller can change something there.
    fileprivate func isOperable(_ control: ControlID) -> Bool {
        let settings = self[control].settings
        if settings.decoder != .none { return true }
        return settings.nature.domain == .onOff && settings.nature.role == .device
    }
}
