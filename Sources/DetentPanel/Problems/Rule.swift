/// The name of a check, by which messages, documents and tests refer to it.
public struct Rule: Equatable, Hashable, Sendable {
    /// Lower-case words joined by '-'.
    public let name: String
    /// Whether what breaks it can be used all the same.
    public let severity: Problem.Severity
    /// What is wanted, in the first sentence, and why; for the owner of a panel.
    public let explanation: String

    /// Makes a rule whose breach is an error; other readers of YAML have rules of their own.
    public init(_ name: String, _ explanation: String) {
        self.init(name, .error, explanation)
    }

    /// Makes a rule.
    public init(_ name: String, _ severity: Problem.Severity, _ explanation: String) {
        self.name = name
        self.severity = severity
        self.explanation = explanation
    }

    /// What is wanted: the first sentence of the explanation.
    public var summary: String {
        guard let end = explanation.firstRange(of: ". ") else { return explanation }
        return explanation[..<end.lowerBound] + "."
    }
}

// Files and YAML.
extension Rule {
    /// The file must be there, and be a file that may be read.
    public static let unreadableFile = Rule(
        "unreadable-file",
        "The file must be there, and be a file that may be read. Nothing can be said of a panel "
            + "that cannot be opened.")
    /// A panel file has at most 1 MiB.
    public static let fileTooLarge = Rule(
        "file-too-large",
        "A panel file has at most 1 MiB. A larger one is some other file, and reading it whole "
            + "could exhaust a small board.")
    /// A panel file must say something.
    public static let emptyFile = Rule(
        "empty-file",
        "A panel file must say something. An empty one is usually a file that was never saved.")
    /// The file must be YAML in UTF-8.
    public static let yamlSyntax = Rule(
        "yaml-syntax",
        "The file must be YAML in UTF-8. What cannot be parsed cannot be checked, so this comes "
            + "alone.")
    /// Anchors, aliases, tags and merge keys are not allowed.
    public static let yamlFeature = Rule(
        "yaml-feature",
        "Anchors, aliases, tags and merge keys are not allowed. They let a small file multiply "
            + "itself, and hide where a value comes from.")
    /// Lists and maps nest at most 32 deep.
    public static let yamlTooDeep = Rule(
        "yaml-too-deep",
        "Lists and maps nest at most 32 deep. No panel needs more, and the bound keeps a "
            + "hostile file from exhausting the reader.")
    /// A file has at most 100,000 values.
    public static let yamlTooManyNodes = Rule(
        "yaml-too-many-values",
        "A file has at most 100,000 values. No panel needs more, and the bound keeps reading "
            + "quick.")
    /// One file is one document.
    public static let severalDocuments = Rule(
        "several-documents",
        "One file is one document. A second one behind `---` would never be looked at.")
    /// A key stands once in its map.
    public static let duplicateKey = Rule(
        "duplicate-key",
        "A key stands once in its map. Where it stands twice, one of the two values would "
            + "silently be lost.")
    /// Past 1,000 problems the rest is only counted.
    public static let tooManyProblems = Rule(
        "too-many-problems",
        "Past 1,000 problems the rest is only counted. A file with that many has one cause that "
            + "comes first.")
}

