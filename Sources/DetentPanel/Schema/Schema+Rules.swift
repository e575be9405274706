import DetentTypes

extension Schema {
    /// Keys by which controls have to do with each other and with time.
    static let ruleKeys: [KeySpec] = [
        KeySpec(
            .control, "enabled-when", .text, standard: "always enabled",
            "A condition on the confirmed values of other controls, such as `main is on and not "
                + "(mode is auto)`, see [conditions](../conditions.md). While it is false, intents "
                + "are refused, and told so."),
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
            .control, "audit", milliseconds(1, 86_400_000), standard: "never",
            "How often contacts that are quiet are read again, for expanders and wires that lose "
                + "edges without a sign. What differs counts as lost, and is mended."),
        KeySpec(
            .control, "selection",
            .anyOf([.words(["single", "multiple", "momentary"]), .section(.selection)]),
            standard: "single",
            "Whether one segment is chosen, several are, or each only runs its action."),
        KeySpec(
            .control, "items",
            .list(.anyOf([.words(["separator"]), .section(.item)]), 1...Limits.menuItems),
            "The commands of a menu, with `separator` between groups."),
        KeySpec(
            .control, "close-after", milliseconds(0, 3_600_000),
            standard: "10s for menus, 5s for a turn that is not chosen",
            "A menu closes without a change after so long without a touch; `0s`: never."),
        KeySpec(
            .control, "role", .words(ButtonRole.allCases.map(\.rawValue)), standard: "normal",
            "What a button is for; `destructive` needs `confirm`."),
        KeySpec(
            .control, "confirm", .section(.confirm),
            "What besides a press it takes."),
        KeySpec(
            .control, "active-label", .text, standard: "the label",
            "What the page writes on a button while its action runs."),
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
            "Several segments are chosen, between so many and so many."),
        KeySpec(
            .bounds, "min", .integer(0...Limits.options), standard: "0", "The fewest."),
        KeySpec(
            .bounds, "max", .integer(1...Limits.options), standard: "all", "The most."),
    ]

    private static let confirmKeys: [KeySpec] = [
        KeySpec(
            .confirm, "hold", milliseconds(100, 60_000),
            "Held this long. Beside `chord`: how long the buttons are held together."),
        KeySpec(
            .confirm, "press-twice", milliseconds(100, 60_000), "Pressed again within this."),
        KeySpec(
            .confirm, "arm", milliseconds(100, 600_000),
            "A press arms it for so long; a press while it is armed fires, half a second after the "
                + "release at the earliest."),
        KeySpec(
            .confirm, "guard", .line,
            "The contact of a cover, closed while the cover is shut; it must be open. A remote "
                + "caller is refused."),
        KeySpec(
            .confirm, "chord", .list(.text, 1...Limits.members),
            "The ids of push buttons that must be pressed together, with this one where it has an "
                + "`input`. A remote caller is refused."),
    ]

    private static func itemKeys(_ section: Section) -> [KeySpec] {
        [
            KeySpec(section, "name", .text, isRequired: true, "What the item is called."),
            KeySpec(section, "symbol", .text, "A symbol that the page shows beside the name."),
            KeySpec(
                section, "role", .words(ButtonRole.allCases.map(\.rawValue)), standard: "normal",
                "What the item is for; `destructive` needs `confirm`."),
            KeySpec(
                section, "confirm", .section(.confirm), "What it takes besides choosing it."),
            KeySpec(section, "action", .section(.action), "What happens when it is chosen."),
        ]
    }
}
