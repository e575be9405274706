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

    /// A problem without its place, which moves with the text.
    private struct Fault: Hashable {
        var rule: String
        var text: String

        init(_ problem: Problem) {
            rule = problem.rule.name
            // Places in a text move, too.
            text = problem.text.contains("column") ? "" : problem.text
        }
    }

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
                let texts = Self.texts(way, text, problem)
                if texts.contains(where: { isCured($0, of: problem, before: before) }) { continue }
                wrong.insert(
                    "\(name): \(problem.text)\n    \(problem.help)\n    \(way)\n"
                        + "    \(text.prefix(400))")
            }
        }
    }

    /// The texts after all changes of a way.
    private static func texts(_ way: [Remedy], _ text: String, _ problem: Problem) -> [String] {
        var texts = [text]
        for remedy in way {
            // The later changes find the same place: keys are added behind it, or it has moved.
            texts = texts.flatMap { PanelEdit($0, problem).texts(remedy) }
        }
        return texts
    }

    /// Whether a text has fewer problems: not the one, and no other error. A warning may come that
    /// is looked for in panels without errors only.
    private func isCured(_ text: String, of problem: Problem, before: [Problem]) -> Bool {
        var left = before.map(Fault.init)
        if let place = left.firstIndex(of: Fault(problem)) { left.remove(at: place) }
        return problems(text).allSatisfy { found in
            guard let place = left.firstIndex(of: Fault(found)) else {
                return found.severity == .warning && Fault(found) != Fault(problem)
            }
            left.remove(at: place)
            return true
        }
    }
}
