/// A map of the panel file with keys of its own.
enum Section: Hashable, Sendable {
    case panel, board, layout, display, history, lint, mqtt, control, line, debounce, click
    case multiClick, `repeat`, lever, selector, encoder
    case range, option, states, latch, indicator, patterns, colors, action, onFailure, retry
    case query, feedback, feedbackRequest, feedbackMessage, menuButtons, selection, bounds, confirm
    case item, subItem, step, outputStep
    /// The keys of one kind of action, with the heading and a sentence for the documents.
    case actionKind(title: String, summary: String)

    /// Every section except those of single kinds of actions.
    static let common: [Section] = [
        .panel, .board, .layout, .display, .history, .lint, .mqtt, .control, .line, .debounce,
        .click, .multiClick, .repeat, .lever, .selector, .encoder, .range, .option, .states, .latch,
        .indicator, .patterns, .colors, .action, .onFailure, .retry, .query, .feedback,
        .feedbackRequest, .feedbackMessage, .menuButtons, .selection, .bounds, .confirm, .item,
        .subItem, .step, .outputStep,
    ]

    /// The heading in the documents.
    var title: String {
        switch self {
        case .panel: "Panel"
        case .board: "Board"
        case .layout: "Layout"
        case .display: "Display"
        case .history: "History"
        case .lint: "Lint"
        case .mqtt: "MQTT"
        case .control: "Control"
        case .line: "Line"
        case .debounce: "Debounce"
        case .click: "Click"
        case .multiClick: "Multi-click"
        case .repeat: "Repeat"
        case .lever: "Lever"
        case .selector: "Selector"
        case .encoder: "Encoder"
        case .range: "Range"
        case .option: "Option"
        case .states: "States"
        case .latch: "Latch"
        case .indicator: "Indicator"
        case .patterns: "Patterns"
        case .colors: "Colors"
        case .action: "Action"
        case .onFailure: "After a failure"
        case .retry: "Retry"
        case .menuButtons: "Menu buttons"
        case .selection: "Selection"
        case .bounds: "Bounds"
        case .confirm: "Confirm"
        case .item: "Item"
        case .subItem: "Submenu item"
        case .query: "Query"
        case .feedback: "Feedback"
        case .feedbackRequest: "Feedback request"
        case .feedbackMessage: "Feedback message"
        case .step: "Step"
        case .outputStep: "Output action"
        case .actionKind(let title, _): title
        }
    }

    /// Whether these are the keys of one kind of action, in whose texts placeholders are replaced.
    var isActionKind: Bool {
        if case .actionKind = self { true } else { false }
    }

    /// The heading as the target of a link.
    var anchor: String { title.lowercased().replacing(" ", with: "-") }

    /// What the map is for.
    var summary: String {
        switch self {
        case .panel: "The whole file."
        case .board:
            "The board, and which of its functions are off. Short form: its name."
        case .layout:
            "The front panel, for the page and for [the drilling template](../face.md). Without "
                + "it, Detent packs the groups in the order of the file."
        case .display:
            "A small screen that shows controls in words. It has one of `charlcd`, `framebuffer` "
                + "and `run`. See [displays](../displays.md)."
        case .history:
            "The values and events that are kept on the disk. See [history](../history.md)."
        case .lint:
            "Warnings that this panel does not need, by the names of their rules. See "
                + "[lint](../lint.md)."
        case .mqtt:
            "The MQTT broker that the panel connects to. See [MQTT](../mqtt.md)."
        case .control: "One control; which keys it takes depends on its `kind`."
        case .line:
            "A line of the board. Short form: a line's name (`GPIO17`), or a pin of the header "
                + "(`pin 11`, and `pin P9.12` on boards with several headers)."
        case .debounce:
            "How a contact is debounced. Short form: a time for the kind's algorithm, or `none`. "
                + "A map with `algorithm` starts without defaults; a map without it changes only "
                + "the keys that it has."
        case .click: "What a click is."
        case .multiClick: "Several clicks in a row."
        case .repeat: "Repetition while a button is held."
        case .lever: "The contacts of a lever: `up` and `down`, or `on` and `off`."
        case .selector: "The contacts of a rotary selector. Short form: a list of lines."
        case .encoder: "The contacts of a rotary encoder."
        case .range: "The numbers of a dial; the finest of them sets how many decimals are shown."
        case .option: "One option of a choice. Short form: its name."
        case .states: "What the page shows instead of on and off."
        case .latch:
            "How presses become states. Short form: a word; `tap-or-hold` then means "
                + "\(DurationText.text(Defaults.tapOrHold))."
        case .indicator:
            "The lamps of a control. Short form: a line, or a list with a line for each option. A "
                + "lamp with several colours has `red` and `green`, and optionally `blue`. The "
                + "keys of a [line](#line) are allowed too."
        case .patterns: "What a lamp shows in each condition."
        case .colors:
            "Which colour a lamp of two or three colours has in each condition, and while the "
                + "value is on or off. Without blue, a lamp cannot be blue, magenta, cyan or "
                + "white. Conditions must not differ by colour alone; their patterns must differ "
                + "too."
        case .action: "What happens when the value changes, and when a button is pressed."
        case .onFailure: "What happens after a failure. Short form: a word."
        case .retry: "Further attempts after a failure."
        case .actionKind(_, let summary): summary
        case .menuButtons: "The few push buttons that move through a menu."
        case .selection: "Which segments can be chosen. Short form: a word."
        case .bounds: "How many segments can be chosen at the same time."
        case .confirm: "How a control is confirmed: one of these, or `chord` with `hold`."
        case .item: "One item of a menu."
        case .subItem: "One item of a submenu."
        case .step: "One step of a sequence; it has one key of an action, such as `run`."
        case .outputStep:
            "An output that an action drives. Short form: a line, which becomes active. The keys "
                + "of a [line](#line) are allowed too."
        case .feedback:
            "What the device of a control reports without being asked: one source, and what its "
                + "words mean. See [feedback](../feedback.md)."
        case .feedbackRequest: "A web service that is asked again and again."
        case .feedbackMessage:
            "Messages of Open Sound Control that a device sends to this machine."
        case .query:
            "A program or a request that reports the value of the device: the first line of the "
                + "standard output or of the answer, or what `confirm` says, is the value. Detent "
                + "asks when the outcome of an action is unknown, and at start with `startup: "
                + "device`."
        }
    }
}
