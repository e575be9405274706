/// The name of a check, by which messages, documents and tests refer to it.
public struct Rule: Equatable, Hashable, Sendable {
    /// Lower-case words joined by '-'.
    public let name: String
    /// Why the check exists, in a sentence.
    public let explanation: String

    /// Makes a rule; other readers of YAML have rules of their own.
    public init(_ name: String, _ explanation: String) {
        self.name = name
        self.explanation = explanation
    }
}

// Files and YAML.
extension Rule {
    /// The file must be there, and be a file that may be read.
    public static let unreadableFile = Rule(
        "unreadable-file", "The file must be there, and be a file that may be read.")
    /// A file larger than 1 MiB is no panel file.
    public static let fileTooLarge = Rule(
        "file-too-large", "A file larger than 1 MiB is no panel file.")
    /// A file must have a document.
    public static let emptyFile = Rule("empty-file", "A file must have a document.")
    /// The file must be YAML in UTF-8.
    public static let yamlSyntax = Rule("yaml-syntax", "The file must be YAML in UTF-8.")
    /// Anchors, aliases, tags and merge keys let a small file multiply itself.
    public static let yamlFeature = Rule(
        "yaml-feature", "Anchors, aliases, tags and merge keys let a small file multiply itself.")
    /// Nesting is bounded at 32.
    public static let yamlTooDeep = Rule("yaml-too-deep", "Nesting is bounded at 32.")
    /// The values of a file are bounded at 100,000.
    public static let yamlTooManyNodes = Rule(
        "yaml-too-many-values", "The values of a file are bounded at 100,000.")
    /// One file is one document.
    public static let severalDocuments = Rule("several-documents", "One file is one document.")
    /// A key that stands twice hides a value.
    public static let duplicateKey = Rule("duplicate-key", "A key that stands twice hides a value.")
    /// Past 1,000 problems the rest is only counted.
    public static let tooManyProblems = Rule(
        "too-many-problems", "Past 1,000 problems the rest is only counted.")
}

// Keys and values.
extension Rule {
    /// A key that nobody reads is a mistake.
    public static let unknownKey = Rule("unknown-key", "A key that nobody reads is a mistake.")
    /// A key must mean something for the kind of the control.
    public static let keyNotForKind = Rule(
        "key-not-for-kind", "A key must mean something for the kind of the control.")
    /// A key must mean something for the debounce algorithm.
    public static let keyNotForAlgorithm = Rule(
        "key-not-for-algorithm", "A key must mean something for the debounce algorithm.")
    /// Two keys say the same thing.
    public static let conflictingKeys = Rule("conflicting-keys", "Two keys say the same thing.")
    /// The key has no default.
    public static let missingKey = Rule("missing-key", "The key has no default.")
    /// The word is known, but this version cannot do it.
    public static let notSupportedYet = Rule(
        "not-supported-yet", "The word is known, but this version cannot do it.")
    /// The value has the wrong form.
    public static let wrongType = Rule("wrong-type", "The value has the wrong form.")
    /// Only certain words are allowed here.
    public static let unknownWord = Rule("unknown-word", "Only certain words are allowed here.")
    /// A number is wanted here.
    public static let invalidNumber = Rule("invalid-number", "A number is wanted here.")
    /// A time is a number with its unit, such as 20ms.
    public static let invalidDuration = Rule(
        "invalid-duration", "A time is a number with its unit, such as 20ms.")
    /// The value is outside its bounds.
    public static let outOfRange = Rule("out-of-range", "The value is outside its bounds.")
    /// An id has lower-case letters, digits and '-'.
    public static let invalidID = Rule(
        "invalid-id", "An id has lower-case letters, digits and '-'.")
    /// Texts are bounded.
    public static let textTooLong = Rule("text-too-long", "Texts are bounded.")
    /// A text here must say something.
    public static let emptyText = Rule("empty-text", "A text here must say something.")
    /// The controls of a panel are bounded at 1,000.
    public static let tooManyControls = Rule(
        "too-many-controls", "The controls of a panel are bounded at 1,000.")
    /// A panel without controls does nothing.
    public static let noControls = Rule("no-controls", "A panel without controls does nothing.")
}

