/// Every limit of the reader, and what happens when it is reached.
public enum Limits {
    /// The highest number of a channel of a converter. More is a problem.
    static let analogChannel = 255
    /// The highest number of a channel of pulses. More is a problem.
    static let pulseChannel = 255
    /// Bytes of the name of a LED, as many as the kernel gives it; a longer one is a problem.
    static let ledBytes = 63
    /// Bytes of one file; a larger one is refused before it is read.
    public static let fileBytes = 1 << 20
    /// Nested lists and maps; the file is refused at the place that goes deeper.
    public static let depth = 32
    /// Scalars, lists and maps of one file; the file is refused at the first one beyond.
    public static let nodes = 100_000
    /// Problems of one file; a last problem counts the further ones.
    public static let problems = 1_000
    /// Characters of a source line in a message; a longer line is cut around the place.
    public static let excerptCharacters = 120
    /// Characters of a quotation from the file in a message; a longer one is cut.
    public static let quotedCharacters = 60
    /// Characters of a word that is compared with known words; a longer one has no nearest word.
    public static let comparedCharacters = 64
    /// Changes that are tried for one help; later ones are not offered.
    public static let triedChanges = 24
    /// Controls of one panel; a panel with more is refused.
    public static let controls = 1_000
    /// Characters of a control's id; a longer one is refused.
    public static let idCharacters = 64
    /// Characters of a label, a name or a symbol; a longer one is refused.
    public static let textCharacters = 200
    /// Characters of a label that can be read at a glance; a longer one is a warning.
    public static let labelCharacters = 40
    /// Segments of one row, as many as a phone shows; more are a warning.
    public static let segments = 5
    /// Options of one choice, the positions of the largest rotary selector; more are refused.
    public static let options = 24
    /// Misspelt ids of controls that get a suggestion, because each is compared with every
    /// control. Later ones are errors without a suggestion.
    public static let suggestions = 20
    /// Displays of one panel, each of which has a thread; more are refused.
    public static let displays = 8
    /// Chips that a panel names; more are refused. Eight of a model fit on one I2C bus.
    public static let chips = 32
    /// Events of a panel that are kept; other numbers are refused. A million take 200 MB.
    public static let historyRows = 1_000...1_000_000
    /// Events whose text a writer of event lines keeps; a further one replaces another.
    public static let eventTexts = 1_024
    /// Letters in a row of a display; other numbers are refused.
    public static let displayColumns = 4...80
    /// Rows of a display; other numbers are refused.
    public static let displayRows = 1...16
    /// Items of one menu, including its submenus; more are refused.
    public static let menuItems = 32
    /// Groups of one menu that separators help to find; more are a warning.
    public static let menuGroups = 3
    /// Members of one group or form; more are refused.
    public static let members = 64
    /// Nesting of brackets and `not` in a condition; deeper ones are refused.
    public static let conditionDepth = 32
    /// Comparisons and operators of one condition; more are refused.
    public static let conditionSteps = 256
    /// Arguments of one program, including the program itself; more are refused.
    public static let arguments = 256
    /// Characters of one argument; a longer one is refused.
    public static let argumentCharacters = 4_096
    /// Arguments of one message; more are refused.
    public static let messageArguments = 16

    /// Keys that one action presses together.
    public static let chordKeys = 8
    /// Headers of one request; more are refused.
    public static let headers = 16
    /// Words of a device that one feedback can translate; more are refused.
    public static let feedbackWords = 64
    /// Characters of an address of a web service; a longer one is refused.
    public static let addressCharacters = 2_000
    /// Characters of the beginning of topics; a longer one is refused.
    public static let topicCharacters = 200
    /// Bytes of a topic of an action or a feedback; a longer one is refused.
    public static let topicBytes = 500
    /// Width and height of a front panel in millimetres; larger ones are refused.
    public static let plateMillimeters = 2_000
    /// Steps of one sequence; more are refused.
    public static let steps = 32
    /// Steps of all actions of a panel, whose indices have 16 bits; the panel is refused.
    public static let allSteps = 65_535
    /// Decimals of a dial's numbers; more are refused.
    public static let decimals = 6
    /// Bytes of one property of the device tree; a longer one matches no board.
    public static let deviceTreeBytes = 4_096
    /// Functions of a board that a file can switch off. More are an error.
    public static let freeFunctions = 32
}
