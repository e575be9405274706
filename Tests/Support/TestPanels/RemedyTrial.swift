public import DetentPanel

/// Follows the helps of problems: whoever does what a help says is rid of its problem, and gets no
/// other.
public struct RemedyTrial {
    /// How many ways were followed.
    public private(set) var followed = 0
    /// Helps that cure nothing, or bring another problem.
    public private(set) var wrong: Set<String> = []
    /// Helps that offer no way that a machine can follow.
    public private(set) var unread: Set<String> = []
    /// The reasons for which helps were left out.
    public private(set) var used: Set<String> = []
    private let problems: (String) -> [Problem]
    private let reason: (Problem) -> String?

    /// - Parameters:
    ///   - problems: reads a text.
    ///   - reason: why the help of a problem is not followed; nil if it is.
    public init(
        problems: @escaping (String) -> [Problem], reason: @escaping (Problem) -> String?
    ) {
        self.problems = problems
        self.reason = reason
    }

    /// Follows every help of a text.
    public mutating func follow(_ text: String, name: String) {
        let before = problems(text)
        for problem in before {
            if let known = reason(problem) {
                used.insert(known)
                continue
            }
            let ways = Remedy.ways(problem)
            if ways.isEmpty { unread.insert("[\(problem.rule.name)] \(problem.help)") }
            for way in ways {
                followed += 1
                let texts = QuickFix.followed(way, text, problem)
                let isCured = texts.contains {
                    QuickFix.isCured(problems($0), of: problem, before: before)
                }
                if isCured { continue }
                wrong.insert(
                    "\(name): \(problem.text)\n    \(problem.help)\n    \(way)\n"
                        + "    \(text.prefix(400))")
            }
        }
    }
}