// Keys and values.
extension Rule {
    /// Every key is one that somebody reads.
    public static let unknownKey = Rule(
        "unknown-key",
        "Every key is one that somebody reads. A misspelt one would leave the panel with a "
            + "default that nobody asked for.")
    /// A key means something for the kind of its control.
    public static let keyNotForKind = Rule(
        "key-not-for-kind",
        "A key means something for the kind of its control. One that does not would be ignored, "
            + "and the panel would not do what its file says.")
    /// A key means something for the debounce algorithm that it stands beside.
    public static let keyNotForAlgorithm = Rule(
        "key-not-for-algorithm",
        "A key means something for the debounce algorithm that it stands beside. One that does "
            + "not would be ignored.")
    /// Two keys never say the same thing, or opposite ones.
    public static let conflictingKeys = Rule(
        "conflicting-keys",
        "Two keys never say the same thing, or opposite ones. Which of them counts would be a "
            + "guess.")
    /// What has no sensible default must be written.
    public static let missingKey = Rule(
        "missing-key",
        "What has no sensible default must be written. A guess would be right for somebody "
            + "else's panel.")
    /// The word is known, but this version cannot do it.
    public static let notSupportedYet = Rule(
        "not-supported-yet",
        "The word is known, but this version cannot do it. It is refused, so that no panel runs "
            + "without what its owner relies on.")
    /// A value has the form that its key wants: text, a list or a map.
    public static let wrongType = Rule(
        "wrong-type",
        "A value has the form that its key wants: text, a list or a map. Nothing is bent into "
            + "another form.")
    /// Only certain words are allowed here.
    public static let unknownWord = Rule(
        "unknown-word",
        "Only certain words are allowed here. A misspelt one would otherwise become a default.")
    /// A number is wanted here, with its unit where it has one.
    public static let invalidNumber = Rule(
        "invalid-number",
        "A number is wanted here, with its unit where it has one. Text that merely looks like one "
            + "is not taken for it.")
    /// A time is a number with its unit, such as `20ms`.
    public static let invalidDuration = Rule(
        "invalid-duration",
        "A time is a number with its unit, such as `20ms`. A bare number would leave open "
            + "whether it means seconds.")
    /// A value lies within its bounds.
    public static let outOfRange = Rule(
        "out-of-range",
        "A value lies within its bounds. Outside of them a part cannot work, or the board has "
            + "no such line.")
    /// An id has lower-case letters, digits and '-'.
    public static let invalidID = Rule(
        "invalid-id",
        "An id has lower-case letters, digits and '-'. It becomes part of commands and "
            + "addresses, where others would need quoting.")
    /// Texts are bounded.
    public static let textTooLong = Rule(
        "text-too-long",
        "Texts are bounded. A label of hundreds of characters fits no panel, and is usually a "
            + "slip of quoting.")
    /// A text here must say something.
    public static let emptyText = Rule(
        "empty-text",
        "A text here must say something. An empty name cannot be read out, logged or asked for.")
    /// A panel has at most 1,000 controls.
    public static let tooManyControls = Rule(
        "too-many-controls",
        "A panel has at most 1,000 controls. The state core reserves its memory at start, and "
            + "needs a bound.")
    /// A panel has controls.
    public static let noControls = Rule(
        "no-controls",
        "A panel has controls. Without any it does nothing, and usually the indentation went "
            + "wrong.")
}

// Boards and pins.
extension Rule {
    /// A board is one of those that `detent boards` lists, `auto` or `none`.
    public static let unknownBoard = Rule(
        "unknown-board",
        "A board is one of those that `detent boards` lists, `auto` or `none`. Pins of an "
            + "unknown board cannot be checked.")
    /// With `board: auto` on no known board, lines are simulated.
    public static let boardNotDetected = Rule(
        "board-not-detected", .warning,
        "With `board: auto` on no known board, lines are simulated. The panel works at a desk, "
            + "and moves nothing on a board.")
    /// A line must exist on the board.
    public static let unknownLine = Rule(
        "unknown-line",
        "A line must exist on the board. A misspelt pin would leave a contact or a lamp dead.")
    /// Power, ground and analogue pins are no lines.
    public static let notGPIO = Rule(
        "pin-not-gpio",
        "Power, ground and analogue pins are no lines. Wiring a switch or a lamp to one can "
            + "damage the board.")
    /// A lamp or an output needs a line that can be driven.
    public static let pinInputOnly = Rule(
        "pin-input-only",
        "A lamp or an output needs a line that can be driven. Some pins only read, and what hangs "
            + "on them would stay dead.")
    /// A pin number must say which header where the board has several.
    public static let ambiguousPin = Rule(
        "ambiguous-pin",
        "A pin number must say which header where the board has several. The wrong one may be a "
            + "power pin.")
    /// A chip must exist on the board.
    public static let unknownChip = Rule(
        "unknown-chip",
        "A chip must exist on the board. The name is so close to one that does that it is taken "
            + "for a slip.")
    /// A chip that the board file does not know is taken as it is.
    public static let chipNotOnBoard = Rule(
        "chip-not-on-board", .warning,
        "A chip that the board file does not know is taken as it is. That is right for a port "
            + "expander, but its lines cannot be checked.")
    /// A line has one use.
    public static let pinUsedTwice = Rule(
        "pin-used-twice",
        "A line has one use. Two controls that drive one line would fight over it, and two that "
            + "read it would both react to one touch.")
    /// Which line this pin is comes from a single source, or sources disagree.
    public static let pinUnverified = Rule(
        "pin-unverified", .warning,
        "Which line this pin is comes from a single source, or sources disagree. Measure before "
            + "wiring, or take another pin.")
    /// A bus, a console or an EEPROM may own this pin.
    public static let pinHasFunction = Rule(
        "pin-has-function", .warning,
        "A bus, a console or an EEPROM may own this pin. Taking it can break what else uses it, "
            + "and that can move the panel.")
    /// A contact needs a resistor that pulls its line.
    public static let noPull = Rule(
        "no-pull", .warning,
        "A contact needs a resistor that pulls its line. Without one it floats while it is "
            + "open, and makes edges of its own.")
    /// An encoder needs lines with interrupts.
    public static let noInterrupt = Rule(
        "no-interrupt", .warning,
        "An encoder needs lines with interrupts. A polled line loses fast edges, so the number "
            + "falls behind the knob.")
}

