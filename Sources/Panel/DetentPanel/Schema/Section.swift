import DetentTypes

/// A map of the panel file with keys of its own.
///
/// Two sections are equal if their titles are.
struct Section: Hashable, Sendable {
    /// The heading in the documents.
    let title: String
    /// What the map is for.
    let summary: String
    /// Whether these are the keys of one kind of action, in whose texts placeholders are replaced.
    let isActionKind: Bool

    private init(_ title: String, _ summary: String, isActionKind: Bool = false) {
        self.title = title
        self.summary = summary
        self.isActionKind = isActionKind
    }

    /// The keys of one kind of action, with the heading and a sentence for the documents.
    static func actionKind(title: String, summary: String) -> Section {
        Section(title, summary, isActionKind: true)
    }

    static func == (left: Section, right: Section) -> Bool { left.title == right.title }

    func hash(into hasher: inout Hasher) { hasher.combine(title) }

    /// The heading as the target of a link.
    var anchor: String { title.lowercased().replacing(" ", with: "-") }
}

/// Every section except those of single kinds of actions, in the order of the documents.
extension Section {
    static let panel = Section("Panel", "The whole file.")
    static let board = Section(
        "Board",
        "The board, and which of its functions are off. Short form: its name.")
    static let group = Section(
        "Group",
        "Controls that are shown together, and what they have in common. A group that is named "
            + "twice is one group.")
    static let defaults = Section(
        "Defaults",
        "Keys that controls have if they lack them. A key replaces the whole default; the nearest "
            + "counts: the control, its group, its kind, the action of the panel. A default that "
            + "no control can have is an error.")
    static let layout = Section(
        "Layout",
        "The front panel, for the page and for [the drilling template](../face.md). Without "
            + "it, Detent packs the groups in the order of the file.")
    static let chip = Section(
        "Chip",
        "A port expander or another GPIO chip. It has one of `i2c`, `label` and `device`. See "
            + "[port expanders](../expanders.md).")
    static let display = Section(
        "Display",
        "A small screen that shows controls in words. It has one of `charlcd`, `framebuffer`, "
            + "`file` and `run`. See [displays](../displays.md).")
    static let history = Section(
        "History",
        "The values and events that are kept on the disk. See [history](../history.md).")
    static let lint = Section(
        "Lint",
        "Warnings that this panel does not need, by the names of their rules. See "
            + "[lint](../lint.md).")
    static let mqtt = Section(
        "MQTT",
        "The MQTT broker that the panel connects to. See [MQTT](../mqtt.md).")
    static let control = Section(
        "Control", "One control; which keys it takes depends on its `kind`.")
    static let line = Section(
        "Line",
        "A line of the board. Short form: a line's name (`GPIO17`), or a pin of the header "
            + "(`pin 11`, and `pin P9.12` on boards with several headers).")
    static let debounce = Section(
        "Debounce",
        "How a contact is debounced. Short form: a time for the kind's algorithm, or `none`. "
            + "A map with `algorithm` starts without defaults; a map without it changes only "
            + "the keys that it has.")
    static let click = Section("Click", "What a click is, and for a dial, what it does.")
    static let doubleClick = Section(
        "Double click", "Two clicks in a row, and what they do. Short form: the gap.")
    static let hold = Section(
        "Hold", "A long press, and what it does. Short form: the time.")
    static let multiClick = Section("Multi-click", "Several clicks in a row.")
    static let `repeat` = Section("Repeat", "Repetition while a button is held.")
    static let lever = Section(
        "Lever",
        "The contacts of a lever: `up` and `down`, or `on` and `off`.")
    static let selector = Section(
        "Selector",
        "The contacts of a rotary selector. Short form: a list of lines.")
    static let encoder = Section("Encoder", "The contacts of a rotary encoder.")
    static let analog = Section(
        "Analog",
        "A channel of a converter: the voltage of a potentiometer, or of a ladder of resistors on "
            + "a selector. See [analog inputs](../analog.md).")
    static let pwm = Section(
        "PWM",
        "A channel that makes pulses: the longer they are, the stronger the output. See "
            + "[levels](../levels.md).")
    static let range = Section(
        "Range",
        "The numbers of a dial; the finest of them sets how many decimals are shown.")
    static let option = Section("Option", "One option of a choice. Short form: its name.")
    static let states = Section(
        "States",
        "What the page shows instead of on and off, or instead of the positions of a three-way "
            + "lever; a name for each.")
    static let latch = Section(
        "Latch",
        "How presses become states. Short form: a word; `tap-or-hold` then means "
            + "\(DurationText.text(Defaults.tapOrHold)).")
    static let indicator = Section(
        "Indicator",
        "The lamps of a control. Short form: a line, or a list with a line for each option. A "
            + "lamp with several colours has `red` and `green`, and optionally `blue`. The "
            + "keys of a [line](#line) are allowed too.")
    static let patterns = Section("Patterns", "What a lamp shows in each condition.")
    static let colors = Section(
        "Colors",
        "Which colour a lamp of two or three colours has in each condition, and while the "
            + "value is on or off. Without blue, a lamp cannot be blue, magenta, cyan or "
            + "white. Conditions must not differ by colour alone; their patterns must differ "
            + "too.")
    static let action = Section(
        "Action",
        "What happens when the value changes, and when a button is pressed.")
    static let onFailure = Section(
        "After a failure",
        "What happens after a failure. Short form: a word.")
    static let retry = Section("Retry", "Further attempts after a failure.")
    static let query = Section(
        "Query",
        "A program or a request that reports the value of the device: the first line of the "
            + "standard output or of the answer, or what `confirm` says, is the value. Detent "
            + "asks when the outcome of an action is unknown, and at start with `startup: "
            + "device`.")
    static let feedback = Section(
        "Feedback",
        "What the device of a control reports without being asked: one source, and what its "
            + "words mean. See [feedback](../feedback.md).")
    static let feedbackRequest = Section(
        "Feedback request", "A web service that is asked again and again.")
    static let feedbackMessage = Section(
        "Feedback message",
        "Messages of Open Sound Control that a device sends to this machine.")
    static let feedbackTCP = Section(
        "Feedback over TCP", "Lines that a device says over a connection.")
    static let feedbackUDP = Section(
        "Feedback over UDP", "Lines that a device says in datagrams.")
    static let feedbackSerial = Section(
        "Feedback over serial", "Lines that a device says over a serial wire.")
    static let menuButtons = Section(
        "Menu buttons", "The few push buttons that move through a menu.")
    static let selection = Section("Selection", "Which segments can be chosen. Short form: a word.")
    static let bounds = Section("Bounds", "How many segments can be chosen at the same time.")
    static let confirm = Section(
        "Confirm",
        "How a control is confirmed: one of these, or `chord` with `hold`.")
    static let item = Section("Item", "One item of a menu.")
    static let subItem = Section("Submenu item", "One item of a submenu.")
    static let step = Section(
        "Step",
        "One step of a sequence; it has one key of an action, such as `run`.")
    static let outputStep = Section(
        "Output action",
        "An output that an action drives. Short form: a line, which becomes active. The keys "
            + "of a [line](#line) are allowed too.")

    static let change = Section(
        "Change", "In place of a value in `set`: how far a number moves from the one that is shown."
    )

    static let common: [Section] = [
        .panel, .group, .defaults, .board,
        .chip, .layout, .display, .history, .lint, .mqtt, .control,
        .line, .debounce,
        .click, .doubleClick, .hold, .multiClick, .repeat, .lever, .selector, .encoder, .analog,
        .pwm, .range,
        .option, .states,
        .latch, .indicator, .patterns, .colors, .action, .onFailure, .retry, .query, .feedback,
        .feedbackRequest, .feedbackMessage, .feedbackTCP, .feedbackUDP, .feedbackSerial,
        .menuButtons, .selection, .bounds, .confirm, .item,
        .subItem, .step, .outputStep, .change,
    ]
}
