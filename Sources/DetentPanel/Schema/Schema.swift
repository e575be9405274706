import DetentTypes

/// The table of all keys: the parser, the JSON schema and the documents use it.
struct Schema: Sendable {
    /// The kinds of actions that a panel can have.
    let actionKinds: [ActionKind]
    /// Every key, in the order of the documents.
    let keys: [KeySpec]
    /// Every map of keys, in the order of the documents.
    let sections: [Section]
    /// The keys of each section, including reserved ones.
    let bySection: [Section: [KeySpec]]

    /// The table of this version.
    static let builtIn = Schema(actionKinds: ActionKind.all)

    init(actionKinds: [ActionKind]) {
        self.actionKinds = actionKinds
        keys =
            Self.panelKeys + Self.controlKeys + Self.partKeys + Self.actionKeys(actionKinds)
        let common = Section.common
        sections = common + actionKinds.flatMap(\.sections).filter { !common.contains($0) }
        bySection = Dictionary(grouping: keys, by: \.section)
    }

    /// The keys of a section that this version supports.
    func supported(in section: Section) -> [KeySpec] {
        (bySection[section] ?? []).filter { !$0.isLater }
    }

    func key(_ name: String, in section: Section) -> KeySpec? {
        bySection[section]?.first { $0.name == name }
    }

    static func milliseconds(_ low: UInt64, _ high: UInt64) -> Shape {
        .duration(.milliseconds(low)...(.milliseconds(high)))
    }

    static let panelKeys: [KeySpec] = [
        KeySpec(
            .panel, "panel", .text, isRequired: true, "The panel's name, as people call it."),
        KeySpec(
            .panel, "board", .text, standard: "auto",
            "A name from `detent boards`; `auto` for the board that this runs on; `none` for lines "
                + "by chip and offset, or simulated ones."),
        KeySpec(
            .panel, "patterns", .section(.patterns),
            "Patterns of all lamps of the panel; a control may change them again."),
        KeySpec(
            .panel, "lamp-current", .current(0...1_000), standard: "5mA",
            "What one lamp draws from its line; `0mA` where a transistor or a driver feeds it. "
                + "Only `detent check` uses it."),
        KeySpec(
            .panel, "colors", .section(.colors),
            "Colours of all lamps of several colours; a lamp that cannot make one keeps its own."),
        KeySpec(
            .panel, "dimmer", .text, standard: "none",
            "The id of a dial that dims all lamps: its range is 0 to 100 % of their own "
                + "brightness."),
        KeySpec(
            .panel, "lamp-test", .text, standard: "none",
            "The id of a control that lights all lamps: a button while it is pressed, a switch "
                + "while it is on."),
        KeySpec(.panel, "controls", .controls, isRequired: true, "The controls by their ids."),
    ]

    static let controlKeys: [KeySpec] =
        [
            KeySpec(
                .control, "kind", .words(Kind.all.map(\.word), later: []),
                isRequired: true, "What the control is."),
            KeySpec(
                .control, "label", .text, isRequired: true,
                "The control's name; required, even where a symbol is shown instead."),
            KeySpec(
                .control, "symbol", .text, "A symbol that the page shows in place of the label."),
            KeySpec(.control, "group", .text, "The layout group of the page."),
            KeySpec(.control, "row", .integer(1...100), standard: "1", "The row in its group."),
        ] + contactKeys + gestureKeys + valueKeys + outputKeys + ruleKeys
        + KeySpec.later(
            .control, "feedback",
        )

    private static let contactKeys: [KeySpec] = [
        KeySpec(
            .control, "input", .line,
            "The contact: active low with a pull-up unless it says otherwise."),
        KeySpec(
            .control, "lever", .section(.lever),
            "The two contacts of a lever: `up` and `down` of a three-way lever, `on` and `off` of "
                + "a changeover switch."),
        KeySpec(
            .control, "selector", .anyOf([.list(.line, 1...Limits.options), .section(.selector)]),
            "The contacts of a rotary selector, one for each option or coded."),
        KeySpec(.control, "encoder", .section(.encoder), "The contacts of a rotary encoder."),
        KeySpec(
            .control, "buttons",
            .anyOf([.list(.line, 1...Limits.options), .section(.menuButtons)]),
            "A push button for each option, in their order; or the few buttons of a menu."),
        KeySpec(
            .control, "debounce",
            .anyOf([milliseconds(0, 10_000), .words(["none"]), .section(.debounce)]),
            standard: "by kind", "How edges become a contact."),
        KeySpec(
            .control, "settle", milliseconds(0, 10_000), standard: "30ms",
            "How long a position must hold before it counts. Take more, such as 150ms, where a "
                + "slow hand must not switch what lies between."),
    ]

