import DetentPanel
import DetentScenario
import TestPanels
import TestSupport
import Testing

/// Whoever follows a help of `detent test` is rid of its problem, and gets no other.
@Suite struct ScenarioRemedyTests {
    /// Helps that leave a choice to people, by how they begin.
    private static let unfollowed = [
        "write a step for each", "write `value: …`", "write `{arm: …}`", "write `{bus: …}`",
        "write `{lamp: …}`", "write `{menu: …}`", "write `{output: …}`", "put the steps in",
        "use one of 0", "keys: ", "expect another field", "write none, or", "it has events",
        "it is a ", "name a pop-up", "write a value after the colon",
    ]

    @Test func everyHelpThatCanBeFollowedCures() {
        var trial = RemedyTrial { text in
            ScenarioReader.read(SourceText(file: "t.yaml", text: text)) { path in
                path == "parts.yaml" ? (PartsPanel.plan, []) : PanelReader.read(file: path)
            }.problems
        } reason: { problem in
            Self.unfollowed.first { problem.help.hasPrefix($0) }
        }
        for (place, refused) in PartScenarioTests.refused.enumerated() {
            trial.follow(
                "panel: parts.yaml\nbounce: none\nsteps:\n\(refused.0)\n", name: "parts \(place)")
        }
        let supply = ScenarioTests.root + "/panels/lab-supply/panel.yaml"
        for (place, mistake) in TimedStepTests.mistakes.enumerated() {
            trial.follow("panel: \(supply)\nsteps:\n\(mistake.text)", name: "steps \(place)")
        }
        expectEqual(trial.wrong.sorted(), [], "these helps cure nothing, or bring another problem")
        expectEqual(trial.unread.sorted(), [], "follow them, or say in `unfollowed` why not")
        expectEqual(Self.unfollowed.filter { !trial.used.contains($0) }, [], "none is left over")
        #expect(trial.followed > 10, "\(trial.followed)")
    }
}
