public import DetentTypes

/// The relations of one control by their index in the plan.
public struct RelationID: Equatable, Hashable, Sendable, BitwiseCopyable {
    /// Index in the plan, from 0.
    public var index: UInt16

    /// Names the relations at an index in the plan.
    public init(_ index: UInt16) {
        self.index = index
    }

    /// The control follows nothing but its own contacts.
    public static var none: RelationID { RelationID(.max) }
}

/// What a control follows in addition to its own contacts: other controls, times and
/// confirmations.
///
/// Most controls of a panel have none of this, and pay nothing for it.
public struct RelationSettings: Equatable, Sendable, BitwiseCopyable {
    /// What a control does at the moment at which it is enabled.
    public enum OnEnable: Equatable, Sendable, BitwiseCopyable {
        /// Nothing until the next touch.
        case wait
        /// It takes the position of its part, and runs the action of a value that is unconfirmed.
        case follow
    }

    /// What a control has to do with a form.
    public enum FormRole: Equatable, Sendable, BitwiseCopyable {
        /// Nothing.
        case none
        /// Its values are staged until the form is applied.
        case member(of: ControlID)
        /// Firing it applies the form.
        case apply(ControlID)
        /// Firing it drops what is staged.
        case cancel(ControlID)
    }

    /// While this is false the control is disabled, or an indicator is dark; none: always enabled.
    public var condition: PlanRange
    /// What happens when the condition becomes true.
    public var onEnable: OnEnable
    /// Members of a group or a form, or the buttons of a chord, in the plan's table of links.
    public var members: PlanRange
    /// Controls that look at this one, in the plan's table of links.
    public var listeners: PlanRange
    /// What the control needs in addition to a press.
    public var confirm: ConfirmSettings
    /// What the control has to do with a form.
    public var form: FormRole
    /// How one of several is found by turning or by few buttons; nil where contacts say it.
    public var navigation: NavigationSettings?
    /// When a value returns by itself; nil: never.
    public var returning: ReturnSettings?
    /// The flag `stale` is set this long after the device was last heard; zero: never.
    public var staleAfter: TimeSpan
    /// How long after an attempt the device may still report another value than the one that was
    /// brought about; zero: not at all.
    public var lag: TimeSpan
    /// Contacts that have been quiet are read again at this distance; zero: never.
    public var auditEvery: TimeSpan
    /// The control whose whole state an indicator shows; nil where `condition` says what.
    public var shows: ControlID?

    /// The controls that are gestures of this one, consecutive; each has `acting`.
    public var gestures: PlanRange
    /// What this control is, if it is a gesture of another one that acts; nil for other controls.
    public var acting: GestureSettings?

    /// Makes relations without any effect.
    public init() {
        condition = .none
        onEnable = .wait
        members = .none
        listeners = .none
        confirm = .none
        form = .none
        navigation = nil
        returning = nil
        staleAfter = .zero
        lag = .zero
        auditEvery = .zero
        shows = nil
        gestures = .none
        acting = nil
    }
}

/// When a value returns by itself.
public struct ReturnSettings: Equatable, Sendable, BitwiseCopyable {
    /// What the time counts from.
    public enum Start: Equatable, Sendable, BitwiseCopyable {
        /// The moment at which the control left `value`; further intents do not prolong it.
        case leaving
        /// The last intent for another value.
        case lastIntent
    }

    /// The value that returns.
    public var value: Value
    /// How long the control may have another one.
    public var after: TimeSpan
    /// What the time counts from.
    public var start: Start

    /// Makes the rule: `leaving` for the longest time on, `lastIntent` for an override.
    public init(to value: Value, after: TimeSpan, from start: Start) {
        self.value = value
        self.after = after
        self.start = start
    }
}