    private static let gestureKeys: [KeySpec] = [
        KeySpec(
            .control, "click", .section(.click),
            standard: "a press of any length, reported at once",
            "What a click is."),
        KeySpec(
            .control, "double-click", milliseconds(1, 10_000), standard: "none",
            "Largest gap from a release to the next press of a double click."),
        KeySpec(
            .control, "multi-click", .section(.multiClick), standard: "none",
            "Several clicks in a row."),
        KeySpec(
            .control, "hold", milliseconds(1, 600_000), standard: "none",
            "A press this long is a hold, reported at that moment."),
        KeySpec(
            .control, "repeat", .section(.repeat), standard: "none",
            "Repetition while the button is held."),
    ]

    private static let valueKeys: [KeySpec] = [
        KeySpec(
            .control, "latch",
            .anyOf([.words(["toggle", "momentary", "tap-or-hold"]), .section(.latch)]),
            standard: "toggle",
            "How presses of a push button become states. It also says that a switch is a push "
                + "button and no lever."),
        KeySpec(
            .control, "states", .section(.states),
            "Names for on and off that the page shows; in files and events they stay `on` and "
                + "`off`."),
        KeySpec(
            .control, "range", .section(.range), "The numbers of a dial."),
        KeySpec(
            .control, "options",
            .list(.anyOf([.text, .section(.option)]), 1...Limits.options),
            "The options in the order of the positions."),
        KeySpec(
            .control, "default", .text, standard: "the first option, the lowest number",
            "The value where nothing else says one."),
        KeySpec(
            .control, "mismatch", .words(["follow", "toggle", "catch-up", "detached"]),
            standard: "follow",
            "What a part that holds a position does when the state was changed by other means."),
        KeySpec(
            .control, "startup", .text,
            standard:
                "panel for levers and selectors, the default for a press that holds, else saved",
            "The value at start: `panel` trusts the position; `saved` is the one from before, "
                + "where there is a state directory; `device` asks by `query`; or a value."),
        KeySpec(
            .control, "startup-runs-action", .boolean, standard: "true for `startup: panel`",
            "Whether the action of the first value runs at start. It never does where `default` "
                + "stands in for a value that is not known."),
        KeySpec(
            .control, "startup-delay", milliseconds(0, 3_600_000), standard: "0ms",
            "How long after the start of the panel."),
        KeySpec(
            .control, "query", .section(.query),
            "How the device is asked which value it has."),
    ]

    private static let outputKeys: [KeySpec] = [
        KeySpec(
            .control, "indicator",
            .anyOf([.line, .list(.line, 1...Limits.options), .section(.indicator)]),
            "The lamp; active high unless it says otherwise."),
        KeySpec(.control, "patterns", .section(.patterns), "Patterns of this control's lamps."),
        KeySpec(.control, "output", .line, "A line driven to the control's value."),
        KeySpec(
            .control, "outputs", .linesByOption,
            "A line for each option, driven to the option that is chosen; some may have none."),
        KeySpec(
            .control, "transition", .words(["break-before-make", "make-before-break", "none"]),
            standard: "break-before-make", "How one of `outputs` takes over from another."),
        KeySpec(
            .control, "dead-time", milliseconds(0, 60_000), standard: "50ms",
            "Under `break-before-make`: from the moment at which the last output was really off, "
                + "or from the start of the program, to the next one on."),
        KeySpec(
            .control, "pulse", milliseconds(1, 60_000), standard: "none",
            "The output is on for so long after each change to it, counted from the write, then "
                + "off: for latching relays and point motors. Several outputs take turns."),
        KeySpec(
            .control, "on-exit", .words(["keep", "off", "on"]), standard: "off",
            "The level that the output is left at when the program ends."),
        KeySpec(
            .control, "on-crash", .words(["keep", "off", "on"]), standard: "none",
            "The level that the output should have after a crash. A program that was killed writes "
                + "nothing: this is a wish, and `detent check` says what grants it."),
        KeySpec(.control, "action", .actions, "What happens when the value changes."),
    ]
}
