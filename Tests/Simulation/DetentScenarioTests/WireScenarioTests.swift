import DetentPanel
import TestSupport
import Testing

@testable import DetentScenario

/// A wire that an action and sources of feedback share, and that is lost: in virtual time.
@Suite struct WireScenarioTests {
    private static let panel = PlayedPanel(
        """
        {panel: P, board: none, controls: {
        supply: {kind: toggle-button, label: Supply, input: A,
          action: {tcp: {to: "s:1", text: "{value}", expect: ok}, timeout: 2s},
          feedback: {tcp: {to: "s:1"}}},
        meter: {kind: indicator, label: Meter, indicator: B, feedback: {tcp: {to: "s:1"}}},
        aged: {kind: indicator, label: Aged, indicator: C, feedback: {tcp: {to: "s:1"}},
          stale-after: 5s},
        other: {kind: indicator, label: Other, indicator: D, feedback: {tcp: {to: "s:2"}}}}}
        """)

    private static let known = """
          - feedback: {meter: on}
          - feedback: {aged: on}
          - feedback: {other: on}

        """

    private static func run(_ ending: String, _ steps: String) throws -> ScenarioResult {
        try panel.run(
            "actions: {supply: {takes: 300ms, then: \(ending)}}\nsteps:\n\(known)\(steps)")
    }

    @Test(arguments: ["lose", "fail"])
    func whatReportsOverALostWireIsStaleUntilItIsOpenAgain(ending: String) throws {
        let result = try Self.run(
            ending,
            """
              - click: supply
              - expect: {meter: {flags: []}}
              - wait: 300ms
              - expect: {meter: {value: on, flags: [stale]}, other: {flags: []}, aged: {flags: []}}
              # What it says meanwhile is not heard.
              - feedback: {meter: off}
              - expect: {meter: {value: on, flags: [stale]}}
              - wait: 700ms
              - expect: {meter: {flags: [stale]}}
              # A lost attempt is tried a second time.
              - wait: 600ms
              - expect: {meter: {value: off, flags: []}, aged: {value: on, flags: []}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    /// It opens the wire, so the pause ends.
    @Test func anActionThatSucceedsEndsThePause() throws {
        let result = try Self.run(
            "lose",
            """
              - click: supply
              - wait: 400ms
              - expect: {meter: {flags: [stale]}}
              - actions: {supply: {takes: 100ms}}
              - click: supply
              - wait: 200ms
              - expect: {meter: {value: on, flags: []}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    @Test func aDeviceThatIsSilentStaysStale() throws {
        let result = try Self.run(
            "lose",
            """
              - silence: meter
              - click: supply
              - wait: 10s
              - expect: {meter: {flags: [stale]}, aged: {flags: []}}
              - silence: aged
              - wait: 6s
              - expect: {aged: {flags: [stale]}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    /// A new process opens its wires at once.
    @Test func aRestartEndsThePause() throws {
        let result = try Self.run(
            "lose",
            """
              - click: supply
              - wait: 400ms
              - restart: 100ms
              - wait: 100ms
              - expect: {meter: {value: on, flags: []}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }
}
