public import DetentTypes

/// One event of one control, as history, traces and remote listeners see it.
public struct Report: Equatable, Sendable, BitwiseCopyable {
    /// The control that it is about; `panel` for an event of the whole panel.
    public var control: ControlID
    /// What happened.
    public var kind: Kind

    /// Makes a report.
    public init(control: ControlID, kind: Kind) {
        self.control = control
        self.kind = kind
    }

    /// In place of a control: the whole panel. No plan has a control with this number.
    public static var panel: ControlID { ControlID(.max) }

    /// In place of the number of a user: it is not known.
    public static var noUser: UInt32 { .max }

    /// An event of the whole panel.
    public static func ofPanel(_ kind: Kind) -> Report { Report(control: panel, kind: kind) }

    /// What happened to the control.
    public enum Kind: Equatable, Sendable, BitwiseCopyable {
        /// The button went down.
        case pressed
        /// The button came up. It follows each `pressed` once.
        case released
        /// One button of a part with several went down.
        case buttonPressed(Value)
        /// One button of a part with several came up.
        case buttonReleased(Value)
        /// A press within the time of a click has ended.
        case clicked
        /// Two clicks followed each other within the gap.
        case doubleClicked
        /// This many clicks followed each other within the gap.
        case multiClicked(count: UInt8)
        /// The button has been down for the hold time; its level was read once more.
        case held
        /// The button is still down; repeated at a fixed distance.
        case repeated
        /// Detents, clockwise positive.
        case stepped(delta: Int16)
        /// A part that holds a position is in another one.
        case moved(position: Value)
        /// Contacts that no position explains persist.
        case invalid
        /// The shown value is another one. Its action may still have to bring it about.
        case changed(Value, Origin)
        /// The device has this value.
        case confirmed(Value)
        /// The phase is another one, or an attempt has failed again.
        case phase(Phase, Reason)
        /// One flag was set or cleared. `fault` has a report of its own.
        case flag(Flag, isSet: Bool)
        /// A request was refused; the state is as before.
        case refused(Refusal, Origin)
        /// A menu, or the choice by a turn, is open.
        case opened
        /// A menu, or the choice by a turn, is closed: by a hand or a time, or from outside.
        case closed(Origin)
        /// The option or item that a press would choose.
        case focused(Value)
        /// An event of a control without state: a momentary segment, an item of a menu.
        case chosen(Value, Origin)
        /// What the control will be asked for when its form is applied; unknown: nothing.
        case staged(Value)
        /// A confirmation waits for its second press.
        case armed
        /// How far a confirmation is: 0 where it lapsed, 100 where it is complete.
        case progress(percent: UInt8)
        /// The lamps show another pattern.
        case indicator(Pattern)
        /// An output is driven to this level.
        case output(LineID, Level)
        /// Edges or encoder steps that were lost since start.
        case lost(count: UInt32)
        /// A line of the control cannot be used, or all can be used again.
        case fault(FaultReason)
        /// A lamp test from outside begins or ends, for the whole panel.
        case lampTest(isOn: Bool, Origin)
        /// A caller asks to have the panel file read again, for the whole panel.
        case reload(user: UInt32, Origin)
    }
}

/// What a control is doing about its value.
public enum Phase: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    /// Nothing is under way.
    case idle
    /// A requested value is accepted, and not confirmed yet.
    case pending
    /// The confirmation takes longer than `loadingAfter`.
    case loading
    /// The last attempt failed. Shown for `failedFor`, or until a touch.
    case failed
}

/// Why a phase began.
public struct Reason: Equatable, Sendable, BitwiseCopyable {
    /// What happened to the action.
    public enum Cause: Equatable, Sendable, BitwiseCopyable {
        /// The phase says it all.
        case none
        /// The action failed.
        case failed(ActionFailure)
        /// The action did not end within its timeout.
        case timedOut
        /// The action was stopped.
        case cancelled
        /// A signal that Detent did not send ended the program.
        case killed(signal: UInt8)
        /// The connection was lost, so the outcome is unknown.
        case lost
    }

    /// What happened to the action.
    public var cause: Cause
    /// The gesture whose action it is; nil for the action of the control's value or event.
    public var gesture: ActingGesture?

    /// Makes a reason.
    public init(cause: Cause, of gesture: ActingGesture? = nil) {
        self.cause = cause
        self.gesture = gesture
    }

    /// The phase says it all.
    public static var none: Reason { Reason(cause: .none) }
    /// The action did not end within its timeout.
    public static var timedOut: Reason { Reason(cause: .timedOut) }
    /// The action was stopped.
    public static var cancelled: Reason { Reason(cause: .cancelled) }
    /// The connection was lost, so the outcome is unknown.
    public static var lost: Reason { Reason(cause: .lost) }

    /// The action failed.
    public static func failed(_ failure: ActionFailure) -> Reason {
        Reason(cause: .failed(failure))
    }

    /// A signal that Detent did not send ended the program.
    public static func killed(signal: UInt8) -> Reason { Reason(cause: .killed(signal: signal)) }
}

/// A word beside the phase.
public struct Flag: OptionSet, Equatable, Sendable, BitwiseCopyable {
    /// The set as bits, one for each flag.
    public var rawValue: UInt8

    /// Makes a set of flags of its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// It accepts no requests for now.
    public static var disabled: Flag { Flag(rawValue: 1) }
    /// Its members differ.
    public static var mixed: Flag { Flag(rawValue: 2) }
    /// The position of its part differs from its state, or its device is known to have another
    /// value.
    public static var mismatch: Flag { Flag(rawValue: 4) }
    /// Its device has been silent for too long.
    public static var stale: Flag { Flag(rawValue: 8) }
    /// What its device really does is unknown.
    public static var unconfirmed: Flag { Flag(rawValue: 16) }
    /// A line of the control cannot be used.
    public static var fault: Flag { Flag(rawValue: 32) }
}

/// Why a request was refused.
public enum Refusal: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    /// The control is disabled.
    case disabled
    /// An attempt is in flight and the action says `supersede: ignore`.
    case busy
    /// The value is not one that the control can take.
    case outOfRange
    /// The control accepts no requests of this sort, such as a value for a button.
    case unsupported
    /// Its guard is shut, or the request comes from outside the panel.
    case guarded
    /// It is destructive, and was not confirmed.
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
