/// A map of the panel file with keys of its own.
enum Section: Hashable, Sendable {
    case panel, control, line, debounce, click, multiClick, `repeat`, lever, selector, encoder
    case range, option, states, latch, indicator, patterns, colors, action, onFailure, retry
    case query, menuButtons, selection, bounds, confirm, item, subItem, step, outputStep
    /// The keys of one kind of action, with the heading and a sentence for the documents.
    case actionKind(title: String, summary: String)

    /// Every section except those of single kinds of actions.
    static let common: [Section] = [
        .panel, .control, .line, .debounce, .click, .multiClick, .repeat, .lever, .selector,
        .encoder, .range, .option, .states, .latch, .indicator, .patterns, .colors, .action,
        .onFailure, .retry, .query, .menuButtons, .selection, .bounds, .confirm, .item, .subItem,
        .step, .outputStep,
    ]

    /// The heading in the documents.
    var title: String {
        switch self {
        case .panel: "Panel"
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
        case .onFailure: "On failure"
        case .retry: "Retry"
        case .menuButtons: "Menu buttons"
        case .selection: "Selection"
        case .bounds: "Bounds"
        case .confirm: "Confirm"
        case .item: "Item"
        case .subItem: "Submenu item"
        case .query: "Query"
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
        case .control: "One control; which keys it takes depends on its `kind`."
        case .line:
            "A line of the board. In short form it is a line's name (`GPIO17`), or a pin of the "
                + "header (`pin 11`, and `pin P9.12` on boards with several headers)."
        case .debounce:
            "How edges become a contact. In short form it is a time, which keeps the kind's own "
                + "algorithm, or `none`. A map with `algorithm` starts from nothing; one without "
                + "changes only what it names."
        case .click: "What a click is."
        case .multiClick: "Several clicks in a row."
        case .repeat: "Repetition while a button is held."
        case .lever: "The contacts of a lever: `up` and `down`, or `on` and `off`."
        case .selector: "The contacts of a rotary selector. In short form it is a list of lines."
        case .encoder: "The contacts of a rotary encoder."
        case .range: "The numbers of a dial; the finest of them says how many decimals it shows."
        case .option: "One option of a choice. In short form it is its name."
        case .states: "What the page shows in place of on and off."
        case .latch: "How presses become states. In short form it is a word."
        case .indicator:
            "The lamps of a control. In short form it is a line, or a list with a line for each "
                + "option. A lamp of several colours has `red` and `green`, and perhaps `blue`. "
                + "The keys of a [line](#line) are allowed too."
        case .patterns: "What a lamp shows in each condition."
        case .colors:
            "Which colour a lamp of two or three colours has in each condition, and while the "
                + "value is on or off. Without blue, a lamp cannot be blue, magenta, cyan or "
                + "white. Colour is never all that tells two conditions apart; patterns do."
        case .action: "What happens when the value changes, and when a button is pressed."
        case .onFailure: "What follows a failure. In short form it is a word."
        case .retry: "Further attempts after a failure."
        case .actionKind(_, let summary): summary
        case .menuButtons: "The few push buttons that move through a menu."
        case .selection: "Which segments may be chosen. In short form it is a word."
        case .bounds: "How many segments may be chosen at once."
        case .confirm: "What it takes to fire something destructive; one of these."
        case .item: "One item of a menu."
        case .subItem: "One item of a submenu."
        case .step: "One step of a sequence; it has one key of an action, such as `run`."
        case .outputStep:
            "An output that an action drives. In short form it is a line, which becomes active. "
                + "The keys of a [line](#line) are allowed too."
        case .query:
            "A program that says which value the device has: the first line of its standard output "
                + "is the word for it. It is asked when nobody knows how an action ended, and at "
                + "start under `startup: device`."
        }
    }
}
