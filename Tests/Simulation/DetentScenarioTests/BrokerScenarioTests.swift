import DetentPanel
@testable import DetentScenario
import DetentTypes
import TestSupport
import Testing

/// A broker that goes away and comes back: `broker`, in virtual time.
@Suite struct BrokerScenarioTests {
    private static let panel = PlayedPanel(
        """
        {panel: P, board: none, mqtt: {url: "mqtt://h"}, controls: {
        shed: {kind: toggle-button, label: Shed, input: A,
          action: {mqtt: {topic: cmnd/shed, payload: "{value}"}, timeout: 2s},
          feedback: {mqtt: stat/shed}},
        light: {kind: indicator, label: Light, indicator: B,
          feedback: {panel: Kitchen, control: light}},
        fan: {kind: toggle-button, label: Fan, input: C,
          action: {"on": {run: [fan], timeout: 2s}, "off": {mqtt: {topic: cmnd/fan, payload: x},
            timeout: 2s}},
          feedback: {http: {get: "http://h/fan", every: 10s}}, stale-after: 20s}}}
        """)

    private static func run(_ steps: String) throws -> ScenarioResult {
        try panel.run("actions: {shed: {takes: 500ms}}\nsteps:\n\(steps)")
    }

    @Test func whatItCarriesIsGoneAndComesBack() throws {
        let result = try Self.run(
            """
              - feedback: {shed: on}
              - feedback: {light: on}
              - feedback: {fan: off}
              - expect: {shed: {value: on, flags: []}, light: {actual: on, flags: []}}
              - broker: away
              - expect: {shed: {value: on, flags: [stale]}, fan: {flags: []}}
              - expect: {light: {flags: [stale]}}
              # Nobody hears what the device says, not even verbatim.
              - feedback: {shed: off}
              - expect: {shed: {value: on, flags: [stale]}}
              - report: {light: "off"}
              - expect: {light: {value: on, flags: [stale]}}
              - broker: away
              - wait: 1h
              - expect: {shed: {value: on, flags: [stale]}, fan: {value: off, flags: []}}
              # It has kept the last word of each device that still speaks.
              - broker: back
              - expect: {shed: {value: off, flags: []}, light: {flags: [stale]}}
              - feedback: {light: off}
              - expect: {light: {value: off, flags: []}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    /// Lamps and locks of the system.
    @Test func aLampTellsThatItIsAway() throws {
        let panel = PlayedPanel(
            """
            {panel: P, board: none, mqtt: {url: "mqtt://h"}, controls: {
            lamp: {kind: indicator, label: Away, indicator: A, show: broker is offline,
              patterns: {on: blink}},
            trouble: {kind: indicator, label: Trouble, indicator: B, show: any failed or any fault},
            pump: {kind: toggle-button, label: Pump, input: C,
              enabled-when: broker is not offline and not any failed,
              action: {run: [pump], timeout: 2s}},
            fan: {kind: toggle-button, label: Fan, input: D, action: {run: [fan], timeout: 2s}}}}
            """)
        let result = try panel.run(
            """
            steps:
              - expect: {lamp: {value: off}, trouble: {value: off}, pump: {flags: [unconfirmed]}}
              - broker: away
              - expect: {lamp: {value: on, indicator: blink}}
              - expect: {pump: {flags: [disabled, unconfirmed]}}
              - restart: 1s
              - expect: {lamp: {value: on, indicator: blink}}
              - expect: {pump: {flags: [disabled, unconfirmed]}}
              - broker: back
              - expect: {lamp: {value: off, indicator: off}, pump: {flags: [unconfirmed]}}
              - fail-action: fan
              - set: {fan: on}
              - expect: {trouble: {value: on, indicator: steady}}
              - expect: {pump: {flags: [disabled, unconfirmed]}}
              - wait: 1min
              - expect: {trouble: {value: off}, pump: {flags: [unconfirmed]}}
              - fail-action: pump
              - set: {pump: on}
              - expect: {trouble: {value: on}, pump: {phase: failed}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    /// A message that was sent may have arrived; one that was not sent did not.
    @Test func messagesFailAtOnceAndProgramsRun() throws {
        let result = try Self.run(
            """
              - feedback: {shed: off}
              - set: {shed: on}
              - wait: 100ms
              - broker: away
              - expect: {shed: {value: off, phase: failed, flags: [stale, unconfirmed]}}
              - wait: 5s
              - set: {fan: on}
              - expect: {fan: {value: on, actual: on, phase: idle}}
              - set: {fan: off}
              - expect: {fan: {value: on, actual: on, phase: failed}}
              - broker: back
              - expect: {shed: {value: off, actual: off, flags: []}}
              - set: {shed: on}
              - wait: 500ms
              - expect: {shed: {value: on, actual: on, phase: idle}}

            """)
        #expect(result.isPassed, "\(result.text)")
        let reasons = result.events.filter { $0.contains("failed") }.joined()
        #expect(reasons.contains("lost") && reasons.contains("unreachable"), "\(reasons)")
    }

    /// A reload of the same file leaves an attempt alone, and the broker does not.
    @Test func aMessageThatCrossedAReloadIsLost() throws {
        let result = try Self.run(
            """
              - feedback: {shed: off}
              - set: {shed: on}
              - wait: 100ms
              - reload:
              - broker: away
              - expect: {shed: {value: off, phase: failed, flags: [stale, unconfirmed]}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    @Test func itStaysAwayOverARestart() throws {
        let result = try Self.run(
            """
              - feedback: {shed: on}
              - broker: away
              - restart: 1s
              - wait: 1ms
              - expect: {shed: {actual: unknown, flags: [stale, unconfirmed]}}
              - reload:
              - broker: back
              - expect: {shed: {value: on, actual: on, flags: []}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    @Test(arguments: ["up", "{shed: away}", ""]) func theWordIsAwayOrBack(word: String) {
        let reading = Self.panel.read("steps:\n  - broker: \(word)\n")
        #expect(reading.scenario == nil && reading.problems.count == 1)
    }

    @Test func aPanelWithoutOneSaysSo() {
        let panel = PlayedPanel(
            "{panel: P, board: none, controls: {a: {kind: button, label: A, input: A}}}")
        let problems = panel.read("steps:\n  - broker: away\n").problems
        #expect(problems.contains { $0.rule.name == "conflicting-keys" })
    }

    @Test func itIsRefusedInRealTime() throws {
        let scenario = try #require(Self.panel.read("steps:\n  - broker: away\n").scenario)
        expectEqual(
            GPIOSimPlayer.refusals(scenario).map(\.text), ["`broker` cannot run in real time"])
    }

    @Test func aReloadTakesControls() {
        for wrong in ["[]", "{shed: on}", "{}"] {
            let problems = Self.panel.read("steps:\n  - reload: \(wrong)\n").problems
            expectEqual(problems.map(\.rule.name), ["wrong-type"], "\(wrong)")
        }
    }
}
