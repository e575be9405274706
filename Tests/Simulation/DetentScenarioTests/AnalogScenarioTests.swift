import DetentCore
import DetentPanel
@testable import DetentScenario
import DetentTypes
import TestPanels
import TestSupport
import Testing

import DetentWorld

/// Scenarios with a potentiometer and with a ladder of resistors.
struct AnalogScenarioTests {
    static let panel = """
        panel: Desk
        board: none
        controls:
          volume:
            kind: dial
            label: Volume
            analog: {device: ads1015, channel: 0, ends: [26200, 120]}
            range: {min: 0, max: 100}
          balance:
            kind: dial
            label: Balance
            analog: {device: ads1015, channel: 1, ends: [0, 26200]}
            range: {min: -1, max: 1, step: 0.1}
            default: 0
            mismatch: catch-up
            startup: saved
          flaps:
            kind: radio-group
            label: Flaps
            analog: {device: ads1015, channel: 2, levels: [100, 8000, 20000, 26000]}
            options: [Up, 10, 20, 40]
        """

    private func play(_ steps: String) throws -> ScenarioResult {
        let plan = try #require(
            PanelReader.read(SourceText(file: "p.yaml", text: Self.panel)).plan)
        let text = "panel: p.yaml\nbounce: none\nsteps:\n" + steps + "\n"
        let reading = ScenarioReader.read(SourceText(file: "t.yaml", text: text)) { _ in
            (plan, [])
        }
        let texts = reading.problems.map(ProblemRenderer.text)
        return VirtualPlayer.run(try #require(reading.scenario, "\(texts)"))
    }

    static let accepted: [(what: String, steps: String)] = [
        (
            "a potentiometer is turned to a number, and by steps",
            """
              - expect: {volume: {value: 0}}
              - select: {volume: 40}
              - wait: 500ms
              - expect: {volume: {value: 40, event: {moved: 40}}}
              - turn: {volume: -3}
              - wait: 500ms
              - expect: {volume: 37}
              - select: {volume: 100}
              - wait: 500ms
              - expect: {volume: 100}
            """
        ),
        (
            "soft take-over",
            """
              - set: {balance: 0.5}
              - expect: {balance: {value: 0.5, flags: [mismatch]}}
              - select: {balance: 0.3}
              - wait: 500ms
              - expect: {balance: 0.5}
              - select: {balance: 0.8}
              - wait: 500ms
              - expect: {balance: 0.8}
            """
        ),
        (
            "a ladder passes what lies between",
            """
              - select: {flaps: 40}
              - wait: 500ms
              - expect: {flaps: 40}
              - turn: {flaps: -2}
              - wait: 500ms
              - expect: {flaps: 10}
            """
        ),
        (
            "a broken wire, and a disturbance that does not settle",
            """
              - select: {flaps: 20}
              - wait: 500ms
              - glitch: {flaps: 10ms}
              - wait: 100ms
              - expect: {flaps: 20}
              - cut: flaps
              - wait: 100ms
              - expect: {flaps: Up}
              - restore: flaps
              - wait: 100ms
              - expect: {flaps: 20}
            """
        ),
        (
            "the panel starts at the position",
            """
              - select: {volume: 70}
              - wait: 500ms
              - restart: 1s
              - expect: {volume: 70}
            """
        ),
    ]

    @Test(arguments: accepted)
    func isPlayed(what: String, steps: String) throws {
        let result = try play(steps)
        #expect(result.failures.isEmpty, "\(what): \(result.failures)")
    }

    @Test func aNumberBeyondTheRangeIsRefused() throws {
        let plan = try #require(
            PanelReader.read(SourceText(file: "p.yaml", text: Self.panel)).plan)
        var world = PhysicalModel(plan, seed: 1, bounce: .all(.none))
        #expect(throws: GestureError.outOfRange) {
            try world.apply(.select(ControlID(0), 101), at: .zero)
        }
        #expect(throws: GestureError.wrongPart) {
            try world.apply(.press(ControlID(0)), at: .zero)
        }
    }

    @Test("a capture with samples turns what it was recorded from")
    func samplesOfACapture() throws {
        let plan = try #require(
            PanelReader.read(SourceText(file: "p.yaml", text: Self.panel)).plan)
        func line(_ control: String) throws -> LineID {
            let place = plan.lines.firstIndex { plan[$0.control].id == control }
            return LineID(UInt16(try #require(place)))
        }
        func sample(_ at: UInt64, _ control: String, _ sample: Int32) throws -> CaptureEdge {
            CaptureEdge(
                at: .milliseconds(at), line: try line(control), isHigh: false, sample: sample)
        }
        let record = try CaptureRunner.run(
            plan,
            edges: [
                sample(0, "volume", 13_160), sample(0, "flaps", 100),
                sample(500, "volume", 120), sample(700, "flaps", 20_100),
                sample(900, "balance", 26_200),
            ])
        let told = record.eventLines(plan).filter { $0.contains("\"changed\"") }.map { line in
            line.split(separator: "\"control\": ").last.map(String.init) ?? line
        }
        func changed(_ control: String, _ value: String, _ origin: String = "panel") -> String {
            "\"\(control)\", \"event\": \"changed\", \"value\": \(value), \"origin\": "
                + "\"\(origin)\"}\n"
        }
        expectEqual(
            told,
            [
                changed("volume", "50", "startup"), changed("balance", "0.0", "startup"),
                changed("volume", "100"), changed("flaps", "\"20\""), changed("balance", "1.0"),
            ])
    }
}
