extension Rule {
    /// The rules of wording and of the panel as a whole.
    static let lint: [Rule] = [labelTitleCase, buttonVerb, statesUnlike, symbolsMixed, lampCurrent]
}
