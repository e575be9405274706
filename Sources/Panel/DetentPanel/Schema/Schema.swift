import DetentCore
import DetentTypes

/// The table of all keys: the parser, the JSON schema and the documents use it.
struct Schema: Sendable {
    /// The kinds of controls that a panel can have.
    let kinds: [Kind]
    /// The kinds of actions that a panel can have.
    let actionKinds: [ActionKind]
    /// Every key, in the order of the documents.
    let keys: [KeySpec]
    /// Every map of keys, in the order of the documents.
    let sections: [Section]
    /// The keys of each section, including reserved ones.
    let bySection: [Section: [KeySpec]]
    /// Every key of each kind of control, in the order of the table.
    private let keysOfKinds: [String: [String]]

    /// The table of this version.
    static let builtIn = Schema()

    init(kinds: [Kind] = Kind.all, actionKinds: [ActionKind] = ActionKind.all) {
        self.kinds = kinds
        self.actionKinds = actionKinds
        keys =
            Self.panelKeys + Self.groupKeys + Self.defaultsKeys(kinds)
            + Self.boardKeys + Self.chipKeys + Self.layoutKeys + Self.displayKeys + Self.historyKeys
            + Self.lintKeys
            + Self.brokerKeys + Self.controlKeys(kinds) + Self.feedbackKeys + Self.partKeys
            + Self.actionKeys(actionKinds)
        let common = Section.common
        sections = common + actionKinds.flatMap(\.sections).filter { !common.contains($0) }
        bySection = Dictionary(grouping: keys, by: \.section)
        let names = bySection[.control, default: []].map(\.name)
        let pairs = kinds.map { kind in
            (kind.word, names.filter(Set(kind.ownKeys).contains))
        }
        keysOfKinds = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The kind with this word; nil if there is none.
    func kind(named word: String?) -> Kind? { kinds.first { $0.word == word } }

    /// What a key of a control means.
    func summary(of key: String) -> String { self.key(key, in: .control)?.summary ?? "" }

    /// Every key of a kind, in the order of the table.
    func keys(of kind: Kind) -> [String] { keysOfKinds[kind.word] ?? [] }

    /// The keys of a section.
    func keys(in section: Section) -> [KeySpec] { bySection[section] ?? [] }

    /// Keys of a section of which a panel file has exactly one; empty if there is no such choice.
    func choice(in section: Section) -> [String] {
        if section == .query { return actionKinds.filter(\.canAnswer).map(\.word) }
        if section == .feedback { return Self.feedbackSources }
        return actionKinds.first { kind in
            if case .section(section) = kind.shape { !kind.oneOf.isEmpty } else { false }
        }?.oneOf ?? []
    }

    func key(_ name: String, in section: Section) -> KeySpec? {
        bySection[section]?.first { $0.name == name }
    }

    static func milliseconds(_ low: UInt64, _ high: UInt64) -> Shape {
        .duration(.milliseconds(low)...(.milliseconds(high)))
    }

    static let panelKeys: [KeySpec] = [
        KeySpec(
            .panel, "panel", .text, isRequired: true, "The panel's name."),
        KeySpec(
            .panel, "board", .anyOf([.text, .section(.board)]), default: .word("auto"),
            "A name from `detent boards`; `auto` for the board that Detent runs on; `none` for "
                + "lines given by chip and offset, or simulated lines."),
        KeySpec(
            .panel, "patterns", .section(.patterns),
            "Patterns of all lamps of the panel; a control can override them."),
        KeySpec(
            .panel, "lamp-current", .measure(.current, 0...1_000),
            default: .value(Defaults.lampMilliamperes, unit: "mA"),
            "The current that one lamp draws from its line; `0mA` if a transistor or a driver "
                + "feeds it. Only `detent check` uses it."),
        KeySpec(
            .panel, "colors", .section(.colors),
            "Colours of all lamps with several colours; a lamp that cannot make a colour keeps its "
                + "default."),
        KeySpec(
            .panel, "dimmer", .text, default: "none",
            "The id of a dial that dims all lamps: its range is 0 to 100 % of their own "
                + "brightness."),
        KeySpec(
            .panel, "lamp-test", .text, default: "none",
            "The id of a control that lights all lamps: a button while it is pressed, a switch "
                + "while it is on."),
        KeySpec(
            .panel, "chips", .named(.chip, 1...Limits.chips), default: "none",
            "Port expanders by their names: `left.0` is the first line of the chip `left`. See "
                + "[port expanders](../expanders.md)."),
        KeySpec(.panel, "layout", .section(.layout), "How the front panel is laid out."),
        KeySpec(
            .panel, "displays", .named(.display, 1...Limits.displays),
            "Displays by their names, for the key `display` of controls. See "
                + "[displays](../displays.md)."),
        KeySpec(
            .panel, "history", .anyOf([.words(["off"]), .section(.history)]),
            default: "on, if there is a state directory",
            "Values and events in one database. `off` keeps only the values, in a text file. See "
                + "[history](../history.md)."),
        KeySpec(
            .panel, "lint", .section(.lint), default: "all warnings are on",
            "Switches warnings off, by the names of their rules: `{label-title-case: off}`."),
        KeySpec(
            .panel, "mqtt", .section(.mqtt), default: "none",
            "The MQTT broker: others see and operate the panel through it."),
        KeySpec(
            .panel, "defaults", .section(.defaults), default: "none",
            "Keys that controls have if neither they nor their group have them."),
        KeySpec(
            .panel, "groups", .list(.section(.group), 1...Limits.members), default: "none",
            "Groups with their controls, beside `controls` or in place of it. See "
                + "[many alike](../many-alike.md)."),
        KeySpec(
            .panel, "controls", .controls(inGroup: false), isRequired: true, substitute: "groups",
            "The controls by their ids; without it, `groups` is required."),
    ]

    static let groupKeys: [KeySpec] = [
        KeySpec(.group, "name", .text, isRequired: true, "Its title on the page."),
        KeySpec(
            .group, "help", .text, default: "none", "A line that the page shows under the title."),
        KeySpec(
            .group, "defaults", .defaults(kind: nil), default: "none",
            "Keys that its controls have if they lack them, also `kind`."),
        KeySpec(
            .group, "controls", .controls(inGroup: true), isRequired: true,
            "The controls of the group by their ids. Ids are unique in the file."),
    ]

    static func defaultsKeys(_ kinds: [Kind]) -> [KeySpec] {
        [
            KeySpec(
                .defaults, "action", .actions, default: "none",
                "With `run`, `http` or another kind of action, the action of controls that have "
                    + "none. Without one, keys such as `timeout` for the actions that lack them.")
        ]
            + kinds.map {
                KeySpec(
                    .defaults, $0.word, .defaults(kind: $0.word), default: "none",
                    "Keys that each `\($0.word)` has if it lacks them.")
            }
    }

    static let boardKeys: [KeySpec] = [
        KeySpec(
            .board, "name", .text, isRequired: true,
            "A name from `detent boards`, or `auto`; as `board: NAME`."),
        KeySpec(
            .board, "free", .list(.text, 1...Limits.freeFunctions),
            "Functions of the board that you have switched off, such as `uart0` or `spi0`. Their "
                + "pins are plain lines, without a warning. `detent doctor` checks it on the "
                + "board."),
    ]

    static let layoutKeys: [KeySpec] = [
        KeySpec(
            .layout, "width", .measure(.length, 50...Limits.plateMillimeters),
            default: "the width of the window; for the template, the smallest in good proportion",
            "The width of the plate."),
        KeySpec(
            .layout, "order", .list(.text, 1...Limits.members),
            default: "the order of the file",
            "Groups in the order in which they are placed. The others follow."),
    ]

    static let historyKeys: [KeySpec] = [
        KeySpec(
            .history, "rows", .integer(Limits.historyRows),
            default: .value(Defaults.historyRows),
            "The events that are kept; the oldest are deleted.")
    ]

    static let lintKeys: [KeySpec] = Rule.all.filter { $0.severity == .warning }.map {
        KeySpec(.lint, $0.name, .words(["on", "off"]), default: .word("on"), $0.summary)
    }

    static func controlKeys(_ kinds: [Kind]) -> [KeySpec] {
        [
            KeySpec(
                .control, "kind", .words(kinds.map(\.word)),
                isRequired: true, "What the control is."),
            KeySpec(
                .control, "label", .text, isRequired: true,
                "The control's name; required, even if a symbol is shown instead."),
            KeySpec(
                .control, "symbol", .text, "A symbol that the page shows instead of the label."),
            KeySpec(.control, "group", .text, "The layout group of the page."),
            KeySpec(
                .control, "row", .integer(1...100), default: .value(Defaults.row),
                "The row in its group."),
            KeySpec(
                .control, "at", .list(.measure(.length, 0...Limits.plateMillimeters), 2...2),
                default: "a free place",
                "The middle of the part, from the left and from the upper edge of the plate. Other "
                    + "groups are placed below."),
            KeySpec(
                .control, "span", .integer(1...12), default: .value(Defaults.span),
                "The room in its row, in columns of 30mm. Keys and windows get wider with it."),
            KeySpec(
                .control, "part", .words(FacePart.all.map(\.word) + [FacePart.noPart]),
                default: "by kind",
                "The part that is mounted, see [parts](../face.md#parts). `none`: a `switch`, a "
                    + "`radio-group` or a `dial` without a contact, which others set. See "
                    + "[controls without a part](../many-alike.md#controls-without-a-part)."),
            KeySpec(
                .control, "display", .anyOf([.text, .section(.display)]),
                "The display that shows the control in words: a name of `displays`, or a display "
                    + "for this control alone."),
        ] + lookKeys + contactKeys + gestureKeys + valueKeys + deviceKeys + outputKeys + ruleKeys
            + [
                KeySpec(
                    .control, "feedback", .section(.feedback),
                    "How the device reports its value without being asked. See "
                        + "[feedback](../feedback.md).")
            ]
    }

    private static let contactKeys: [KeySpec] = [
        KeySpec(
            .control, "input", .line,
            "The contact: active low with a pull-up by default."),
        KeySpec(
            .control, "lever", .section(.lever),
            "The two contacts of a lever: `up` and `down` of a three-way lever, `on` and `off` of "
                + "a changeover switch."),
        KeySpec(
            .control, "selector", .anyOf([.list(.line, 1...Limits.options), .section(.selector)]),
            "The contacts of a rotary selector, one for each option or coded."),
        KeySpec(.control, "encoder", .section(.encoder), "The contacts of a rotary encoder."),
        KeySpec(
            .control, "analog", .section(.analog),
            "The channel of a converter at which a potentiometer or a selector on a ladder of "
                + "resistors is."),
        KeySpec(
            .control, "buttons",
            .anyOf([.list(.line, 1...Limits.options), .section(.menuButtons)]),
            "A push button for each option, in their order; or the few buttons of a menu."),
        KeySpec(
            .control, "debounce",
            .anyOf([milliseconds(0, 10_000), .words(["none"]), .section(.debounce)]),
            default: "by kind", "How the contact is debounced."),
        KeySpec(
            .control, "settle", milliseconds(0, 10_000),
            default: .value(
                Defaults.settle, "for positions",
                others: [
                    (Defaults.turnSettle, "for an encoder without `push`"),
                    (.zero, "for a potentiometer"),
                ]),
            "How long a position must hold before it counts. Use more, such as 150ms, if a slow "
                + "turn must not switch the positions in between."),
    ]

    private static let gestureKeys: [KeySpec] = [
        KeySpec(
            .control, "click", .section(.click),
            default: "a press of any length, reported at once",
            "What a click is."),
        KeySpec(
            .control, "double-click",
            .anyOf([milliseconds(1, 10_000), .section(.doubleClick)]), default: "none",
            "Two clicks in a row: the largest gap from a release to the next press, and what they "
                + "do."),
        KeySpec(
            .control, "multi-click", .section(.multiClick), default: "none",
            "Several clicks in a row."),
        KeySpec(
            .control, "hold", .anyOf([milliseconds(1, 600_000), .section(.hold)]),
            default: "none",
            "A press this long is a hold, reported at that moment, and what it does."),
        KeySpec(
            .control, "exclusive", .boolean, default: .value(Defaults.isExclusive),
            "Whether one press does one thing: with a gesture that acts, the rest waits until the "
                + "gesture cannot come any more. `false`: the press acts at once, and the gesture "
                + "acts too."),
        KeySpec(
            .control, "repeat", .section(.repeat), default: "none",
            "Repetition while the button is held."),
    ]

    private static let valueKeys: [KeySpec] = [
        KeySpec(
            .control, "latch",
            .anyOf([.words(["toggle", "momentary", "tap-or-hold"]), .section(.latch)]),
            default: "toggle",
            "How presses of a push button become states. On a `switch`, it also means that the "
                + "part is a push button, not a lever."),
        KeySpec(
            .control, "states", .section(.states),
            "Names for on and off, or for the positions of a three-way lever, that the page shows; "
                + "in files and events they stay `on`, `off`, `up`, `center` and `down`."),
        KeySpec(
            .control, "range", .section(.range), "The numbers of a dial."),
        KeySpec(
            .control, "turn", .actions,
            "What turning a dial does, in place of `range`: one action, whose `{steps}` are the "
                + "detents since its last run, clockwise positive; or `{up: …, down: …}`, whose "
                + "`{steps}` are positive. An action without `{steps}` runs once for each detent."),
        KeySpec(
            .control, "by", .integer(1...1_000), default: .value(Defaults.stepsOfDetent),
            "What one detent counts in the `{steps}` of `turn`."),
        KeySpec(
            .control, "options",
            .list(.anyOf([.text, .section(.option)]), 1...Limits.options),
            "The options in the order of the positions."),
        KeySpec(
            .control, "default", .text, default: "the first option, the lowest number",
            "The value if no other is known."),
        KeySpec(
            .control, "mismatch", .words(MismatchPolicy.words),
            default: .word(Defaults.mismatch),
            "How a part that holds its position behaves after the value was changed elsewhere."),
        KeySpec(
            .control, "startup", .text,
            default: .described(
                "`panel` for levers, selectors and potentiometers, `default` for "
                    + "`latch: momentary`, else `saved`"),
            "The value at start: `panel` takes the position; `saved` is the last value, if there "
                + "is a state directory; `device` asks with `query`; or a value."),
        KeySpec(
            .control, "startup-runs-action", .boolean, default: "true for `startup: panel`",
            "Whether the action of the first value runs at start. It never runs for a `default` "
                + "that replaces an unknown value."),
        KeySpec(
            .control, "startup-delay", milliseconds(0, 3_600_000), default: .value(.zero),
            "How long after the start of the panel the control takes its first value."),
        KeySpec(
            .control, "query", .section(.query),
            "How Detent asks the device for its value."),
    ]

    private static let outputKeys: [KeySpec] = [
        KeySpec(
            .control, "indicator",
            .anyOf([.line, .list(.line, 1...Limits.options), .section(.indicator)]),
            "The lamp; active high by default."),
        KeySpec(.control, "patterns", .section(.patterns), "Patterns of this control's lamps."),
        KeySpec(.control, "output", .line, "A line driven to the control's value."),
        KeySpec(
            .control, "outputs", .linesByOption,
            "A line for each option; the line of the chosen option is on. An option can be without "
                + "a line."),
        KeySpec(
            .control, "transition", .words(["break-before-make", "make-before-break", "none"]),
            default: .word(Defaults.transition), "How one of `outputs` replaces another."),
        KeySpec(
            .control, "dead-time", milliseconds(0, 60_000),
            default: .value(OutputTransition.defaultDeadTime),
            "With `break-before-make`: time from the moment when the last output was really off, "
                + "or from the start of the program, to the next one on."),
        KeySpec(
            .control, "pulse", milliseconds(1, 60_000), default: "none",
            "After each change to it, the output is on for this time, counted from the write, and "
                + "then off: for latching relays and point motors. Several outputs take turns."),
        KeySpec(
            .control, "on-exit", .words(ExitLevel.words), default: .word(Defaults.exitLevel),
            "The level of the output after the program ends."),
        KeySpec(
            .control, "on-crash", .words(ExitLevel.words), default: "none",
            "The level that the guardian process writes to the output when the panel crashes. "
                + "`keep`, or no key, writes nothing."),
        KeySpec(
            .control, "action", .actions,
            "What happens when the value changes. With `none`, no action of `defaults` is taken."),
    ]
}
