import DetentTypes

/// The name of a check, by which messages, documents and tests refer to it.
public struct Rule: Equatable, Hashable, Sendable {
    /// Lower-case words joined by '-'.
    public let name: String
    /// Whether a file that breaks the rule is refused (`error`) or only reported (`warning`).
    public let severity: Problem.Severity
    /// The requirement, in the first sentence, and then the reason.
    public let explanation: String

    /// Makes a rule whose violation is an error. Other readers of YAML define their own rules.
    public init(_ name: String, _ explanation: String) {
        self.init(name, .error, explanation)
    }

    /// Makes a rule.
    public init(_ name: String, _ severity: Problem.Severity, _ explanation: String) {
        self.name = name
        self.severity = severity
        self.explanation = explanation
    }

    /// The requirement: the first sentence of the explanation.
    public var summary: String {
        guard let end = explanation.firstRange(of: ". ") else { return explanation }
        return explanation[..<end.lowerBound] + "."
    }
}

// Files and YAML.
extension Rule {
    /// The file must exist and be readable.
    public static let unreadableFile = Rule(
        "unreadable-file",
        "The file must exist and be readable. A file that cannot be opened cannot be checked.")
    /// A panel file has at most 1 MiB.
    public static let fileTooLarge = Rule(
        "file-too-large",
        "A panel file has at most 1 MiB. A larger file is probably not a panel file, and reading "
            + "it could exhaust the memory of a small board.")
    static let emptyFile = Rule(
        "empty-file",
        "A panel file must not be empty. An empty file was usually never saved.")
    static let yamlSyntax = Rule(
        "yaml-syntax",
        "The file must be YAML in UTF-8. A file that cannot be parsed cannot be checked further. "
            + "Only texts with braces and without quotes are read as if they had quotes, so that "
            + "they hide no other problem.")
    static let yamlFeature = Rule(
        "yaml-feature",
        "Anchors, aliases, tags and merge keys are not allowed. They let a small file expand into "
            + "a very large one, and hide where a value comes from.")
    static let yamlTooDeep = Rule(
        "yaml-too-deep",
        "Lists and maps nest at most 32 deep. No panel needs more, and the limit keeps a "
            + "hostile file from exhausting the reader.")
    static let yamlTooManyNodes = Rule(
        "yaml-too-many-values",
        "A file has at most 100,000 values. No panel needs more, and the limit keeps reading fast.")
    static let severalDocuments = Rule(
        "several-documents",
        "A file has one document. A second document after `---` would be ignored.")
    static let duplicateKey = Rule(
        "duplicate-key",
        "Each key appears once in its map. With a duplicate, one of the values would be lost "
            + "silently.")
    static let tooManyProblems = Rule(
        "too-many-problems",
        "After 1,000 problems, the rest is only counted. More problems usually have one cause, "
            + "which is listed first.")
}

// Keys and values.
extension Rule {
    /// Every key must be known.
    public static let unknownKey = Rule(
        "unknown-key",
        "Every key must be known. A misspelt key would be ignored, and a default would apply "
            + "instead.")
    static let keyNotForKind = Rule(
        "key-not-for-kind",
        "A key must be valid for the kind of its control. Otherwise it would be ignored, and the "
            + "panel would not do what its file says.")
    static let keyNotForAlgorithm = Rule(
        "key-not-for-algorithm",
        "A key must be valid for the debounce algorithm in the same map. Otherwise it would be "
            + "ignored.")
    /// Two keys must not say the same or the opposite.
    public static let conflictingKeys = Rule(
        "conflicting-keys",
        "Two keys must not say the same or the opposite. Otherwise it would be unclear which one "
            + "applies.")
    /// A key without a sensible default is required.
    public static let missingKey = Rule(
        "missing-key",
        "A key without a sensible default is required. Detent does not guess it.")
    /// A value must have the form that its key requires: text, a list or a map.
    public static let wrongType = Rule(
        "wrong-type",
        "A value must have the form that its key requires: text, a list or a map. Values are not "
            + "converted.")
    /// Only certain words are allowed here.
    public static let unknownWord = Rule(
        "unknown-word",
        "Only certain words are allowed here. A misspelt word would otherwise become a default.")
    static let invalidNumber = Rule(
        "invalid-number",
        "This value must be a number, with its unit if it has one. Text that only looks like a "
            + "number is not accepted.")
    static let invalidDuration = Rule(
        "invalid-duration",
        "A time is a number with its unit, such as `20ms`. A bare number would not say whether it "
            + "means seconds or milliseconds.")
    /// A value must be within its bounds.
    public static let outOfRange = Rule(
        "out-of-range",
        "A value must be within its bounds. Outside them, the part cannot work or the line does "
            + "not exist.")
    static let invalidID = Rule(
        "invalid-id",
        "An id has lower-case letters, digits and '-'. Ids are part of commands and addresses, "
            + "where other characters would need quoting.")
    static let textTooLong = Rule(
        "text-too-long",
        "Texts have a maximum length. A label of hundreds of characters is usually a quoting "
            + "error.")
    static let emptyText = Rule(
        "empty-text",
        "This text must not be empty. An empty name cannot be read aloud, logged or used in a "
            + "command.")
    static let tooManyControls = Rule(
        "too-many-controls",
        "A panel has at most 1,000 controls. The state core reserves its memory at start, so it "
            + "needs a limit.")
    static let noControls = Rule(
        "no-controls",
        "A panel must have controls. If it has none, the indentation is usually wrong.")
}

