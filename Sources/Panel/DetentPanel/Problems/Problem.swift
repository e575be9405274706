/// A problem in a file: its place, its cause and its remedy.
public struct Problem: Equatable, Sendable {
    /// Whether the file can still be used.
    public enum Severity: String, Equatable, Sendable, CaseIterable {
        case error, warning
    }

    /// Whether the file can still be used.
    public var severity: Severity
    /// The check that found it.
    public var rule: Rule
    /// The file as the user named it.
    public var file: String
    /// Where in the file; line 1, column 1 if the file could not be read.
    public var place: SourcePlace
    /// The cause, one line without a full stop.
    public var text: String
    /// The remedy, one line; empty if the cause says enough.
    public var help: String
    /// The source line, without its end; empty if there is none.
    public var excerpt: String
    /// The words that are allowed in its place, if they can be listed. A key of a map ends with a
    /// colon.
    public var known: [String] = []
    /// Another place in the file that the problem is about, such as the first of two equal keys.
    public var related: SourcePlace?

    /// Makes a problem.
    public init(
        severity: Severity, rule: Rule, file: String, place: SourcePlace, text: String,
        help: String = "", excerpt: String = ""
    ) {
        self.severity = severity
        self.rule = rule
        self.file = file
        self.place = place
        self.text = text
        self.help = help
        self.excerpt = excerpt
    }
}

extension Array where Element == Problem {
    /// Whether the file cannot be used.
    public var hasErrors: Bool { contains { $0.severity == .error } }
}
