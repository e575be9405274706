public import DetentTypes

/// One event of one control, as history, traces and remote listeners see it.
public struct Report: Equatable, Sendable, BitwiseCopyable {
    /// The control that it is about.
    public var control: ControlID
    /// What happened.
    public var kind: Kind

    /// Makes a report.
    public init(control: ControlID, kind: Kind) {
        self.control = control
        self.kind = kind
    }

    /// What happened to the control.
    public enum Kind: Equatable, Sendable, BitwiseCopyable {
        case pressed
        case released
        /// One button of a part with several.
        case buttonPressed(Value)
        case buttonReleased(Value)
        case clicked
        case doubleClicked
        case multiClicked(count: UInt8)
        case held
        case repeated
        /// Detents, clockwise positive.
        case stepped(delta: Int16)
        /// A part that holds a position is in another one.
        case moved(position: Value)
        /// Contacts that no position explains persist.
        case invalid
        case changed(Value, Origin)
        case confirmed(Value)
        case phase(Phase, Reason)
        case flag(Flag, isSet: Bool)
        case refused(Refusal, Origin)
        /// A menu, or the choice by a turn, is open.
        case opened
        case closed
        /// The option or item that a press would choose.
        case focused(Value)
        /// An event of a control without state: a momentary segment, an item of a menu.
        case chosen(Value, Origin)
        /// What the control will be asked for when its form is applied; unknown: nothing.
        case staged(Value)
        case armed
        case progress(percent: UInt8)
        case indicator(Pattern)
        case output(LineID, Level)
        /// Edges or encoder steps that were lost since start.
        case lost(count: UInt32)
        case fault(FaultReason)
    }
}

/// What a control is doing about its value.
public enum Phase: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    case idle, pending, loading, failed
}

/// Why a phase began.
public enum Reason: Equatable, Sendable, BitwiseCopyable {
    /// The phase says it all.
    case none
    /// The action failed.
    case failed(ActionFailure)
    case timedOut
    case cancelled
    /// A signal that Detent did not send ended the program.
    case killed(signal: UInt8)
    case lost
}

/// A word beside the phase.
public struct Flag: OptionSet, Equatable, Sendable, BitwiseCopyable {
    /// The set as bits, one for each flag.
    public var rawValue: UInt8

    /// Makes a set of flags of its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// It takes no intents for now.
    public static var disabled: Flag { Flag(rawValue: 1) }
    /// Its members differ.
    public static var mixed: Flag { Flag(rawValue: 2) }
    /// Its part stands elsewhere than its state, or its device is known to have another value.
    public static var mismatch: Flag { Flag(rawValue: 4) }
    /// Its device has been silent for too long.
    public static var stale: Flag { Flag(rawValue: 8) }
    /// What its device really does is unknown.
    public static var unconfirmed: Flag { Flag(rawValue: 16) }
    /// A line of the control cannot be used.
    public static var fault: Flag { Flag(rawValue: 32) }
}

/// Why an intent was refused.
public enum Refusal: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    /// The control is disabled.
    case disabled
    /// An attempt is in flight and the action says `supersede: ignore`.
    case busy
    /// The value is not one that the control can take.
    case outOfRange
    /// The control takes no intents of this sort, such as a value for a button.
    case unsupported
    /// Its guard is shut, or whoever asks is not at the panel.
    case guarded
    /// It is destructive, and nobody confirmed it.
    case needsConfirmation
    /// The press came within the `lockout` of the one before, and was let go before that ended.
    case lockedOut
}

/// Why a control is faulty.
public enum FaultReason: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    /// A line of the control cannot be used.
    case line
    /// The line is back.
    case none
}
