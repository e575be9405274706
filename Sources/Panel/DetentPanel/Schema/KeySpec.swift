/// One key of the panel file, for the parser, the JSON schema and the documents.
struct KeySpec: Sendable {
    let section: Section
    let name: String
    let shape: Shape
    /// Whether the section needs the key. Keys that only some kinds need are in `Kind.requires`.
    let isRequired: Bool
    /// A key that takes the place of a required one.
    let substitute: String?
    /// The default; its text is empty if there is none.
    let defaultValue: KeyDefault
    /// What the key does, in a sentence.
    let summary: String

    /// Whether the section needs it in any case.
    var isAlwaysRequired: Bool { isRequired && substitute == nil }

    init(
        _ section: Section, _ name: String, _ shape: Shape, isRequired: Bool = false,
        substitute: String? = nil, default defaultValue: KeyDefault = "", _ summary: String
    ) {
        self.section = section
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.substitute = substitute
        self.defaultValue = defaultValue
        self.summary = summary
    }
}
