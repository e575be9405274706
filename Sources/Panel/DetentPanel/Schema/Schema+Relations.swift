import DetentTypes

extension Schema {
    /// Keys that relate controls to each other and to time.
    static let ruleKeys: [KeySpec] = [
        KeySpec(
            .control, "enabled-when", .text, default: "always enabled",
            "A condition on the confirmed values of other controls, such as `main is on and not "
                + "(mode is auto)`, see [conditions](../conditions.md). While it is false, "
                + "requests are refused, with the reason."),
        KeySpec(
            .control, "on-enable", .words(["wait", "follow"]), default: .word("wait"),
            "What happens when the condition becomes true: nothing until the next touch (`wait`), "
                + "or the control takes the position of its part (`follow`)."),
        KeySpec(
            .control, "auto-off", milliseconds(1, 31_536_000_000), default: "never",
            "The longest time on, counted from turning on."),
        KeySpec(
            .control, "expires", milliseconds(1, 31_536_000_000), default: "never",
            "The control returns to its `default` this long after the last request for another "
                + "value."),
        KeySpec(
            .control, "stale-after", milliseconds(1, 31_536_000_000), default: "never",
            "The flag `stale` is set when the device has not confirmed anything for this time."),
        KeySpec(
            .control, "audit", milliseconds(1, 86_400_000), default: "never",
            "How often quiet contacts are read again, for expanders and wires that lose edges "
                + "without notice. A difference counts as a lost edge and is corrected."),
        KeySpec(
            .control, "selection",
            .anyOf([.words(["single", "multiple", "momentary"]), .section(.selection)]),
            default: .word("single"),
            "Whether one segment is chosen, several are, or each only runs its action."),
        KeySpec(
            .control, "items",
            .list(.anyOf([.words(["separator"]), .section(.item)]), 1...Limits.menuItems),
            "The commands of a menu, with `separator` between groups."),
        KeySpec(
            .control, "close-after", milliseconds(0, 3_600_000),
            default: .value(
                Defaults.menuCloseAfter, "for menus",
                others: [(Defaults.focusCloseAfter, "for a turn without a press")]),
            "A menu closes without a change after this time without a touch; `0s`: never."),
        KeySpec(
            .control, "role", .words(ButtonRole.words), default: .word(Defaults.role),
            "The purpose of a button. On the page, Return presses the `primary` or `done` button "
                + "of its group, and Escape the `cancel` or `close` button. `destructive` needs "
                + "`confirm`. `info` and `disclosure` act only on the page: the first reveals the "
                + "text of its `help`, the second shows and hides the other controls of its "
                + "group."),
        KeySpec(
            .control, "confirm", .section(.confirm),
            "How a press must be confirmed."),
        KeySpec(
            .control, "active-label", .text, default: "the label",
            "The label that the page shows on a button while its action runs."),
        KeySpec(
            .control, "members", .list(.text, 1...Limits.members),
            "The ids of the controls in a group or a form, or under a master switch."),
        KeySpec(
            .control, "apply", .text, "The id of the button that applies a form."),
        KeySpec(
            .control, "cancel", .text, "The id of the button that drops what a form has staged."),
        KeySpec(
            .control, "show", .text,
            "What an indicator shows: a control, by its id, with all its conditions; or an "
                + "expression such as `pump is on and level < 3`."),
    ]

    static let rulePartKeys: [KeySpec] =
        menuButtonKeys + selectionKeys + confirmKeys + itemKeys(.item)
        + [
            KeySpec(
                .item, "items", .list(.section(.subItem), 1...Limits.menuItems),
                "The items of its submenu.")
        ] + itemKeys(.subItem)

    private static let menuButtonKeys: [KeySpec] = [
        KeySpec(.menuButtons, "up", .line, "The button that moves towards the first item."),
        KeySpec(.menuButtons, "down", .line, "The button that moves towards the last item."),
        KeySpec(.menuButtons, "select", .line, "The button that opens the menu and chooses."),
        KeySpec(.menuButtons, "back", .line, "The button that goes back, or closes the menu."),
    ]

    private static let selectionKeys: [KeySpec] = [
        KeySpec(
            .selection, "multiple", .section(.bounds), isRequired: true,
            "Several segments can be chosen, between `min` and `max`."),
        KeySpec(
            .bounds, "min", .integer(0...Limits.options),
            default: .value(Defaults.minimumSegments),
            "The smallest number of segments."),
        KeySpec(
            .bounds, "max", .integer(1...Limits.options), default: "all",
            "The largest number of segments."),
    ]

    private static let confirmKeys: [KeySpec] = [
        KeySpec(
            .confirm, "hold", milliseconds(500, 60_000),
            "Hold for this time. With `chord`: hold all buttons together for this time; "
                + "\(DurationText.text(Defaults.chordHold)) if you leave it out."),
        KeySpec(
            .confirm, "press-twice", milliseconds(100, 60_000), "Press again within this time."),
        KeySpec(
            .confirm, "arm", milliseconds(100, 600_000),
            "A press arms the control for this time; a second press fires it, at the earliest half "
                + "a second after the release."),
        KeySpec(
            .confirm, "guard", .line,
            "The contact of a cover, closed while the cover is shut. The cover must be open for a "
                + "press to count. Remote callers are refused."),
        KeySpec(
            .confirm, "chord", .list(.text, 1...Limits.members),
            "The ids of push buttons that must be pressed together, and with this one if it has an "
                + "`input`. Remote callers are refused."),
    ]

    private static func itemKeys(_ section: Section) -> [KeySpec] {
        [
            KeySpec(section, "name", .text, isRequired: true, "The name of the item."),
            KeySpec(section, "symbol", .text, "A symbol that the page shows next to the name."),
            KeySpec(
                section, "role", .words(ButtonRole.commands.map(\.word)),
                default: .word(Defaults.role),
                "The purpose of the item; `destructive` needs `confirm`."),
            KeySpec(
                section, "confirm", .section(.confirm), "How choosing the item must be confirmed."),
            KeySpec(section, "action", .section(.action), "What happens when the item is chosen."),
        ]
    }
}
