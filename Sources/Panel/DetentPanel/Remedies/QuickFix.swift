import DetentTypes

/// A change of a file that takes a problem away, made from the words of its help.
public struct QuickFix: Equatable, Sendable {
    /// What it does, as the help says it.
    public var title: String
    /// The text of the file after it.
    public var text: String

    /// The changes that the help of a problem names, each tried: the problem is gone, and no error
    /// has come. None for a help that leaves the choice to people.
    ///
    /// - Parameters:
    ///   - problem: one of `before`.
    ///   - text: the file; lines end with a line feed.
    ///   - before: all problems of the file.
    ///   - lines: free lines of the board, for a help that asks for one.
    ///   - check: finds the problems of a changed file.
    public static func fixes(
        of problem: Problem, in text: String, before: [Problem], lines: [String] = [],
        check: (String) -> [Problem]
    ) -> [QuickFix] {
        let label = controlName(at: problem.place, in: text) ?? Remedy.name
        var found: [QuickFix] = []
        for way in Remedy.ways(problem).map({ $0.map { $0.filled(lines: lines, label: label) } }) {
            for changed in followed(way, text, problem).prefix(Limits.triedChanges)
            where !found.contains(where: { $0.text == changed }) {
                guard isCured(check(changed), of: problem, before: before) else { continue }
                found.append(QuickFix(title: title(of: way), text: changed))
                break
            }
        }
        return found
    }

    /// The texts after all changes of a way.
    package static func followed(_ way: [Remedy], _ text: String, _ problem: Problem) -> [String] {
        var texts = [text]
        for remedy in way {
            // The later changes find the same place: keys are added behind it, or it has moved.
            texts = texts.flatMap { PanelEdit($0, problem).texts(remedy) }
        }
        return texts
    }

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

    /// Whether a text has fewer problems: not the one, and no other error. A warning may come that
    /// is looked for in panels without errors only.
    package static func isCured(_ after: [Problem], of problem: Problem, before: [Problem]) -> Bool
    {
        var left = before.map(Fault.init)
        if let place = left.firstIndex(of: Fault(problem)) { left.remove(at: place) }
        return after.allSatisfy { found in
            guard let place = left.firstIndex(of: Fault(found)) else {
                return found.severity == .warning && Fault(found) != Fault(problem)
            }
            left.remove(at: place)
            return true
        }
    }

    private static func title(of way: [Remedy]) -> String {
        let parts = way.map { remedy in
            switch remedy {
            case .replace(let word): "write `\(quoted(word))`"
            case .set(let key, let value, inside: nil): "write `\(key): \(quoted(value))`"
            case .set(let key, let value, let inside?):
                "write `\(key): \(quoted(value))` in `\(inside)`"
            case .remove(let key): "remove `\(quoted(key))`"
            case .removeHere: "remove it"
            }
        }
        let text = parts.joined(separator: " and ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// The id of the control around a place, as a label; for a control without one.
    private static func controlName(at place: SourcePlace, in text: String) -> String? {
        let log = ProblemLog(SourceText(file: "", bytes: []))
        let root = YAMLReader.read(SourceText(file: "", text: text), log: log)
        let entry = root?["controls"]?.entries?.last { $0.key.place <= place }
        return entry?.name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined(separator: " ")
    }
}
