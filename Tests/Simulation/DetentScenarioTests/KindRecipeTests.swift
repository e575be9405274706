@testable import DetentScenario
import TestSupport
import Testing

@testable import DetentPanel
import DetentWorld

/// The recipes of docs/kinds, docs/gestures.md and docs/recipes.md: a panel in one block of a page,
/// and what it does in the next.
@Suite struct KindRecipeTests {
    @Test(
        "it does what its page says",
        arguments: Kind.all.map { "kinds/\($0.word)" } + ["gestures", "recipes"])
    func plays(page: String) throws {
        let text = try SourceText.read(file: "\(ScenarioTests.root)/docs/\(page).md")
        let blocks = String(decoding: text.bytes, as: UTF8.self)
            .split(separator: "```yaml\n", omittingEmptySubsequences: false).dropFirst()
            .compactMap { rest in
                rest.firstRange(of: "```\n").map { String(rest[..<$0.lowerBound]) }
            }
        try #require(blocks.count == 2 || page == "recipes" && blocks.count.isMultiple(of: 2))
        for place in stride(from: 0, to: blocks.count, by: 2) {
            try play(blocks[place + 1], on: blocks[place])
        }
    }

    private func play(_ scenario: String, on panel: String) throws {
        let text = SourceText(file: "scenario.yaml", text: scenario)
        let reading = ScenarioReader.read(text) { _ in
            PanelReader.read(SourceText(file: "panel.yaml", text: panel))
        }
        let problems = reading.problems.map(ProblemRenderer.text)
        expectEqual(problems, [])
        let result = VirtualPlayer.run(try #require(reading.scenario, "\(problems)"))
        #expect(result.steps > 0)
        #expect(result.isPassed, "\(result.text)")
    }
}
