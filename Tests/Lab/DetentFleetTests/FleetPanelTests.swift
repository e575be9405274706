import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import TestSupport
import Testing

@testable import DetentFleet

/// A panel of a fleet depends on its seed and its number alone.
@Suite struct FleetPanelTests {
    private static func plan() throws -> PanelPlan {
        let text =
            "{panel: Lab, board: none, controls: {"
            + "lamp: {kind: switch, label: Lamp, input: A, "
            + "action: {run: [\"true\"], timeout: 5s}}, "
            + "start: {kind: button, label: Start, input: B}, "
            + "speed: {kind: dial, label: Speed, encoder: {a: C, b: D}, "
            + "range: {min: 0, max: 10, step: 1}}, "
            + "mode: {kind: radio-group, label: Mode, selector: [E, F, G], "
            + "options: [Low, High, Max]}}}"
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        return try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
    }

    /// What a panel tells in ten seconds, looked at every `step`.
    private static func story(seed: UInt64, number: Int, step: TimeSpan) throws -> [TimedUpdate] {
        let began = Instant.zero + .seconds(100)
        let panel = try FleetPanel(plan(), rate: 4, seed: seed, number: number, at: began)
        panel.beginUser(at: began + .seconds(1))
        var told: [TimedUpdate] = []
        var now = began
        while now < began + .seconds(10) {
            now = now + step
            panel.run(until: now, change: { _, _ in }, tell: { told.append($0) })
        }
        #expect(panel.operations > 20)
        return told.filter { if case .report = $0.update { true } else { false } }
    }

    @Test func equalSeedsGiveEqualChanges() throws {
        let one = try Self.story(seed: 7, number: 3, step: .milliseconds(1))
        #expect(one.count > 100)
        expectEqual(try Self.story(seed: 7, number: 3, step: .milliseconds(1)), one)
        // The moments of the calls change nothing.
        expectEqual(try Self.story(seed: 7, number: 3, step: .milliseconds(250)), one)
    }

    @Test func otherSeedsAndOtherNumbersDiffer() throws {
        let one = try Self.story(seed: 7, number: 3, step: .milliseconds(10))
        #expect(try Self.story(seed: 8, number: 3, step: .milliseconds(10)) != one)
        #expect(try Self.story(seed: 7, number: 4, step: .milliseconds(10)) != one)
    }

    @Test func aUserOperatesAsOftenAsAsked() throws {
        var user = FleetUser(try Self.plan(), rate: 5, seed: 1, number: 1)
        user.begin(at: .zero)
        while user.pop(by: .zero + .seconds(1_000)) != nil {}
        #expect(abs(user.operations - 5_000) < 250, "\(user.operations)")
        user.leave()
        expectEqual(user.due, .never)
        #expect(user.pop(by: .never) == nil)
    }

    /// Every operation of a lever and of a selector leads to another position.
    @Test func noOperationIsInVain() throws {
        let plan = try Self.plan()
        let panel = try FleetPanel(plan, rate: 1, seed: 3, number: 1, at: .zero)
        panel.beginUser(at: .zero)
        var reported = Set<ControlID>()
        panel.run(
            until: .zero + .seconds(200), change: { control, _ in reported.insert(control) },
            tell: { _ in })
        expectEqual(reported, Set(plan.allControls))
    }
}
