/// Something wrong with a file, at its place, with its cause and what would mend it.
public struct Problem: Equatable, Sendable {
    /// Whether the file can be used all the same.
    public enum Severity: String, Equatable, Sendable, CaseIterable {
        case error, warning
    }

    /// Whether it keeps the file from being used.
    public var severity: Severity
    /// The check that found it.
    public var rule: Rule
    /// The file as the user named it.
    public var file: String
    /// Where in the file; line 1, column 1 where the file could not be read.
    public var place: SourcePlace
    /// The cause, one line without a full stop.
    public var text: String
    /// What to do about it, one line; empty where the cause says it all.
    public var help: String
    /// The source line, without its end; empty where there is none.
    public var excerpt: String

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
