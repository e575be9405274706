import DetentTypes
import TestPanels
import TestSupport
import Testing

@testable import DetentPanel

/// Whoever follows a help is rid of its problem, and gets no other.
@Suite struct RemedyTests {
    /// Every faulty file of the other tests, with its name.
    static let files: [(name: String, text: String)] =
        RuleCase.all.map { ($0.rule.name, $0.breaks[0]) }
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

    static func problems(_ text: String) -> [Problem] {
        PanelReader.read(SourceText(file: "panel.yaml", text: text), deviceTree: "/nonexistent")
            .problems
    }

    @Test func everyHelpThatCanBeFollowedCures() {
        var trial = RemedyTrial(problems: Self.problems, reason: Unfollowed.reason(for:))
        for file in Self.files { trial.follow(file.text, name: file.name) }
        expectEqual(trial.wrong.sorted(), [], "these helps cure nothing, or bring another problem")
        expectEqual(trial.unread.sorted(), [], "follow them, or say in `Unfollowed` why not")
        expectEqual(
            Unfollowed.all.map(\.help).filter { !trial.used.contains($0) }, [], "none is left over")
        #expect(trial.followed > 150, "\(trial.followed)")
    }

    /// Whoever adds a help that no test can follow takes another one away, or makes it one that a
    /// machine can follow.
    @Test func helpsThatAreNotFollowedOnlyGetFewer() {
        #expect(Unfollowed.all.count <= 77, "\(Unfollowed.all.count)")
    }
}
