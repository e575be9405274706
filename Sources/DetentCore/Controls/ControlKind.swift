import DetentTypes

/// What a control does about a gesture of its hardware.
enum Response: Equatable, BitwiseCopyable {
    case nothing
    /// Ask for a value.
    case set(Value)
    /// Run the action of a control without state.
    case fire
}

/// What a kind may look at when it answers.
struct ControlView {
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

    init(_ settings: ControlKindSettings) {
        switch settings {
        case .switch(let latch), .toggleButton(let latch):
            self = .binary(BinaryControl(latch: latch))
        case .button:
            self = .button(ButtonControl())
        case .radioGroup(let options):
            self = .choice(ChoiceControl(options: options))
        case .threeWay:
            self = .choice(ChoiceControl(options: 3))
        case .dial(let range):
            self = .dial(DialControl(range: range))
        }
    }

    /// Answers a gesture of the control's own hardware.
    mutating func respond(to decoded: Decoded, _ view: ControlView) -> Response {
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
        }
    }

    /// Whether the control has a value; one without only fires.
    var hasValue: Bool {
        switch self {
        case .binary, .choice, .dial: true
        case .button: false
        }
    }

    /// Whether `value` is one that the control can take.
    func accepts(_ value: Value) -> Bool {
        switch self {
        case .binary: value == .on || value == .off
        case .button: false
        case .choice(let control): control.accepts(value)
        case .dial(let control): control.accepts(value)
        }
    }

    /// Whether one lamp for the whole control is lit at `value`.
    func isLit(at value: Value, isPressed: Bool) -> Bool {
        switch self {
        case .binary: value == .on
        case .button: isPressed
        case .choice: true
        case .dial(let control): control.isLit(at: value)
        }
    }
}

extension ControlKindSettings {
    /// Largest number of steps a detent; 1 where the kind has no such thing.
    var acceleration: UInt8 {
        switch self {
        case .dial(let range): range.acceleration
        case .switch, .toggleButton, .button, .radioGroup, .threeWay: 1
        }
    }

    /// The value of a control of this kind that nobody has asked anything of yet.
    var rest: Value {
        switch self {
        case .dial(let range): Value(range.minimum)
        case .threeWay: .center
        case .switch, .toggleButton, .button, .radioGroup: .off
        }
    }
}
