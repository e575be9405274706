import DetentScenario
import TestSupport
import Testing

/// A lamp with levels in scenarios: it is a lamp as any other.
struct LevelScenarioTests {
    static let panel = PlayedPanel(
        """
        panel: Desk
        board: none
        dimmer: night
        controls:
          record:
            kind: toggle-button
            label: Record
            input: BUTTON
            indicator: {led: "panel:red:record", brightness: 40%}
            output: {led: "panel:white:light"}
            action: {run: [record], timeout: 2s}
          night:
            kind: dial
            label: Night
            encoder: {a: A, b: B}
            range: {min: 0, max: 10}
            default: 5
        """)

    @Test(arguments: [
        ("{value: on, lamp: on}", true), ("{value: on, lamp: off}", false),
    ])
    func aLampWithLevelsIsSeen(expected: String, holds: Bool) throws {
        let result = try Self.panel.run(
            """
            bounce: none
            actions: {record: {takes: 400ms, then: succeed}}
            steps:
              - press: record
              - wait: 300ms
              - expect: {record: {phase: loading, indicator: blink}}
              - wait: 400ms
              - expect: {record: \(expected)}
              - turn: {night: -5}
              - wait: 100ms
              - expect: {night: 0, record: {value: on, indicator: steady}}
            """)
        expectEqual(result.failures.isEmpty, holds, "\(result)")
    }
}
