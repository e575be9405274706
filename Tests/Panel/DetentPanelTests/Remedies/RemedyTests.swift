import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Whoever follows a help is rid of its problem, and gets no other.
@Suite struct RemedyTests {
    /// Every faulty file of the other tests, with its name.
    static let files: [(name: String, text: String)] =
        RuleCase.all.map { ($0.rule.name, $0.breaks) }
        + GoldenTests.rejected.compactMap { name in
            (try? SourceText.read(file: Repository.fixture("rejected/" + name))).map {
                (name, String(decoding: $0.bytes, as: UTF8.self))
            }
        }
        + KeyCase.all.map { ("key " + $0.name, $0.text(adding: $0.bad)) }
        + RefusalTests.refused.map { ("refused", panel("c: {\($0.keys)}, \(RefusalTests.hall)")) }
        + RefusalTests.menus.map { ("refused", panel($0.controls)) }

    private static func panel(_ controls: String) -> String {
        "{panel: P, board: none, mqtt: {url: \"mqtt://hub\"}, controls: {\(controls)}}"
    }

    /// A problem without its place, which moves with the text.
    struct Fault: Hashable {
        var rule: String
        var text: String

        init(_ problem: Problem) {
            rule = problem.rule.name
            // Places in a text move, too.
            text = problem.text.contains("column") ? "" : problem.text
        }
    }

    static func problems(_ text: String) -> [Problem] {
        PanelReader.read(SourceText(file: "panel.yaml", text: text), deviceTree: "/nonexistent")
            .problems
    }

    /// Whether a text has fewer problems: not the one, and no other error. A warning may come that
    /// is looked for in panels without errors only.
    static func isCured(_ text: String, of problem: Problem, before: [Problem]) -> Bool {
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

    /// The texts after all changes of a way.
    private static func followed(_ way: [Remedy], _ text: String, _ problem: Problem) -> [String] {
        var texts = [text]
        for remedy in way {
            // The later changes find the same place: keys are added behind it, or it has moved.
            texts = texts.flatMap { PanelEdit($0, problem).texts(remedy) }
        }
        return texts
    }

    @Test func everyHelpThatCanBeFollowedCures() {
        var followed = 0
        var wrong: Set<String> = []
        var unread: Set<String> = []
        var used: Set<String> = []
        for file in Self.files {
            let before = Self.problems(file.text)
            for problem in before {
                if let known = Unfollowed.reason(for: problem) {
                    used.insert(known)
                    continue
                }
                let ways = Remedy.ways(problem)
                if ways.isEmpty { unread.insert("[\(problem.rule.name)] \(problem.help)") }
                for way in ways {
                    followed += 1
                    let texts = Self.followed(way, file.text, problem)
                    if texts.contains(where: { Self.isCured($0, of: problem, before: before) }) {
                        continue
                    }
                    wrong.insert(
                        "\(file.name): \(problem.text)\n    \(problem.help)\n    \(way)\n"
                            + "    \(file.text.prefix(400))")
                }
            }
        }
        expectEqual(wrong.sorted(), [], "these helps cure nothing, or bring another problem")
        expectEqual(unread.sorted(), [], "follow them, or say in `Unfollowed` why not")
        expectEqual(
            Unfollowed.all.map(\.help).filter { !used.contains($0) }, [], "none is left over")
        #expect(followed > 150, "\(followed)")
    }
}
