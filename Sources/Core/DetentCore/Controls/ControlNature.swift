public import DetentTypes

/// What a control is: the values it can have, who decides them, and what its own part asks for.
public struct ControlNature: Equatable, Sendable, BitwiseCopyable {
    /// The values that it can have, or its events.
    public var domain: ValueDomain
    /// Who decides what it shows.
    public var role: ControlRole
    /// What a gesture of its own part asks for.
    public var input: InputRule

    /// Makes a nature; the plan is refused where the three do not go together.
    public init(domain: ValueDomain, role: ControlRole, input: InputRule) {
        self.domain = domain
        self.role = role
        self.input = input
    }
}

/// Who decides what a control shows.
public enum ControlRole: UInt8, Equatable, Sendable, BitwiseCopyable {
    /// A value that its device follows.
    case device
    /// It fires, and keeps no state.
    case events
    /// Its members, as a group or a form; another control or a condition, as a mirror.
    case group, form, mirror
}

/// The natures of the controls that Detent knows.
extension ControlNature {
    /// A lever that holds its position, or a push button that latches in firmware.
    public static func onOff(latch: Latch) -> ControlNature {
        ControlNature(domain: .onOff, role: .device, input: .latch(latch))
    }

    /// A push button that fires its action and keeps no state.
    public static var button: ControlNature {
        ControlNature(domain: .none, role: .events, input: .fire)
    }

    /// A push button whose action begins with the press and ends with the release.
    public static var heldButton: ControlNature {
        ControlNature(domain: .none, role: .events, input: .fireWhileHeld)
    }

    /// One of several options. One lamp for all is dark at the option that it starts with, unless
    /// `rest` names another.
    public static func choice(of options: UInt8, rest: UInt8? = nil) -> ControlNature {
        ControlNature(
            domain: .options(count: options, rest: rest), role: .device, input: .pick)
    }

    /// Down, centre, up.
    public static var threeWay: ControlNature { choice(of: 3, rest: 1) }

    /// A number that an encoder moves within its range.
    public static func dial(_ range: NumberRange) -> ControlNature {
        ControlNature(domain: .number(range), role: .device, input: .step(StepRule()))
    }

    /// A number at which a potentiometer stands, within its range.
    public static func potentiometer(_ range: NumberRange) -> ControlNature {
        ControlNature(domain: .number(range), role: .device, input: .pick)
    }

    /// Several of at most 30 options, from `minimum` to `maximum` of them.
    public static func selection(of options: UInt8, minimum: UInt8, maximum: UInt8)
        -> ControlNature
    {
        ControlNature(
            domain: .subset(of: options, minimum: minimum, maximum: maximum), role: .device,
            input: .flip)
    }

    /// Each of at most 32 commands runs its action when chosen; no state is kept.
    public static func commands(_ count: UInt8) -> ControlNature {
        ControlNature(domain: .options(count: count, rest: nil), role: .events, input: .fire)
    }

    /// On, off or mixed: what its members are. Its own part, a lever or a push button, sets all of
    /// them.
    public static var group: ControlNature {
        ControlNature(domain: .onOff, role: .group, input: .latch(.toggle))
    }

    /// On while members have staged values that were not applied.
    public static var form: ControlNature {
        ControlNature(domain: .onOff, role: .form, input: .none)
    }

    /// Shows another control, or whether its condition is true.
    public static var mirror: ControlNature {
        ControlNature(domain: .onOff, role: .mirror, input: .none)
    }
}

/// What is asked of a control, whatever its nature.
extension ControlNature {
    /// How presses become on and off; nil for a control whose device is not on or off.
    public var latch: Latch? {
        guard case .latch(let latch) = input, role == .device else { return nil }
        return latch
    }

    /// The range of a number; nil for a control whose value is none.
    public var range: NumberRange? {
        guard case .number(let range) = domain else { return nil }
        return range
    }

    /// The value before the first request.
    public var rest: Value { domain.rest }

    /// Largest number of steps a detent; 1 where nothing is stepped.
    var acceleration: UInt8 { range?.acceleration ?? 1 }

    /// Whether the control has a value; one without only fires, or shows what others are.
    var hasValue: Bool { role == .device || role == .group }

    /// Whether the control sums up others, and has no device of its own.
    var isDerived: Bool {
        switch role {
        case .group, .form, .mirror: true
        case .device, .events: false
        }
    }

    /// Whether the value is one of several options at every moment.
    var hasOneOption: Bool {
        guard case .options = domain else { return false }
        return role == .device
    }

    /// Whether the control only fires, and has several events.
    var hasCommands: Bool {
        guard case .options = domain else { return false }
        return role == .events
    }

    /// Whether the control only fires, and has one event: it is a button.
    public var isButton: Bool { role == .events && domain == .none }

    /// Whether `value` is one that the control can take.
    @inline(__always)
    func accepts(_ value: Value) -> Bool { hasValue && domain.contains(value) }

    /// Whether the control can run the action of `event`.
    func fires(_ event: Value) -> Bool {
        role == .events && (input == .fire || input == .fireWhileHeld)
            && (domain == .none ? event == .on : domain.contains(event))
    }

    /// The value that is this far from a shown one: a number stops at its ends unless it wraps.
    /// Options go round, one place in either direction; on and off change, and what is mixed turns
    /// on. Nil where there is none.
    func changed(_ shown: Value, by distance: Int32) -> Value? {
        guard hasValue, distance != 0 else { return nil }
        switch domain {
        case .onOff: return shown == .on ? .off : .on
        case .number(let range): return range.moved(shown, by: Int64(distance))
        case .options(let count, _):
            guard count > 0, domain.contains(shown) else { return nil }
            let last = Int32(count) &- 1
            if distance > 0 { return Value(shown.raw == last ? 0 : shown.raw &+ 1) }
            return Value(shown.raw == 0 ? last : shown.raw &- 1)
        case .none, .subset: return nil
        }
    }

    /// What is asked for where `value` was confirmed.
    func response(for value: Value) -> Response {
        switch role {
        case .group: .setMembers(value)
        case .device: .set(value)
        case .events, .form, .mirror: .fire(value)
        }
    }

    /// What a value that was found by turning or by few buttons asks for.
    func response(toChosen item: UInt8, _ context: ResponseContext) -> Response {
        switch domain {
        case .options:
            domain.contains(Value(Int32(item))) ? response(for: Value(Int32(item))) : .nothing
        case .subset: domain.flipped(item, context.desired)
        case .none, .onOff, .number: .nothing
        }
    }

    /// Whether one lamp for the whole control is lit at `value`; that of a control that only fires,
    /// while it is pressed.
    @inline(__always)
    func isLit(at value: Value, isPressed: Bool) -> Bool {
        role == .events ? isPressed : domain.isLit(at: value)
    }

    /// Throws where the engine cannot hold the values.
    func check() throws(EngineError) {
        switch domain {
        case .none, .onOff: break
        case .options(let count, _):
            guard role != .events || count <= EngineLimits.options else { throw .outOfRange }
        case .number(let range):
            guard range.minimum <= range.maximum, range.minimum > .min, range.step > 0 else {
                throw .outOfRange
            }
        case .subset(let options, let minimum, let maximum):
            guard options <= EngineLimits.selectionOptions, minimum <= options, minimum <= maximum
            else { throw .outOfRange }
        }
    }
}
