/// Collects the problems of one file.
///
/// Not safe for use by several threads; each reading has its own log.
public final class ProblemLog {
    private let source: SourceText
    private var collected: [Found] = []
    private var omitted = 0
    /// Where the file names a control of the panel, in the order of the reading.
    package private(set) var mentions: [Mention] = []

    /// A text that names a control, alone or among other words.
    package struct Mention: Equatable, Sendable {
        /// The id of the control.
        package var control: String
        /// The text.
        package var place: SourcePlace
    }
    /// Names of rules whose warnings the file does not want.
    private var unwanted: Set<String> = []
    /// The places of defaults, which several controls have.
    private var shared: Set<SourcePlace> = []
    /// The control that is being read.
    var control: String?

    /// A problem, and the controls that have it by a default.
    private struct Found {
        var problem: Problem
        var controls: [String] = []

        /// The problem with the controls that it reaches.
        var told: Problem {
            guard let first = controls.first else { return problem }
            var told = problem
            let further = controls.count - 1
            told.text +=
                further < 2
                ? "; it reaches \(controls.map { "`\($0)`" }.joined(separator: " and "))"
                : "; it reaches `\(first)` and \(further) more controls"
            return told
        }
    }

    /// Makes an empty log for a file.
    public init(_ source: SourceText) {
        self.source = source
    }

    /// The problems in the order of their places, and at one place in the order they were found.
    ///
    /// After `Limits.problems`, a last problem counts the others.
    public var problems: [Problem] {
        let sorted = collected.map(\.told).enumerated().sorted { left, right in
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
    public var hasErrors: Bool {
        omitted > 0 || collected.contains { $0.problem.severity == .error }
    }

    /// Adds an error: the file cannot be used.
    ///
    /// - Parameters:
    ///   - known: the words that are allowed at the place, see `Problem.known`.
    ///   - related: another place that it is about.
    public func error(
        _ rule: Rule, at place: SourcePlace, _ text: String, help: String = "",
        known: [String] = [], related: SourcePlace? = nil
    ) {
        add(.error, rule, place, text, help, known, related)
    }

    /// Adds an error in place of a value that cannot be read; it always returns nil.
    public func refuse<Value>(
        _ rule: Rule, at place: SourcePlace, _ text: String, help: String = "",
        known: [String] = [], related: SourcePlace? = nil
    ) -> Value? {
        error(rule, at: place, text, help: help, known: known, related: related)
        return nil
    }

    /// Notes that a text names a control: for those who look for its uses.
    package func mention(_ control: String, at place: SourcePlace) {
        mentions.append(Mention(control: control, place: place))
    }

    /// Leaves out the warnings of a rule, also those that were added.
    func leaveOut(_ rule: String) {
        unwanted.insert(rule)
        collected.removeAll { $0.problem.severity == .warning && $0.problem.rule.name == rule }
    }

    /// Tells each problem of a place once, with the controls that it reaches.
    func share(_ place: SourcePlace) { shared.insert(place) }

    /// Adds the problems of another reading of the same file.
    func add(_ other: ProblemLog) {
        for found in other.collected {
            let it = found.problem
            add(it.severity, it.rule, it.place, it.text, it.help, it.known, it.related)
        }
        omitted += other.omitted
    }

    /// Adds a warning: the file can be used.
    public func warning(_ rule: Rule, at place: SourcePlace, _ text: String, help: String = "") {
        guard !unwanted.contains(rule.name) else { return }
        add(.warning, rule, place, text, help, [], nil)
    }

    private func add(
        _ severity: Problem.Severity, _ rule: Rule, _ place: SourcePlace, _ text: String,
        _ help: String, _ known: [String], _ related: SourcePlace?
    ) {
        let isShared = shared.contains(place)
        if isShared,
            let twin = collected.firstIndex(where: {
                $0.problem.place == place && $0.problem.rule == rule
            })
        {
            if let control, !collected[twin].controls.contains(control) {
                collected[twin].controls.append(control)
            }
            return
        }
        guard collected.count < Limits.problems else {
            omitted += 1
            return
        }
        var problem = Problem(
            severity: severity, rule: rule, file: source.file, place: place, text: text,
            help: help, excerpt: source.line(place.line))
        problem.known = known
        problem.related = related
        collected.append(
            Found(problem: problem, controls: isShared ? control.map { [$0] } ?? [] : []))
    }
}
