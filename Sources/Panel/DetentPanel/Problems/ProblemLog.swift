/// Collects the problems of one file.
///
/// Not safe for use by several threads; each reading has its own log.
public final class ProblemLog {
    private let source: SourceText
    private var collected: [Problem] = []
    private var omitted = 0
    /// Names of rules whose warnings the file does not want.
    private var unwanted: Set<String> = []

    /// Makes an empty log for a file.
    public init(_ source: SourceText) {
        self.source = source
    }

    /// The problems in the order of their places, and at one place in the order they were found.
    ///
    /// After `Limits.problems`, a last problem counts the others.
    public var problems: [Problem] {
        let sorted = collected.enumerated().sorted { left, right in
            left.element.place == right.element.place
                ? left.offset < right.offset : left.element.place < right.element.place
        }
        var problems = sorted.map(\.element)
        if omitted > 0, let last = problems.last {
            problems.append(
                Problem(
                    severity: .error, rule: .tooManyProblems, file: source.file, place: last.place,
                    text: "\(omitted) more problems are not shown",
                    help: "fix these first"))
        }
        return problems
    }

    /// Whether an error was found.
    public var hasErrors: Bool { omitted > 0 || collected.hasErrors }

    /// Adds an error: the file cannot be used.
    public func error(_ rule: Rule, at place: SourcePlace, _ text: String, help: String = "") {
        add(.error, rule, place, text, help)
    }

    /// Adds an error in place of a value that cannot be read; it always returns nil.
    public func refuse<Value>(
        _ rule: Rule, at place: SourcePlace, _ text: String, help: String = ""
    ) -> Value? {
        error(rule, at: place, text, help: help)
        return nil
    }

    /// Leaves out the warnings of a rule, also those that were added.
    func leaveOut(_ rule: String) {
        unwanted.insert(rule)
        collected.removeAll { $0.severity == .warning && $0.rule.name == rule }
    }

    /// Adds a warning: the file can be used.
    public func warning(_ rule: Rule, at place: SourcePlace, _ text: String, help: String = "") {
        guard !unwanted.contains(rule.name) else { return }
        add(.warning, rule, place, text, help)
    }

    private func add(
        _ severity: Problem.Severity, _ rule: Rule, _ place: SourcePlace, _ text: String,
        _ help: String
    ) {
        guard collected.count < Limits.problems else {
            omitted += 1
            return
        }
        collected.append(
            Problem(
                severity: severity, rule: rule, file: source.file, place: place, text: text,
                help: help, excerpt: source.line(place.line)))
    }
}
