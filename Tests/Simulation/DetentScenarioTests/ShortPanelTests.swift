import DetentPanel
import DetentTypes
import TestPanels
import TestSupport
import Testing

@testable import DetentScenario

/// Three panels that say everything once: how long they are, and that they run.
struct ShortPanelTests {
    static let panels: [(name: String, lines: Int, steps: String)] = [
        (
            "overhead", 60,
            """
              - flip: {battery: on}
              - flip: {wheel-well: on}
              - wait: 500ms
              - expect: {battery: on, wheel-well: on, galley: off}
            """
        ),
        (
            "home", 34,
            """
              - click: kitchen
              - turn: {bed-level: 2}
              - click: living-level
              - wait: 1s
              - expect: {kitchen: on, bed-level: 20, living: on, bed: off}
            """
        ),
        (
            "cnc", 31,
            """
              - select: {axis: Y}
              - wait: 1s
              - expect: {axis: Y}
              - turn: {wheel: 3}
              - turn: {feed: 2}
              - wait: 1s
              - expect: {feed: 110}
              - flip: {emergency: on}
              - wait: 3s
              - expect: {stopped: {value: on, indicator: blink}, wheel: {flags: [disabled]}}
            """
        ),
    ]

    private static func read(_ name: String) throws -> (path: String, text: String) {
        let path = Repository.path("docs/examples/short/\(name).yaml")
        return (path, String(decoding: try SourceText.read(file: path).bytes, as: UTF8.self))
    }

    @Test(arguments: panels) func itIsShort(name: String, most: Int, steps: String) throws {
        let lines = try Self.read(name).text.split(separator: "\n").filter { line in
            let text = line.drop { $0 == " " }
            return !text.isEmpty && !text.hasPrefix("#")
        }
        #expect(lines.count <= most, "\(name) has \(lines.count) lines")
        #expect(lines.allSatisfy { $0.count <= 100 })
    }

    @Test(arguments: panels) func itRuns(name: String, most: Int, steps: String) throws {
        let reading = PanelReader.read(file: try Self.read(name).path)
        expectEqual(ProblemRenderer.text(reading.problems), "")
        let plan = try #require(reading.plan)
        let text = "panel: \(name).yaml\nbounce: none\nsteps:\n\(steps)\n"
        let scenario = ScenarioReader.read(SourceText(file: "t.yaml", text: text)) { _ in
            (plan, [])
        }
        let texts = scenario.problems.map(ProblemRenderer.text)
        let result = VirtualPlayer.run(try #require(scenario.scenario, "\(texts)"))
        #expect(result.failures.isEmpty, "\(result.failures)")
    }
}