// Boards and pins.
extension Rule {
    static let unknownBoard = Rule(
        "unknown-board",
        "`board` is a name that `detent boards` lists, `auto` or `none`. Pins of an unknown board "
            + "cannot be checked.")
    static let boardNotDetected = Rule(
        "board-not-detected", .warning,
        "With `board: auto` on an unknown board, all lines are simulated. The panel works on a "
            + "desk but drives no real line.")
    /// A line must exist on the board.
    public static let unknownLine = Rule(
        "unknown-line",
        "A line must exist on the board. A misspelt pin would leave a contact or a lamp dead.")
    static let notGPIO = Rule(
        "pin-not-gpio",
        "Power, ground and analogue pins are not GPIO lines. Wiring a switch or a lamp to one can "
            + "damage the board.")
    static let pinInputOnly = Rule(
        "pin-input-only",
        "A lamp or an output needs a line that can be driven. Some pins are input-only, and a lamp "
            + "or an output on them would never work.")
    static let ambiguousPin = Rule(
        "ambiguous-pin",
        "On a board with several headers, a pin number must name its header. The same number on "
            + "another header may be a power pin.")
    static let unknownChip = Rule(
        "unknown-chip",
        "A chip must exist on the board. The name is very similar to an existing one, so it is "
            + "probably misspelt.")
    static let chipNotOnBoard = Rule(
        "chip-not-on-board", .warning,
        "A chip that is not in the board file is accepted unchanged. This is right for a port "
            + "expander, but its lines cannot be checked. A model that is known as an expander "
            + "gets no warning.")
    static let pinUsedTwice = Rule(
        "pin-used-twice",
        "A line has one use. Two controls that drive the same line would conflict, and two that "
            + "read it would both react to one touch.")
    static let pinUnverified = Rule(
        "pin-unverified", .warning,
        "The line of this pin comes from a single source, or sources disagree. Measure it before "
            + "wiring, or use another pin.")
    static let pinHasFunction = Rule(
        "pin-has-function", .warning,
        "A bus, a console or an EEPROM may use this pin. Using it for the panel can disturb both.")
    static let noPull = Rule(
        "no-pull", .warning,
        "A contact needs a resistor that pulls its line. Without one, the line floats while the "
            + "contact is open, and produces false edges.")
    static let noInterrupt = Rule(
        "no-interrupt", .warning,
        "An encoder needs lines with interrupts. A polled line loses fast edges, so the number "
            + "does not follow the knob.")
}

