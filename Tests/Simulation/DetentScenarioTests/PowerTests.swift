import DetentCore
import DetentPanel
@testable import DetentScenario
import DetentTypes
import TestSupport
import Testing

import DetentWorld

/// What becomes of outputs when the process ends: in order, or with the power.
struct PowerTests {
    private static let panel = """
        panel: Power
        board: none
        controls:
          keep: {kind: switch, label: Keep, input: A, output: OUT0, on-exit: keep}
          off: {kind: switch, label: Switch, input: B, output: OUT1, on-exit: "off"}
          light: {kind: switch, label: Light, input: C, output: OUT2, on-exit: "on"}
          low:
            {kind: switch, label: Low, input: D, output: {line: OUT3, active: low}, on-exit: "on"}
        """

    private func run(_ step: ScenarioStep.Work) throws -> [String: Bool?] {
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: Self.panel))
        let plan = try #require(reading.plan, "\(reading.problems.map(ProblemRenderer.text))")
        let runner = try VirtualPlayer(
            Scenario(
                file: "p.yaml", plan: plan, bounce: .all(.none), seed: 1, actions: [:], steps: []),
            isTraced: false)
        func run(_ work: ScenarioStep.Work) throws {
            try runner.play(
                ScenarioStep(
                    place: SourcePlace(line: 1, column: 1), verb: "test", work: work))
        }
        for control in 0..<4 {
            let id = ControlID(UInt16(control))
            try run(.apply(.gestures([PartGesture(.flip(id, to: 1), id)])))
        }
        var outputs: [String: LineID] = [:]
        for (place, line) in plan.lines.enumerated() where line.name.hasPrefix("OUT") {
            outputs[line.name] = LineID(UInt16(place))
        }
        for line in outputs.values {
            expectEqual(runner.panel.backend.drivenLevel(of: line), .active)
        }
        try run(step)
        // The panel trusts its levers, so all is on again.
        for line in outputs.values {
            expectEqual(runner.panel.backend.drivenLevel(of: line), .active)
        }
        return outputs.mapValues { runner.panel.backend.wasReleasedHigh($0) }
    }

    @Test("a restart writes the levels for exit")
    func restart() throws {
        expectEqual(
            try run(.restart(.seconds(1))),
            ["OUT0": true, "OUT1": false, "OUT2": true, "OUT3": false])
    }

    @Test("a power cut writes nothing: every output falls to inactive")
    func powerCut() throws {
        expectEqual(
            try run(.powerCut(.seconds(1))),
            ["OUT0": false, "OUT1": false, "OUT2": false, "OUT3": true])
    }
}
