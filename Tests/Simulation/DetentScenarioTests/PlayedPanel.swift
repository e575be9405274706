import DetentPanel
import DetentScenario
import Testing

/// A panel file that scenarios are read and played with, in virtual time.
struct PlayedPanel {
    var text: String

    init(_ text: String) { self.text = text }

    /// Reads a scenario, without its first line, which names the panel.
    func read(_ scenario: String) -> ScenarioReader.Reading {
        let file = SourceText(file: "t.yaml", text: "panel: p.yaml\n\(scenario)")
        return ScenarioReader.read(file) { _ in
            PanelReader.read(SourceText(file: "p.yaml", text: text))
        }
    }

    func run(_ scenario: String) throws -> ScenarioResult {
        let reading = read(scenario)
        let texts = reading.problems.map(ProblemRenderer.text)
        return VirtualPlayer.run(try #require(reading.scenario, "\(texts)"))
    }
}
