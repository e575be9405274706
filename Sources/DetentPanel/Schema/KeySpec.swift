/// One key of the panel file: what the parser checks, the schema describes and the documents say.
struct KeySpec: Sendable {
    let section: Section
    let name: String
    let shape: Shape
    /// Whether the section is nothing without it. Keys that only some kinds need are `requires` of
    /// those kinds.
    let isRequired: Bool
    /// The value that stands for a missing key, in words; empty where there is none.
    let standard: String
    /// What the key does, in a sentence.
    let summary: String
    /// Known, but not supported by this version.
    let isLater: Bool

    init(
        _ section: Section, _ name: String, _ shape: Shape, isRequired: Bool = false,
        standard: String = "", _ summary: String
    ) {
        self.section = section
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.standard = standard
        self.summary = summary
        isLater = false
    }

    private init(later name: String, in section: Section) {
        self.section = section
        self.name = name
        shape = .text
        isRequired = false
        standard = ""
        summary = ""
        isLater = true
    }

    /// Words that this version knows and refuses.
    static func later(_ section: Section, _ names: String...) -> [KeySpec] {
        names.map { KeySpec(later: $0, in: section) }
    }
}