// Meaning.
extension Rule {
    static let labelMissing = Rule(
        "label-missing",
        "Every control needs a label. The page, screen readers, logs and messages use it.")
    static let labelOnOff = Rule(
        "label-on-off", .warning,
        "The label of a switch or a toggle button names the thing, not its state. \"Light On: "
            + "off\" is confusing.")
    static let tooFewOptions = Rule(
        "too-few-options",
        "A choice has two options or more. With one there is nothing to choose, and the control "
            + "cannot change.")
    static let tooManyOptions = Rule(
        "too-many-options", .warning,
        "A radio group on a selector has at most 12 options. With more, adjacent positions are too "
            + "close to tell apart by hand.")
    static let optionsDoNotFit = Rule(
        "options-do-not-fit",
        "Each position of a selector, each lamp and each output belongs to one option. With one "
            + "too few or too many, the following ones would belong to the wrong options.")
    static let duplicateOption = Rule(
        "duplicate-option",
        "Option names must be unique. Two options with the same name cannot be distinguished in a "
            + "command or a log.")
    static let sameWord = Rule(
        "same-word",
        "Two values must not have the same word of the device. What the device says would mean "
            + "both.")
    static let reservedOption = Rule(
        "reserved-option",
        "`unknown` is the word for a value that is not known, and `none` that for no option of "
            + "several. An option with such a name, or a value that a device calls `unknown`, "
            + "could not be told from that.")
    static let optionAtHomeAssistant = Rule(
        "option-at-home-assistant", .warning,
        "Home Assistant does not show options named `none` or `unavailable`. It takes `none`, also "
            + "in capitals, and `unavailable` for no value, and cuts blanks at the ends of a name.")
    static let radioOnOff = Rule(
        "radio-on-off", .warning,
        "Two options named on and off, or yes and no, are a switch. As a switch, it can be read at "
            + "a glance and set with these words.")
    static let actionWithoutTimeout = Rule(
        "action-without-timeout",
        "A program can hang, so it needs a timeout. Without one, the control could show `loading` "
            + "forever.")
    static let unknownPlaceholder = Rule(
        "unknown-placeholder", .warning,
        "Only {value}, {previous}, {control}, {CONTROL}, {group}, {origin}, {steps} and the ids of "
            + "controls are replaced. A misspelt placeholder is passed to the program unchanged.")
    static let variableMissing = Rule(
        "variable-missing",
        "Each variable that the file names must be set. A topic or an address without one of its "
            + "parts would lead elsewhere.")
    static let shellWords = Rule(
        "shell-words", .warning,
        "No shell reads the arguments of a program. `>`, `|`, `~` and a whole command line in one "
            + "argument would be passed unchanged, and nothing useful would happen.")
    static let literalEscape = Rule(
        "literal-escape", .warning,
        "`\\n` and `\\r` end a line only between double quotation marks. Elsewhere the device gets "
            + "a backslash and a letter, and waits for the end of the line.")
    static let invalidArgument = Rule(
        "invalid-argument",
        "Programs and displays accept only text. Control characters would end an argument early or "
            + "upset a terminal.")
    static let valueNotJSON = Rule(
        "value-not-json", .warning,
        "What begins as JSON has to be JSON with every value of the control. A word without "
            + "quotation marks is not; a number is.")
    static let samePattern = Rule(
        "same-pattern", .warning,
        "Two conditions must not look the same. The lamp must show whether the action is running "
            + "or has failed.")
    static let colorOnly = Rule(
        "color-only", .warning,
        "Two conditions must differ in more than colour. One man in twelve cannot tell red from "
            + "green, and in bright sunlight colours are hard to see.")
    static let colorNotMade = Rule(
        "color-not-made",
        "A lamp can only show colours that its lines can make. Red and green make amber; every "
            + "other mixture needs blue.")
    static let hysteresisWide = Rule(
        "hysteresis-wide", .warning,
        "The hysteresis of a potentiometer is at most two steps of its range. With a wider one, "
            + "a number cannot be set to the step that is written: the part must be turned by "
            + "several steps before the number turns back.")
    static let stepDoesNotFit = Rule(
        "step-does-not-fit", .warning,
        "A range must be a whole number of steps. Otherwise the last detent before an end is "
            + "shorter than the others.")

    /// Every rule for panel files, in the order of the documents.
    public static let all: [Rule] =
        [
            unreadableFile, fileTooLarge, emptyFile, yamlSyntax, yamlFeature, yamlTooDeep,
            yamlTooManyNodes, severalDocuments, duplicateKey, tooManyProblems,
            unknownKey, keyNotForKind, keyNotForAlgorithm, conflictingKeys, missingKey,
            wrongType, unknownWord, invalidNumber, invalidDuration, outOfRange,
            invalidID, textTooLong, emptyText, tooManyControls, noControls,
            unknownBoard, boardNotDetected, unknownLine, notGPIO, pinInputOnly, ambiguousPin,
            unknownChip,
            chipNotOnBoard, pinUsedTwice, pinUnverified, pinHasFunction, noPull, noInterrupt,
            pollTooFast,
            labelMissing, labelOnOff, tooFewOptions, tooManyOptions, optionsDoNotFit,
            duplicateOption, sameWord, reservedOption, optionAtHomeAssistant,
            radioOnOff, actionWithoutTimeout, unknownPlaceholder, variableMissing,
            shellWords, literalEscape, invalidArgument,
            valueNotJSON, samePattern,
            colorOnly,
            colorNotMade, hysteresisWide, stepDoesNotFit,
        ] + plate + displays + relations + lint
}
