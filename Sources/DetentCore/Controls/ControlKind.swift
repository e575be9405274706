public import DetentTypes

/// What a control does about a gesture of its hardware.
enum Response: Equatable, BitwiseCopyable {
    case nothing
    /// Ask for a value.
    case set(Value)
    /// Run the action of an event, for a control without state.
    case fire(Value)
    /// Ask all enabled members for a value.
    case setMembers(Value)
    /// The button was let go: ask for a value that ends what its press began. Neither disabled nor
    /// a busy action stands in its way.
    case end(Value)
    case refuse(Refusal)

    var isForced: Bool {
        switch self {
        case .end: true
        case .nothing, .set, .fire, .setMembers, .refuse: false
        }
    }
}

/// What a kind may look at when it answers.
struct ResponseContext {
    /// The shown value.
    let desired: Value
    /// The position before this gesture; unknown for parts that hold none.
    let positionBefore: Value
    let mismatch: MismatchPolicy
    let now: Instant
}

/// The kinds of control behind one interface; each is a file of its own.
enum ControlKind: Equatable, BitwiseCopyable {
    case binary(BinaryControl)
    case button(ButtonControl)
    case choice(ChoiceControl)
    case dial(DialControl)
    case selection(SelectionControl)
    case commands(CommandsControl)
    case group
    case form
    case mirror

    /// `standard` is the value where no other is known.
    init(_ settings: ControlKindSettings, standard: Value = .unknown) {
        switch settings {
        case .switch(let latch), .toggleButton(let latch):
            self = .binary(BinaryControl(latch: latch))
        case .button:
            self = .button(ButtonControl())
        case .radioGroup(let options):
            let isOption = standard.raw >= 0 && standard.raw < Int32(options)
            let rest = isOption ? standard : settings.rest
            self = .choice(ChoiceControl(options: options, rest: rest))
        case .threeWay:
            self = .choice(ChoiceControl(options: 3, rest: .center))
        case .dial(let range):
            self = .dial(DialControl(range: range))
        case .selection(let options, let minimum, let maximum):
            self = .selection(
                SelectionControl(options: options, minimum: minimum, maximum: maximum))
        case .commands(let count):
            self = .commands(CommandsControl(count: count))
        case .group:
            self = .group
        case .form:
            self = .form
        case .mirror:
            self = .mirror
        }
    }

    /// Answers a gesture of the control's own hardware.
    mutating func respond(to decoded: DecoderOutput, _ view: ResponseContext) -> Response {
        switch self {
        case .binary(var control):
            defer { self = .binary(control) }
            return control.respond(to: decoded, view)
        case .button(let control):
            return control.respond(to: decoded)
        case .choice(let control):
            return control.respond(to: decoded, view)
        case .dial(let control):
            return control.respond(to: decoded, view)
        case .selection(let control):
            return control.respond(to: decoded, view)
        case .commands(let control):
            return control.respond(to: decoded)
        case .group:
            // As a switch: from mixed, a press or a toggling throw turns all on.
            var master = BinaryControl(latch: .toggle)
            guard case .set(let value) = master.respond(to: decoded, view) else {
                return .nothing
            }
            return .setMembers(value)
        case .form, .mirror:
            return .nothing
        }
    }

    /// What is asked for where `value` was confirmed.
    func wish(for value: Value) -> Response {
        switch self {
        case .group: .setMembers(value)
        case .binary, .choice, .dial, .selection: .set(value)
        case .button, .commands, .form, .mirror: .fire(value)
        }
    }

    /// What a value that was found by turning or by few buttons asks for.
    func response(toChosen item: UInt8, _ view: ResponseContext) -> Response {
        let value = Value(Int32(item))
        switch self {
        case .choice(let control): return control.accepts(value) ? .set(value) : .nothing
        case .selection(let control): return control.toggled(item, view.desired)
        case .commands(let control): return control.accepts(value) ? .fire(value) : .nothing
        case .binary, .button, .dial, .group, .form, .mirror: return .nothing
        }
    }

    /// Whether the control has a value; one without only fires.
    var hasValue: Bool {
        switch self {
        case .binary, .choice, .dial, .selection, .group: true
        case .button, .commands, .form, .mirror: false
        }
    }

    /// Whether the value is one of several options at every moment.
    var hasOneOption: Bool {
        switch self {
        case .choice: true
        case .binary, .button, .dial, .selection, .commands, .group, .form, .mirror: false
        }
    }

    /// Whether `value` is one that the control can take.
    func accepts(_ value: Value) -> Bool {
        switch self {
        case .binary: value == .on || value == .off
        case .button: false
        case .choice(let control): control.accepts(value)
        case .dial(let control): control.range.contains(value)
        case .selection(let control): control.accepts(value)
        case .group: value == .on || value == .off
        case .commands, .form, .mirror: false
        }
    }

    /// Whether the control can run the action of `event`.
    func fires(_ event: Value) -> Bool {
        switch self {
        case .button: event == .on
        case .commands(let control): control.accepts(event)
        case .binary, .choice, .dial, .selection, .group, .form, .mirror: false
        }
    }

    /// Whether the control sums up others, and has no device of its own.
    var isDerived: Bool {
        switch self {
        case .group, .form, .mirror: true
        case .binary, .button, .choice, .dial, .selection, .commands: false
        }
    }

    /// Whether one lamp for the whole control is lit at `value`. A lamp that is lit at every value
    /// tells nothing, so each kind is dark at one.
    func isLit(at value: Value, isPressed: Bool) -> Bool {
        switch self {
        case .binary: value == .on
        case .button: isPressed
        case .choice(let control): value != control.rest
        case .dial(let control): control.isLit(at: value)
        case .selection: value.raw > 0
        case .commands: isPressed
        case .group, .form, .mirror: value == .on
        }
    }
}

extension ControlKindSettings {
    /// The value of a control of this kind before the first request.
    public var rest: Value {
        switch self {
        case .dial(let range): Value(range.minimum)
        case .threeWay: .center
        case .selection(_, let minimum, _):
            Value((1 << Int32(min(minimum, EngineLimits.selectionOptions))) - 1)
        case .switch, .toggleButton, .button, .radioGroup, .commands, .group, .form, .mirror: .off
        }
    }
}
