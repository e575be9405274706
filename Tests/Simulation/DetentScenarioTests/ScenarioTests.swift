import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

/// Scenario files: what they can say, what they refuse, and what a failure shows.
struct ScenarioTests {
    static let root =
        "/"
        + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    private func scenario(_ steps: String, head: String = "") throws -> ScenarioResult {
        let reading = read(steps, head: head)
        let texts = reading.problems.map(ProblemRenderer.text)
        return VirtualPlayer.run(try #require(reading.scenario, "\(texts)"))
    }

    private func read(_ steps: String, head: String = "") -> ScenarioReader.Reading {
        let panel = Self.root + "/panels/lab-supply/panel.yaml"
        return ScenarioReader.read(
            SourceText(file: "t.yaml", text: "panel: \(panel)\n\(head)steps:\n\(steps)"))
    }

    @Test("the example scenario passes, twice the same")
    func example() throws {
        let file = Self.root + "/panels/lab-supply/ordinary-day.scenario.yaml"
        guard case .ran(let result) = ScenarioFile.run(file) else {
            Issue.record("not read: \(ScenarioFile.run(file))")
            return
        }
        #expect(result.isPassed, "\(result.text)")
        expectEqual(result.steps, 39)
        expectEqual(ScenarioFile.run(file), .ran(result))
    }

    @Test("it passes with each bounce profile", arguments: BounceCatalogue.builtIn.names)
    func profiles(name: String) throws {
        // 60 ms of chatter is beyond 20 ms of debounce.
        guard name != "worn" else { return }
        for seed in 1...4 {
            let result = try scenario(
                """
                  - select: {range: 1 kV}
                  - expect: {range: 1 kV}
                  - turn: {set-point: {by: 3, per-second: 4}}
                  - turn: {set-point: {by: -3, per-second: 4}}
                  - expect: {set-point: {value: 5, lost: 0}}
                  - click: calibrate
                  - expect: {calibrate: {event: clicked}}
                  - flip: {output: on}
                  - expect: {output: {value: on, event: changed}}
                  - flip: {output: off}
                  - expect: {output: {value: off}}

                """, head: "bounce: \(name)\nseed: \(seed)\n")
            #expect(result.isPassed, "\(result.text)")
        }
    }

    @Test("a resync makes states of positions")
    func resync() throws {
        let result = try scenario(
            """
              - flip: {output: on}
              - wait: 100ms
              - feedback: {output: off}
              - expect: {output: {value: off, flags: [mismatch]}}
              - resync:
              - expect: {output: {value: on, flags: [], event: {changed: on}}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    @Test("a failure says expected, found, at which time, and the last events")
    func failure() throws {
        let result = try scenario("  - flip: {output: on}\n  - expect: {output: {value: off}}\n")
        let failure = try #require(result.failures.first)
        expectEqual(failure.place.line, 4)
        expectEqual(failure.place.column, 30)
        #expect(failure.text.contains("expected value: off\n"))
        #expect(failure.text.contains("found    value: on\n"))
        #expect(failure.text.contains("at 20 ms"))
        #expect(failure.text.contains("  0.020  Output             ● on\n"))
        let report = JUnitReport.text([("t.yaml", .ran(result))])
        #expect(report.contains("failures=\"1\""))
        #expect(report.contains("Output             ● on"))
    }

    static let mistakes: [(text: String, line: Int, column: Int, rule: String)] = [
        ("  - flipp: {output: on}\n", 3, 5, "unknown-key"),
        ("  - flip: {outptu: on}\n", 3, 12, "unknown-control"),
        ("  - flip: {output: up}\n", 3, 20, "unknown-word"),
        ("  - press: output\n", 3, 12, "wrong-part"),
        ("  - wait: 200\n", 3, 11, "invalid-duration"),
        ("  - wait-until: {output: on}\n", 3, 5, "missing-key"),
        ("  - {wait: 1s, restart: 1s}\n", 3, 5, "conflicting-keys"),
        ("  - resync: output\n", 3, 13, "unknown-word"),
        ("  - reload: [output, x]\n", 3, 22, "unknown-control"),
        ("  - expect: {output: {phase: busy}}\n", 3, 30, "unknown-word"),
        ("  - turn: {set-point: 1001}\n", 3, 23, "out-of-range"),
    ]

    @Test("each mistake is told at its place", arguments: mistakes)
    func mistake(text: String, line: Int, column: Int, rule: String) throws {
        let reading = read(text)
        #expect(reading.scenario == nil)
        let problem = try #require(reading.problems.first)
        expectEqual(problem.rule.name, rule)
        expectEqual(problem.place.line, line)
        expectEqual(problem.place.column, column)
    }

    @Test(
        "an action that hangs, fails or is lost shows as the panel file says",
        arguments: [
            ("{then: hang}", "10200ms", "timed out"), ("{then: fail, code: 4}", "10ms", "exit 4"),
            ("{takes: 20ms, then: lose}", "50ms", "lost"),
        ])
    func outcomes(script: String, wait: String, reason: String) throws {
        let result = try scenario(
            "  - flip: {output: on}\n  - wait: \(wait)\n",
            head: "actions: {output: \(script)}\n")
        #expect(result.events.joined().contains("\"reason\": \"\(reason)\""), "\(result.events)")
    }

    @Test("an expected trace that differs is told with its first line")
    func expectedTrace() throws {
        let reading = read("  - flip: {output: on}\n")
        let scenario = try #require(reading.scenario)
        let result = VirtualPlayer.run(scenario)
        let same = SourceText(file: "t.expected", text: result.events.joined())
        #expect(VirtualPlayer.run(scenario, expectedTrace: same).isPassed)
        let other = SourceText(file: "t.expected", text: result.events.dropFirst().joined())
        let failed = VirtualPlayer.run(scenario, expectedTrace: other)
        expectEqual(failed.failures.first?.text.contains("at its line 1"), true)
    }
}
