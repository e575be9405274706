// Relations between controls.
extension Rule {
    /// A reference to another control must name a control of the panel.
    public static let unknownControl = Rule(
        "unknown-control",
        "A reference to another control must name a control of the panel. References use ids; a "
            + "misspelt id would never match.")
    static let invalidCondition = Rule(
        "invalid-condition",
        "A condition compares controls of the panel with values that they can have. An impossible "
            + "condition would disable a control permanently.")
    static let conditionConstant = Rule(
        "condition-constant", .warning,
        "A comparison with a dial can be true and can be false. With a number that the dial does "
            + "not reach, it never changes, and a control stays enabled or disabled for good.")
    static let wordOfPanel = Rule(
        "word-of-panel", .warning,
        "In conditions, `any` and `broker` mean the whole panel. A control with such an id is "
            + "meant instead of it, and a reader cannot tell.")
    static let conditionCycle = Rule(
        "condition-cycle",
        "Controls must not depend on each other in a circle. Otherwise no control could be enabled "
            + "first.")
    static let actionCycle = Rule(
        "action-cycle",
        "Controls must not set each other in a circle. Otherwise one touch would never finish.")
    static let enablingCycle = Rule(
        "enabling-cycle", .warning,
        "A control must not set the control that enables it and then return after a time. With "
            + "`on-enable: follow` and `auto-off` or `expires`, it would take its position and set "
            + "the other control again after each return, without end.")
    static let gestureDelaysSwitch = Rule(
        "gesture-delays-switch", .warning,
        "A switch changes at once when it is pressed. With a gesture that acts, the change waits "
            + "until the gesture cannot come any more: use a toggle button.")
    static let gestureUnheard = Rule(
        "gesture-unheard", .warning,
        "A gesture without an action only reports an event. Something has to hear it: an action, a "
            + "broker or a display. Switch this rule off if a program listens over HTTP.")
    static let idOfPlaceholder = Rule(
        "id-of-placeholder", .warning,
        "In actions, {value}, {previous}, {control}, {group}, {origin} and {steps} have fixed "
            + "meanings. The value of a control with such an id cannot be put into an action.")
    static let optionAsChange = Rule(
        "option-as-change", .warning,
        "`toggle`, `next` and `previous` start from the shown value. An option with such a name is "
            + "meant instead, and a reader cannot tell.")
    static let wrongMember = Rule(
        "wrong-member",
        "A control that a group, a form or a rule names must support that use. A group needs "
            + "members that are on or off; a form needs members that can be set back.")

    static let askedTooDeep = Rule(
        "asked-too-deep",
        "One touch may set at most 15 controls in a chain. Longer chains of groups and `set` "
            + "actions would be refused at run time, without a visible reason.")

    /// The rules about relations between controls.
    static let relations: [Rule] = [
        askedTooDeep,
        unknownControl, invalidCondition, conditionConstant, wordOfPanel,
        conditionCycle, actionCycle,
        enablingCycle, gestureDelaysSwitch, gestureUnheard, idOfPlaceholder, optionAsChange,
        wrongMember,
    ]
}
