import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import TestSupport
import Testing

/// Devices that say what nobody expects, or never stop: `report`, in virtual time.
@Suite struct ReportScenarioTests {
    private static let panel = PlayedPanel(
        """
        {panel: P, board: none, mqtt: {url: "mqtt://h"}, controls: {
        shed: {kind: toggle-button, label: Shed, input: A,
          action: {mqtt: {topic: cmnd/shed, payload: "{value}"}, timeout: 1s},
          words: {on: "ON", off: "OFF"}, feedback: {mqtt: stat/shed}},
        fan: {kind: indicator, label: Fan, indicator: B,
          feedback: {http: {get: "http://h/fan", every: 10s}, pointer: /power}},
        both: {kind: indicator, label: Both, indicator: C,
          feedback: {mqtt: stat/shed, map: {"ON": on, "OFF": off}}},
        plain: {kind: indicator, label: Plain, indicator: D, feedback: {line: E}},
        alone: {kind: button, label: Alone, input: F}}}
        """)

    private static func run(_ steps: String) throws -> ScenarioResult {
        try panel.run("steps:\n\(steps)")
    }

    @Test func aReportIsReadAsTheSourceBringsIt() throws {
        let result = try Self.run(
            """
              - report: {shed: "ON"}
              - expect: {shed: {value: on, actual: on, flags: []}, both: {actual: on}}
              - wait: 1s
              - report: {shed: "ONN"}
              - expect: {shed: {value: on, flags: [stale]}, both: {flags: [stale]}}
              - wait: 1s
              - report: {shed: "off"}
              - expect: {shed: {value: off, flags: []}}
              - report: {fan: "{\\"power\\": true}"}
              - expect: {fan: {actual: on}}
              - wait: 1s
              - report: {fan: "<html>502 Bad Gateway</html>"}
              - expect: {fan: {flags: [stale]}}
              - feedback: {fan: off}
              - expect: {fan: {actual: off, flags: []}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    /// A device that never stops costs fifty reports a second, and its last word counts.
    @Test func aFloodIsThinnedAndItsLastWordCounts() throws {
        let result = try Self.run(
            """
              - report: {shed: {texts: ["ON", "OFF", "OFF"], times: 2000, every: 1ms}}
              - wait: 1s
              - click: alone
              - expect: {alone: {event: clicked}}
              - wait: 2s
              - expect: {shed: {value: off, actual: off, flags: []}}

            """)
        #expect(result.isPassed, "\(result.text)")
        let changes = result.events.count { $0.contains("\"changed\"") && $0.contains("\"shed\"") }
        #expect(changes > 10 && changes <= 101, "\(changes)")
    }

    /// All at once: the first and the last are heard, and the rest of another series is dropped.
    @Test func aBurstAndASeriesThatIsReplaced() throws {
        let result = try Self.run(
            """
              - report: {shed: {texts: ["ON", "OFF", "x", "ON", "OFF"]}}
              - expect: {shed: {actual: on}}
              - wait: 20ms
              - expect: {shed: {actual: off, flags: []}}
              - report: {shed: {texts: ["ON"], times: 100, every: 1s}}
              - wait: 10s
              - expect: {shed: {actual: on}}
              - report: {shed: "OFF"}
              - wait: 10s
              - expect: {shed: {actual: off}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    @Test func aProcessThatHasEndedHearsNothing() throws {
        let result = try Self.run(
            """
              - report: {shed: {texts: ["ON", "OFF"], times: 1000, every: 100ms}}
              - wait: 50ms
              - expect: {shed: {actual: on}}
              - restart: 1s
              - wait: 5s
              - expect: {shed: {actual: unknown}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    static let mistakes: [(text: String, column: Int, rule: String)] = [
        ("  - report: alone\n", 13, "no-reports"),
        ("  - report: {plain: \"on\"}\n", 14, "no-reports"),
        ("  - report: shed\n", 13, "missing-key"),
        ("  - report: {shed: [ON]}\n", 20, "wrong-type"),
        ("  - report: {shed: {times: 3}}\n", 20, "missing-key"),
        ("  - report: {shed: {texts: []}}\n", 28, "wrong-type"),
        ("  - report: {shed: {texts: [a], times: 0}}\n", 40, "out-of-range"),
        ("  - report: {shed: {texts: [a], times: 100001}}\n", 40, "out-of-range"),
        ("  - report: {shed: {texts: [a], every: 3}}\n", 40, "invalid-duration"),
        ("  - report: {shed: {text: a}}\n", 21, "unknown-key"),
    ]

    @Test("each mistake is told at its place", arguments: mistakes)
    func mistake(text: String, column: Int, rule: String) throws {
        let reading = Self.panel.read("steps:\n\(text)")
        #expect(reading.scenario == nil)
        let problem = try #require(reading.problems.first)
        expectEqual(problem.rule.name, rule)
        expectEqual(problem.place.line, 3)
        expectEqual(problem.place.column, column)
    }
}
