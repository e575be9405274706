public import DetentTypes

/// All that the engine has to know of one control.
public struct ControlSettings: Equatable, Sendable, BitwiseCopyable {
    /// What the control is.
    public var nature: ControlNature
    /// Input lines, in the order that `decoder` says; they belong to this control alone.
    public var contacts: PlanRange
    /// How its contacts become gestures and positions.
    public var decoder: DecoderSettings
    /// What a moved part does when its state was changed by other means.
    public var mismatch: MismatchPolicy
    /// Which value it takes at start.
    public var startup: StartupSettings
    /// The action of each value.
    public var actions: ActionMap
    /// The action that asks the device for its value; nil where it cannot be asked. It must have a
    /// timeout unless it cannot hang.
    public var query: ActionID?
    /// What its lamps show.
    public var indicator: IndicatorSettings
    /// Driven to the control's value: one line for on and off, or one for each option that has one.
    /// The one line of a number needs levels: it is on above the lowest number, and as strong as
    /// the number is high.
    public var outputs: PlanRange
    /// A bit for each option that has an output, in the order of the lines; 0 where the one line is
    /// driven to on and off.
    public var outputsPresent: UInt32
    /// How one output takes over from another.
    public var transition: OutputTransition
    /// How long an output stays on after each change to it, from its write; zero: as long as its
    /// value is shown. With several outputs the transition must be `breakBeforeMake`.
    public var pulse: TimeSpan
    /// Outputs that the steps of its actions drive.
    public var stepOutputs: PlanRange
    /// The line by which the device of an on/off control reports its value; nil without one.
    public var feedbackLine: LineID?
    /// Only its device changes the value: requests are refused, and until the device has said it,
    /// the value is unconfirmed.
    public var isReported: Bool
    /// The last contact is that of a cover, which must be open; the others are the part's own.
    public var hasGuard: Bool
    /// The relations of the control to other controls; none where it has none.
    public var relation: RelationID
    /// Controls start in the order of their ranks: those that others depend on have lower ones.
    public var startRank: UInt8

    /// Makes the settings of one control.
    public init(
        nature: ControlNature, contacts: PlanRange = .none, decoder: DecoderSettings = .none,
        mismatch: MismatchPolicy = .follow, startup: StartupSettings = StartupSettings(),
        actions: ActionMap = .none, query: ActionID? = nil,
        indicator: IndicatorSettings = IndicatorSettings(),
        outputs: PlanRange = .none, outputsPresent: UInt32 = 0,
        transition: OutputTransition = .none, pulse: TimeSpan = .zero,
        stepOutputs: PlanRange = .none, feedbackLine: LineID? = nil, isReported: Bool = false,
        hasGuard: Bool = false, relation: RelationID = .none,
        startRank: UInt8 = 0
    ) {
        self.nature = nature
        self.contacts = contacts
        self.decoder = decoder
        self.mismatch = mismatch
        self.startup = startup
        self.actions = actions
        self.query = query
        self.indicator = indicator
        self.outputs = outputs
        self.outputsPresent = outputsPresent
        self.transition = transition
        self.pulse = pulse
        self.stepOutputs = stepOutputs
        self.feedbackLine = feedbackLine
        self.isReported = isReported
        self.hasGuard = hasGuard
        self.relation = relation
        self.startRank = startRank
    }

    /// The line of the feedback, if there is one, as a range.
    public var feedbackLines: PlanRange {
        feedbackLine.map { PlanRange(first: $0.index, count: 1) } ?? .none
    }

    /// The number of contacts of the part itself, without that of its cover.
    public var partContacts: UInt16 {
        hasGuard && contacts.count > 0 ? contacts.count &- 1 : contacts.count
    }
}

/// What a part that holds a position does when state was changed by other means.
public enum MismatchPolicy: Equatable, Sendable, BitwiseCopyable, CaseIterable {
    /// Position wins as soon as it moves.
    case follow
    /// Any throw flips the state.
    case toggle
    /// Throws do nothing until position meets state.
    case catchUp
    /// Position is only reported.
    case detached
}

/// What value a control has when the panel starts.
public struct StartupSettings: Equatable, Sendable, BitwiseCopyable {
    /// Where the value comes from.
    public enum Rule: Equatable, Sendable, BitwiseCopyable {
        /// Trust the position of the part.
        case panel
        /// This value.
        case value(Value)
        /// The value from before the start.
        case saved
        /// What the control's query answers; until then, and without an answer, as `saved`.
        case device
    }

    /// Where the first value comes from.
    public var rule: Rule
    /// The value where the rule gives none: `panel` without a contact that names a position and
    /// without a saved value, `saved` and `device` without a saved value. No action runs for it.
    public var fallback: Value
    /// Whether the action for that value runs at start; never under `device`.
    public var runsAction: Bool
    /// Counts from the start of the panel; staggers loads that must not all begin at once.
    public var delay: TimeSpan

    /// Makes the rule; without a word a control starts off, at its first option or at its minimum.
    public init(
        rule: Rule = .value(.off), fallback: Value = .off, runsAction: Bool = false,
        delay: TimeSpan = .zero
    ) {
        self.rule = rule
        self.fallback = fallback
        self.runsAction = runsAction
        self.delay = delay
    }
}
