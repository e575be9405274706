/// Every bound on what a file may ask of the reader, and what happens when it is reached.
public enum Limits {
    /// Bytes of one file; a larger one is refused before it is read.
    public static let fileBytes = 1 << 20
    /// Nested lists and maps; the file is refused at the place that goes deeper.
    public static let depth = 32
    /// Scalars, lists and maps of one file; the file is refused at the one too many.
    public static let nodes = 100_000
    /// Problems that are collected; further ones are counted in one last problem.
    public static let problems = 1_000
    /// Characters of a source line in a message; a longer line is cut around the place.
    public static let excerptCharacters = 120
    /// Characters of the file's own words in a message; longer ones are cut.
    public static let quotedCharacters = 60
    /// Characters of a word that is compared with known words; a longer one has no nearest word.
    public static let comparedCharacters = 64
    /// Controls of one panel; the panel is refused.
    public static let controls = 1_000
    /// Characters of a control's id; a longer one is refused.
    public static let idCharacters = 64
    /// Characters of a label, a name or a symbol; a longer one is refused.
    public static let textCharacters = 200
    /// Options of one choice, the positions of the largest rotary selector; more are refused.
    public static let options = 24
    /// Misspelt ids of controls that get a `did you mean`: each is compared with every control.
    /// Later ones are errors without it.
    public static let suggestions = 20
    /// Items of one menu, those of its submenus included; more are refused.
    public static let menuItems = 32
    /// Members of one group or form; more are refused.
    public static let members = 64
    /// How deep the brackets and the words `not` of a condition stand; deeper ones are refused.
    public static let conditionDepth = 32
    /// Comparisons and words of one condition; more are refused.
    public static let conditionSteps = 256
    /// Arguments of one program, itself included; more are refused.
    public static let arguments = 256
    /// Characters of one argument; a longer one is refused.
    public static let argumentCharacters = 4_096
    /// Steps of one sequence; more are refused.
    public static let steps = 32
    /// Steps of all actions of a panel, which have 16 bits as places; the panel is refused.
    public static let allSteps = 65_535
    /// Digits after the point of a dial's numbers; more are refused.
    public static let decimals = 6
    /// Bytes of one property of the device tree; a longer one is taken for no board.
    public static let deviceTreeBytes = 4_096
}
