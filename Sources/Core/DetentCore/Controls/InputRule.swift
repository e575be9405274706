public import DetentTypes

/// What a gesture of a control's own part asks for.
public enum InputRule: Equatable, Sendable, BitwiseCopyable {
    /// It has no part, or one that only reports.
    case none
    /// On or off, by a lever that holds its position or by a push button.
    case latch(Latch)
    /// The option of a position, or of a button.
    case pick
    /// The number, moved by the detents of an encoder or the presses of a button.
    case step(StepRule)
    /// The option of a button, turned the other way.
    case flip
    /// The event of a button.
    case fire
    /// The two events of a button: `pressed`, and `released` when it is let go.
    case fireWhileHeld
}

/// How presses of a push button become the states of an on/off control; levers ignore it.
public enum Latch: Equatable, Sendable, BitwiseCopyable {
    /// Each press turns the other way.
    case toggle
    /// On while held.
    case momentary
    /// A press up to `within` latches, a longer one is on while held.
    case tapOrHold(within: TimeSpan)
}

/// How the gestures of a part move a number. Each detent is one step.
public struct StepRule: Equatable, Sendable, BitwiseCopyable {
    /// Steps that a press of the part's button adds.
    public var stepsOfPress: Int8
    /// A hold sets the number back to the smallest; the button must know a hold.
    public var isResetByHold: Bool

    /// Makes the rule; without a word only detents move the number.
    public init(stepsOfPress: Int8 = 0, isResetByHold: Bool = false) {
        self.stepsOfPress = stepsOfPress
        self.isResetByHold = isResetByHold
    }
}

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

/// What a rule may look at when it answers.
struct ResponseContext {
    /// The shown value.
    let desired: Value
    /// The position before this gesture; unknown for parts that hold none.
    let positionBefore: Value
    let mismatch: MismatchPolicy
    let now: Instant
}

/// What the present press of a button has done, for tap-or-hold.
enum LatchPress: Equatable, BitwiseCopyable {
    case none
    /// Turned on by this press, at that moment.
    case turnedOn(at: Instant)
    case wasOn
}

extension ControlNature {
    /// Answers a gesture of the control's own hardware.
    @inline(__always)
    func respond(
        to decoded: DecoderOutput, _ context: ResponseContext, _ press: inout LatchPress
    ) -> Response {
        switch input {
        case .none:
            return .nothing
        case .latch(let latch):
            let response = latch.respond(to: decoded, context, &press)
            // From mixed, a press or a toggling throw turns all on.
            guard role == .group else { return response }
            guard case .set(let value) = response else { return .nothing }
            return .setMembers(value)
        case .pick:
            return domain.picked(decoded, context)
        case .step(let rule):
            guard case .number(let range) = domain else { return .nothing }
            return range.stepped(decoded, rule, context)
        case .flip:
            guard decoded.gestures.contains(.pressed) else { return .nothing }
            return domain.flipped(decoded.button, context.desired)
        case .fire:
            guard decoded.gestures.contains(.pressed) else { return .nothing }
            if domain == .none { return .fire(.on) }
            let event = Value(Int32(decoded.button))
            return domain.contains(event) ? .fire(event) : .nothing
        case .fireWhileHeld:
            if decoded.gestures.contains(.pressed) { return .fire(.pressed) }
            return decoded.gestures.contains(.released) ? .end(.released) : .nothing
        }
    }
}

extension Latch {
    @inline(__always)
    func respond(
        to decoded: DecoderOutput, _ context: ResponseContext, _ press: inout LatchPress
    ) -> Response {
        let isOn = context.desired == .on
        if decoded.gestures.contains(.moved) {
            return context.mismatch.response(
                to: decoded.position, from: context.positionBefore, desired: context.desired,
                toggled: isOn ? .off : .on)
        }
        if decoded.gestures.contains(.pressed) { return pressed(isOn, context.now, &press) }
        if decoded.gestures.contains(.released) { return released(context.now, &press) }
        return .nothing
    }

    private func pressed(_ isOn: Bool, _ now: Instant, _ press: inout LatchPress) -> Response {
        switch self {
        case .toggle:
            return .set(isOn ? .off : .on)
        case .momentary:
            return .set(.on)
        case .tapOrHold:
            press = isOn ? .wasOn : .turnedOn(at: now)
            return isOn ? .nothing : .set(.on)
        }
    }

    private func released(_ now: Instant, _ press: inout LatchPress) -> Response {
        switch (self, press) {
        case (.toggle, _):
            return .nothing
        case (.momentary, _):
            return .end(.off)
        case (.tapOrHold(let within), .turnedOn(let pressedAt)):
            press = .none
            return now - pressedAt <= within ? .nothing : .end(.off)
        case (.tapOrHold, .wasOn):
            press = .none
            return .set(.off)
        case (.tapOrHold, .none):
            return .nothing  // the press came before the panel started
        }
    }
}

extension ValueDomain {
    /// One option by a part that holds its position, or by a button for each.
    fileprivate func picked(_ decoded: DecoderOutput, _ context: ResponseContext) -> Response {
        if decoded.gestures.contains(.pressed), decoded.button != DecoderOutput.noButton {
            let value = Value(Int32(decoded.button))
            return contains(value) ? .set(value) : .nothing
        }
        guard decoded.gestures.contains(.moved), contains(decoded.position) else {
            return .nothing
        }
        if case .number = self, context.mismatch == .catchUp { return caughtUp(decoded, context) }
        return context.mismatch.response(
            to: decoded.position, from: context.positionBefore, desired: context.desired,
            toggled: decoded.position)
    }

    /// A potentiometer that was out of step meets the value when it passes it: it does not stop
    /// at each number.
    private func caughtUp(_ decoded: DecoderOutput, _ context: ResponseContext) -> Response {
        let before = context.positionBefore
        let desired = context.desired.raw
        guard before != .unknown, decoded.position.raw != desired else { return .nothing }
        let low = min(before.raw, decoded.position.raw)
        let high = max(before.raw, decoded.position.raw)
        return low <= desired && desired <= high ? .set(decoded.position) : .nothing
    }

    /// One option the other way; refused where too few or too many would be left.
    func flipped(_ option: UInt8, _ desired: Value) -> Response {
        guard case .subset(let options, _, _) = self, option < options,
            options <= EngineLimits.selectionOptions
        else { return .nothing }
        let value = Value(desired.raw ^ (1 << Int32(option)))
        return contains(value) ? .set(value) : .refuse(.outOfRange)
    }
}

extension NumberRange {
    fileprivate func stepped(
        _ decoded: DecoderOutput, _ rule: StepRule, _ context: ResponseContext
    ) -> Response {
        if rule.isResetByHold, decoded.gestures.contains(.held) { return .set(Value(minimum)) }
        if decoded.gestures.contains(.stepped) {
            return .set(moved(context.desired, by: decoded.steps))
        }
        guard rule.stepsOfPress != 0, decoded.gestures.contains(.pressed) else { return .nothing }
        return .set(moved(context.desired, by: Int16(rule.stepsOfPress)))
    }
}
