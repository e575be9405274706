import DetentPanel
@testable import DetentScenario
import DetentTypes
import TestSupport
import Testing

/// Web services that answer what the scenario says, verbatim: `answer`, in virtual time.
@Suite struct AnswerScenarioTests {
    private static let panel = PlayedPanel(
        """
        {panel: P, board: none, mqtt: {url: "mqtt://h"}, controls: {
        volume: {kind: dial, label: Volume, encoder: {a: A, b: B},
          range: {min: 0, max: 100, step: 10},
          action: {http: {put: "http://h/v", body: "{value}", confirm: {pointer: /level}},
            timeout: 1s}},
        lamp: {kind: switch, label: Lamp, input: C, startup: device,
          action: {run: [a], timeout: 1s}, query: {run: [q], timeout: 1s}},
        plain: {kind: switch, label: Plain, input: D, action: {run: [a], timeout: 1s}},
        told: {kind: switch, label: Told, input: E,
          action: {"on": {http: {get: "http://h/t", confirm: {pointer: /s}}, timeout: 1s}}},
        fan: {kind: toggle-button, label: Fan, input: F,
          action: {mqtt: {topic: cmnd/fan, payload: "{value}",
            confirm: {topic: stat/fan, map: {"ON": on, "OFF": off}}}, timeout: 1s}}}}
        """)

    /// The device has another value than it was asked for, and the panel shows that one.
    @Test func theAnswerIsTheValue() throws {
        let result = try Self.panel.run(
            """
            actions: {volume: {takes: 200ms, answer: '{"level": 80}'}}
            steps:
              - set: {volume: 100}
              - expect: {volume: {value: 100, phase: pending}}
              - wait: 199ms
              - expect: {volume: {value: 100}}
              - wait: 2ms
              - expect: {volume: {value: 80, actual: 80, phase: idle}}
              - set: {volume: 80}
              - wait: 1s
              - expect: {volume: {value: 80, actual: 80, phase: idle}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    @Test(arguments: ["<html>502</html>", "{}", "{\"level\": \"loud\"}", ""])
    func whatIsNoValueIsAFailure(answer: String) throws {
        let result = try Self.panel.run(
            """
            steps:
              - actions: {volume: {answer: \(JSONValue.string(answer).line)}}
              - set: {volume: 50}
              - wait: 10ms
              - expect: {volume: {phase: failed}}

            """)
        #expect(result.isPassed, "\(result.text)")
        #expect(result.events.contains { $0.contains("invalid answer") })
    }

    @Test func aQueryAnswersWordForWord() throws {
        let result = try Self.panel.run(
            """
            actions: {lamp: {answer: "on\\nand more"}}
            steps:
              - wait: 10ms
              - expect: {lamp: {value: on, actual: on}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    /// What the device says on the topic of `confirm` ends the attempt only if it is the value.
    @Test func aDeviceConfirmsAMessageInItsOwnWords() throws {
        let result = try Self.panel.run(
            """
            actions: {fan: {takes: 100ms, answer: "ON"}}
            steps:
              - set: {fan: on}
              - wait: 99ms
              - expect: {fan: {phase: pending}}
              - wait: 2ms
              - expect: {fan: {value: on, actual: on, phase: idle}}
              - set: {fan: off}
              - wait: 999ms
              - expect: {fan: {value: off, phase: loading}}
              - wait: 2ms
              - expect: {fan: {value: on, phase: failed, flags: [unconfirmed]}}
              - wait: 100ms
              - expect: {fan: {value: on, actual: on, flags: []}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    /// A query answers also while the action hangs.
    @Test func theNextScriptHasNoAnswer() throws {
        let result = try Self.panel.run(
            """
            actions: {volume: {answer: '{"level": 80}'}, lamp: {then: hang, answer: "on"}}
            steps:
              - set: {volume: 50}
              - expect: {volume: {value: 80}, lamp: {actual: on}}
              - actions: {volume: {takes: 1ms}}
              - set: {volume: 60}
              - wait: 10ms
              - expect: {volume: {value: 60, actual: 60}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    /// A hand answers for the device.
    @Test func anActionThatHangsIsFinished() throws {
        let result = try Self.panel.run(
            """
            actions: {plain: {then: hang}}
            steps:
              - finish-action: plain
              - wait: 300ms
              - flip: {plain: on}
              - wait: 200ms
              - expect: {plain: {value: on, phase: loading}}
              - finish-action: plain
              - expect: {plain: {value: on, actual: on, phase: idle}}
              - finish-action: plain
              - expect: {plain: {value: on, actual: on, phase: idle}}
              # It succeeds, whatever its script would have answered.
              - actions: {volume: {takes: 500ms, answer: nonsense}}
              - set: {volume: 50}
              - finish-action: volume
              - expect: {volume: {value: 50, actual: 50, phase: idle}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    @Test(arguments: ["fail, code: 503", "hang", "lose"])
    func anAnswerBelongsToASuccess(ending: String) {
        let problems = Self.panel.read(
            "actions: {volume: {then: \(ending), answer: x}}\nsteps: [{wait: 1s}]\n"
        ).problems
        expectEqual(problems.map(\.rule.name), ["conflicting-keys"])
    }

    @Test(arguments: ["plain", "told"]) func aControlNeedsAReader(control: String) {
        let problems = Self.panel.read(
            "actions: {\(control): {answer: x}}\nsteps: [{wait: 1s}]\n"
        ).problems
        expectEqual(problems.map(\.rule.name), (control == "told" ? [] : ["conflicting-keys"]))
    }

    @Test func itIsRefusedInRealTime() throws {
        for text in [
            "actions: {volume: {answer: x}}\nsteps: [{wait: 1s}]\n",
            "steps:\n  - actions: {volume: {answer: x}}\n",
        ] {
            let scenario = try #require(Self.panel.read(text).scenario)
            let refusals = GPIOSimPlayer.refusals(scenario)
            expectEqual(refusals.map(\.text), ["`answer` cannot run in real time"])
        }
    }
}
