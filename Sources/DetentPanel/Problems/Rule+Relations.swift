// What controls have to do with each other.
extension Rule {
    /// A control that is named elsewhere must be there.
    public static let unknownControl = Rule(
        "unknown-control",
        "A control that is named elsewhere must be there. Rules between controls go by their ids, "
            + "and one that is misspelt would never come true.")
    /// A condition compares controls of the panel with values that they can have.
    public static let invalidCondition = Rule(
        "invalid-condition",
        "A condition compares controls of the panel with values that they can have. One that means "
            + "nothing would leave a control disabled for ever.")
    /// Controls do not depend on each other in a circle.
    public static let conditionCycle = Rule(
        "condition-cycle",
        "Controls do not depend on each other in a circle. Nobody could say which of them is "
            + "enabled first.")
    /// Controls do not set each other in a circle.
    public static let actionCycle = Rule(
        "action-cycle",
        "Controls do not set each other in a circle. One touch would never come to an end.")
    /// A control that follows its position does not set what enables it, where it returns by time.
    public static let enablingCycle = Rule(
        "enabling-cycle", .warning,
        "A control with `on-enable: follow` and `auto-off` or `expires` does not set what enables "
            + "it. After each return it would be enabled, move to its position and set the other "
            + "again, for ever.")
    /// What a group, a form or a rule names must be able to do its part.
    public static let wrongMember = Rule(
        "wrong-member",
        "What a group, a form or a rule names must be able to do its part. A member that cannot be "
            + "on or off, or cannot be put back, would make the sum of them untrue.")

    /// One touch leads through a bounded number of controls.
    public static let askedTooDeep = Rule(
        "asked-too-deep",
        "One touch leads through at most 15 controls, each asking the next. Groups in groups and "
            + "actions that set others beyond that would be refused, and nobody would see why.")

    /// The rules between controls.
    static let relations: [Rule] = [
        askedTooDeep,
        unknownControl, invalidCondition, conditionCycle, actionCycle, enablingCycle,
        wrongMember,
    ]
}