// Boards and pins.
extension Rule {
    /// A board is one of boards/.
    public static let unknownBoard = Rule("unknown-board", "A board is one of boards/.")
    /// With `board: auto` off a known board, lines are simulated.
    public static let boardNotDetected = Rule(
        "board-not-detected", "With `board: auto` off a known board, lines are simulated.")
    /// A pin must exist on the board.
    public static let unknownLine = Rule("unknown-line", "A pin must exist on the board.")
    /// Power, ground and analogue pins are no lines.
    public static let notGPIO = Rule(
        "pin-not-gpio", "Power, ground and analogue pins are no lines.")
    /// A pin number must say which header.
    public static let ambiguousPin = Rule("ambiguous-pin", "A pin number must say which header.")
    /// A chip must exist on the board.
    public static let unknownChip = Rule("unknown-chip", "A chip must exist on the board.")
    /// A line has one use.
    public static let pinUsedTwice = Rule("pin-used-twice", "A line has one use.")
    /// Sources about this pin disagree or are few: measure before wiring.
    public static let pinUnverified = Rule(
        "pin-unverified", "Sources about this pin disagree or are few: measure before wiring.")
    /// A bus or a console may own this pin.
    public static let pinHasFunction = Rule(
        "pin-has-function", "A bus or a console may own this pin.")
    /// A contact without a pull resistor floats and makes edges of its own.
    public static let noPull = Rule(
        "no-pull", "A contact without a pull resistor floats and makes edges of its own.")
    /// A line without interrupts is polled, which loses fast edges.
    public static let noInterrupt = Rule(
        "no-interrupt", "A line without interrupts is polled, which loses fast edges.")
}

// Meaning.
extension Rule {
    /// A control is always named.
    public static let labelMissing = Rule("label-missing", "A control is always named.")
    /// A switch's label names the thing; on and off are its values.
    public static let labelOnOff = Rule(
        "label-on-off", "A switch's label names the thing; on and off are its values.")
    /// A choice has two options or more.
    public static let tooFewOptions = Rule("too-few-options", "A choice has two options or more.")
    /// A radio group on a selector has at most 12 options that people can hold.
    public static let tooManyOptions = Rule(
        "too-many-options",
        "A radio group on a selector has at most 12 options that people can hold.")
    /// Each position of a selector is one option.
    public static let optionsDoNotFit = Rule(
        "options-do-not-fit", "Each position of a selector is one option.")
    /// Options have names of their own.
    public static let duplicateOption = Rule("duplicate-option", "Options have names of their own.")
    /// Two options named on and off are a switch.
    public static let radioOnOff = Rule(
        "radio-on-off", "Two options named on and off are a switch.")
    /// A program can hang: say how long it may take.
    public static let actionWithoutTimeout = Rule(
        "action-without-timeout", "A program can hang: say how long it may take.")
    /// Only {value}, {previous}, {control} and {origin} are replaced.
    public static let unknownPlaceholder = Rule(
        "unknown-placeholder", "Only {value}, {previous}, {control} and {origin} are replaced.")
    /// A program can be given text only.
    public static let invalidArgument = Rule(
        "invalid-argument", "A program can be given text only.")
    /// Two conditions that look the same cannot be told apart.
    public static let samePattern = Rule(
        "same-pattern", "Two conditions that look the same cannot be told apart.")
    /// Both ends of a range should be reached by whole steps.
    public static let stepDoesNotFit = Rule(
        "step-does-not-fit", "Both ends of a range should be reached by whole steps.")

    /// Every rule of panel files, in the order of the documents.
    public static let all: [Rule] = [
        unreadableFile, fileTooLarge, emptyFile, yamlSyntax, yamlFeature, yamlTooDeep,
        yamlTooManyNodes, severalDocuments, duplicateKey, tooManyProblems,
        unknownKey, keyNotForKind, keyNotForAlgorithm, conflictingKeys, missingKey,
        notSupportedYet, wrongType, unknownWord, invalidNumber, invalidDuration, outOfRange,
        invalidID, textTooLong, emptyText, tooManyControls, noControls,
        unknownBoard, boardNotDetected, unknownLine, notGPIO, ambiguousPin, unknownChip,
        pinUsedTwice, pinUnverified, pinHasFunction, noPull, noInterrupt,
        labelMissing, labelOnOff, tooFewOptions, tooManyOptions, optionsDoNotFit, duplicateOption,
        radioOnOff, actionWithoutTimeout, unknownPlaceholder, invalidArgument, samePattern,
        stepDoesNotFit,
    ]
}
