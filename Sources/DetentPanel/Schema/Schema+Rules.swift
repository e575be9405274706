import DetentTypes

extension Schema {
    /// Keys by which controls have to do with each other and with time.
    static let ruleKeys: [KeySpec] = [
        KeySpec(
            .control, "enabled-when", .text, standard: "always enabled",
            "A condition on the confirmed values of other controls, such as `main is on and not "
                + "(mode is auto)`. While it is false, intents are refused, and told so."),
        KeySpec(
            .control, "on-enable", .words(["wait", "follow"]), standard: "wait",
            "What happens when the condition becomes true: nothing until the next touch, or the "
                + "control takes the position of its part."),
        KeySpec(
            .control, "auto-off", milliseconds(1, 31_536_000_000), standard: "never",
            "The longest time on, counted from turning on."),
        KeySpec(
            .control, "expires", milliseconds(1, 31_536_000_000), standard: "never",
            "The control returns to its `default` this long after the last intent for another "
                + "value."),
        KeySpec(
            .control, "stale-after", milliseconds(1, 31_536_000_000), standard: "never",
            "The flag `stale` is set when the device has not confirmed anything for so long."),
        KeySpec(
            .control, "members", .list(.text, 1...Limits.members),
            "The ids of the controls in a group or a form."),
        KeySpec(
            .control, "apply", .text, "The id of the button that applies a form."),
        KeySpec(
            .control, "cancel", .text, "The id of the button that drops what a form has staged."),
        KeySpec(
            .control, "show", .text,
            "What an indicator shows: the id of a control, with all its conditions, or an "
                + "expression such as `pump is on and level < 3`."),
    ]
}
