@testable import DetentScenario
import Testing

@testable import DetentPanel
import DetentWorld

/// The recipes of docs/kinds and docs/gestures.md: a panel in the first block of a page, and what
/// it does in the second.
@Suite struct KindRecipeTests {
    @Test(
        "it does what its page says", arguments: Kind.all.map { "kinds/\($0.word)" } + ["gestures"])
    func plays(page: String) throws {
        let text = try SourceText.read(file: "\(ScenarioTests.root)/docs/\(page).md")
        let blocks = String(decoding: text.bytes, as: UTF8.self)
            .split(separator: "```yaml\n", omittingEmptySubsequences: false).dropFirst()
            .compactMap { rest in
                rest.firstRange(of: "```\n").map { String(rest[..<$0.lowerBound]) }
            }
        try #require(blocks.count == 2)
        let scenario = SourceText(file: "scenario.yaml", text: blocks[1])
        let reading = ScenarioReader.read(scenario) { _ in
            PanelReader.read(SourceText(file: "panel.yaml", text: blocks[0]))
        }
        let problems = reading.problems.map(ProblemRenderer.text)
        let result = VirtualPlayer.run(try #require(reading.scenario, "\(problems)"))
        #expect(result.steps > 0)
        #expect(result.isPassed, "\(result.text)")
    }
}