// Meaning.
extension Rule {
    /// A control is always named.
    public static let labelMissing = Rule(
        "label-missing",
        "A control is always named. The page, screen readers, logs and messages call it by its "
            + "label.")
    /// A switch's label names the thing; on and off are its values.
    public static let labelOnOff = Rule(
        "label-on-off", .warning,
        "A switch's label names the thing; on and off are its values. \"Light On: off\" is read "
            + "twice and understood never.")
    /// A choice has two options or more.
    public static let tooFewOptions = Rule(
        "too-few-options",
        "A choice has two options or more. With one there is nothing to choose, and the control "
            + "cannot change.")
    /// A radio group on a selector has at most 12 options.
    public static let tooManyOptions = Rule(
        "too-many-options", .warning,
        "A radio group on a selector has at most 12 options. Beyond that neighbours are too "
            + "close for a hand to tell apart.")
    /// Each position of a selector, each lamp and each output belongs to one option.
    public static let optionsDoNotFit = Rule(
        "options-do-not-fit",
        "Each position of a selector, each lamp and each output belongs to one option. One too "
            + "few or too many shifts all that follow.")
    /// Options have names of their own.
    public static let duplicateOption = Rule(
        "duplicate-option",
        "Options have names of their own. Two with one name cannot be told apart in a command "
            + "or a log.")
    /// Two options named on and off are a switch.
    public static let radioOnOff = Rule(
        "radio-on-off", .warning,
        "Two options named on and off are a switch. As a switch it shows at a glance, and can "
            + "be set by those words.")
    /// A program can hang: say how long it may take.
    public static let actionWithoutTimeout = Rule(
        "action-without-timeout",
        "A program can hang: say how long it may take. Without an end the control would show "
            + "loading for ever.")
    /// Only {value}, {previous}, {control} and {origin} are replaced.
    public static let unknownPlaceholder = Rule(
        "unknown-placeholder", .warning,
        "Only {value}, {previous}, {control} and {origin} are replaced. A misspelt one reaches "
            + "the program as it stands.")
    /// A program and a display can be given text only.
    public static let invalidArgument = Rule(
        "invalid-argument",
        "A program and a display can be given text only. Control characters would end an "
            + "argument early or upset a terminal.")
    /// Two conditions that look the same cannot be told apart.
    public static let samePattern = Rule(
        "same-pattern", .warning,
        "Two conditions that look the same cannot be told apart. Who sees the lamp must know "
            + "whether it works or has failed.")
    /// Two conditions differ by more than their colours.
    public static let colorOnly = Rule(
        "color-only", .warning,
        "Two conditions differ by more than their colours. One man in twelve cannot tell red from "
            + "green, and nobody can in bright sunlight.")
    /// A lamp is given colours that its lines can make.
    public static let colorNotMade = Rule(
        "color-not-made",
        "A lamp is given colours that its lines can make. Red and green together are amber; "
            + "every other mixture needs blue.")
    /// Both ends of a range are reached by whole steps.
    public static let stepDoesNotFit = Rule(
        "step-does-not-fit", .warning,
        "Both ends of a range are reached by whole steps. Otherwise the last detent before an "
            + "end is shorter than the others.")

    /// Every rule of panel files, in the order of the documents.
    public static let all: [Rule] =
        [
            unreadableFile, fileTooLarge, emptyFile, yamlSyntax, yamlFeature, yamlTooDeep,
            yamlTooManyNodes, severalDocuments, duplicateKey, tooManyProblems,
            unknownKey, keyNotForKind, keyNotForAlgorithm, conflictingKeys, missingKey,
            notSupportedYet, wrongType, unknownWord, invalidNumber, invalidDuration, outOfRange,
            invalidID, textTooLong, emptyText, tooManyControls, noControls,
            unknownBoard, boardNotDetected, unknownLine, notGPIO, pinInputOnly, ambiguousPin,
            unknownChip,
            chipNotOnBoard, pinUsedTwice, pinUnverified, pinHasFunction, noPull, noInterrupt,
            labelMissing, labelOnOff, tooFewOptions, tooManyOptions, optionsDoNotFit,
            duplicateOption,
            radioOnOff, actionWithoutTimeout, unknownPlaceholder, invalidArgument, samePattern,
            colorOnly,
            colorNotMade, stepDoesNotFit,
        ] + relations + lint
}
