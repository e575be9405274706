import CounterKind
import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import TestSupport
import Testing

@testable import DetentMQTT
@testable import DetentPanel
@testable import DetentServer
@testable import DetentSoak

/// A new kind of control is one file and one line: `Counter.swift`. All else asks it.
///
/// Its page, and its requests over HTTP, are in Tests/Browser/test_new_kind.py. `ExtensionTests`
/// sees that no file of the program names it.
@Suite struct CounterTests {
    private static let panel = """
        panel: Bench
        board: none
        mqtt: {url: "mqtt://localhost", discovery: homeassistant}
        controls:
          laps:
            kind: counter
            label: Laps
            input: A
            indicator: L
            action: {run: [count, "{value}"], timeout: 5s}
          horn:
            kind: button
            label: Start Horn
            input: B
            enabled-when: laps >= 2
        """

    private func plan() throws -> PanelPlan {
        let reading = CounterPanel.read(Self.panel)
        expectEqual(ProblemRenderer.text(reading.problems), "")
        return try #require(reading.plan)
    }

    private func play(_ steps: String) throws {
        let text = "panel: panel.yaml\nactions: {laps: {takes: 10ms}}\nsteps:\n" + steps
        let reading = ScenarioReader.read(SourceText(file: "scenario.yaml", text: text)) { _ in
            CounterPanel.read(Self.panel)
        }
        let problems = reading.problems.map(ProblemRenderer.text)
        let result = VirtualPlayer.run(try #require(reading.scenario, "\(problems)"))
        #expect(result.isPassed, "\(result.text)")
    }

    // MARK: The panel file

    @Test func pressesCountAndAHoldSetsBack() throws {
        try play(
            """
              - click: laps
              - wait: 100ms
              - expect: {laps: {value: 1, indicator: steady, event: {changed: 1}}}
              - set: {laps: 99}
              - wait: 100ms
              - click: laps
              - wait: 100ms
              - expect: {laps: 0}
              - set: {laps: 41}
              - press: laps
              - wait: 1200ms
              - release: laps
              - wait: 100ms
              - expect: {laps: 0}
            """)
    }

    @Test func aConditionComparesIt() throws {
        try play(
            """
              - expect: {horn: {flags: [disabled]}}
              - set: {laps: 2}
              - wait: 100ms
              - expect: {horn: {flags: []}}
            """)
    }

    @Test(arguments: [
        ("default: 100", "out-of-range"), ("range: {min: 0, max: 5}", "key-not-for-kind"),
        ("default: many", "invalid-number"),
    ])
    func whatItCannotBeIsAProblem(key: String, rule: String) {
        let control = "{kind: counter, label: C, input: A, \(key)}"
        let text = "{panel: P, board: none, controls: {c: \(control)}}"
        expectEqual(CounterPanel.read(text).problems.map(\.rule.name), [rule])
    }

    @Test func withoutItsLineItIsUnknown() {
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: Self.panel))
        #expect(reading.plan == nil)
        #expect(reading.problems.contains { $0.rule.name == "unknown-word" })
    }

    // MARK: From afar

    @Test(arguments: [
        (JSONValue.integer(7), Value(7) as Value?), (.integer(100), nil), (.integer(-1), nil),
    ])
    func aRequestKeepsItsBounds(json: JSONValue, value: Value?) throws {
        let plan = try plan()
        let laps = try #require(plan.control(named: "laps"))
        do throws(CommandError) {
            let command = try ControlCommand(json, for: laps, of: plan)
            expectEqual(command, value.map { .value($0) })
        } catch {
            #expect(value == nil && "\(error)".contains("0 to 99"), "\(error)")
        }
    }

    @Test func homeAssistantHasANumber() throws {
        let plan = try plan()
        let device = HomeAssistantDevice(
            plan: plan, topics: MQTTTopics(broker: try #require(plan.broker)), version: "1",
            page: nil)
        let entity = try #require(device.entities.first { $0.key.hasPrefix("laps") })
        let json = JSONValue.object(entity.members)
        expectEqual(json["p"]?.text, "number")
        expectEqual(json["min"]?.line, "0")
        expectEqual(json["max"]?.line, "99")
        expectEqual(json["step"]?.line, "1")
    }

    @Test func thePageIsToldItsLookAndItsRange() throws {
        let plan = try plan()
        let laps = try #require(plan.control(named: "laps"))
        let json = ControlDescription(laps, of: plan).json
        expectEqual(json["look"]?.text, "cap")
        expectEqual(json["domain"]?.text, "number")
        expectEqual(json["range"]?["max"]?.line, "99")
        expectEqual(json["kind"]?.text, "counter")
    }

    // MARK: Saved

    @Test(arguments: [("42", 42 as Int32?), ("120", 99), ("no", nil)])
    func aSavedValueComesBack(word: String, value: Int32?) throws {
        let plan = try plan()
        var reading = SavedFile.Reading()
        reading.add("laps", word, of: plan)
        expectEqual(reading.values.first?.value, value.map { Value($0) })
        expectEqual(reading.notes.isEmpty, word == "42")
    }

    // MARK: Random users

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func randomUsersBreakNoLaw(seed: UInt64) throws {
        let (failure, figures) = try Soak(plan(), seed: seed).run()
        #expect(failure == nil, "seed \(seed)")
        #expect(failure != nil || figures.edges > 100)
    }
}
