import DetentActions
import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// What an attempt is told of other controls, in every kind of text and on the loop.
@Suite struct OtherValueRequestTests {
    private static func plan(_ action: String) throws -> PanelPlan {
        let text = """
            {panel: P, board: none, mqtt: {url: "mqtt://b"}, controls: {
            axis: {label: Axis, kind: radio-group, selector: [X, Y], options: [X, Y]},
            heat: {label: Heat, kind: dial, encoder: {a: A, b: B}, range: {min: 0, max: 9.5},
            scale: 2, action: {run: [heat, "{value}"], timeout: 60s}},
            go: {label: Start, kind: button, input: G, action: \(action)}}}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        return try #require(reading.plan, "\(reading.problems.map(\.text))")
    }

    @Test(arguments: [
        (
            "{run: [mill, \"{axis}{axis}\", \"{heat.shown}\"], timeout: 60s}",
            "run: [mill, YY, 2.5]"
        ),
        (
            "{http: {put: \"http://h/{axis}\", headers: {X-H: \"{heat.shown}\"}}, timeout: 60s}",
            "http: {put: http://h/Y, headers: {X-H: 2.5}}"
        ),
        (
            "{mqtt: {topic: \"a/{axis}\", payload: \"{heat.shown}\", retain: true}, timeout: 60s}",
            "mqtt: {topic: a/Y, payload: 2.5, retain: true}"
        ),
        (
            "{osc: {to: \"h:1\", address: \"/{axis}\", args: [\"{heat.shown}\"]}, timeout: 60s}",
            "osc: {to: h:1, address: /Y, args: [2.5]}"
        ),
    ])
    func everyTextIsFilled(action: String, text: String) throws {
        let plan = try Self.plan(action)
        let go = try #require(plan.control(named: "go"))
        guard case .any(let id) = plan[go].settings.actions else { return }
        var values = ActionValues()
        values.append(Value(1))
        values.append(Value(25))
        let command = ActionCommand(
            .start, action: id.index, run: RunID(1), control: go, value: .on, values: values)
        // Words of the panel file: `scale` is for the device of the dial itself.
        expectEqual(PanelActions(plan).text(of: command), text)
    }

    @Test func theLoopGivesAnAttemptItsValues() throws {
        let plan = try Self.plan("{run: [mill, \"{axis}\", \"{heat.shown}\"], timeout: 60s}")
        let rig = try LoopRig(plan, ScriptedBackend())
        _ = rig.open()
        rig.start()
        #expect(rig.inbox.send(.intent(rig.control("axis"), Value(1), .web)))
        #expect(rig.inbox.send(.intent(rig.control("heat"), Value(30), .web)))
        #expect(rig.inbox.send(.fire(rig.control("go"), .on, .web, isConfirmed: false)))
        #expect(rig.turn() == nil && rig.runner.waitForBegun(2))
        expectEqual(
            rig.runner.begun.compactMap { $0.payload.program?.arguments },
            [["heat", "6.0"], ["mill", "Y", "3.0"]])
        expectEqual(
            rig.runner.begun[1].payload.program?.environment.map(\.name),
            ["DETENT_VALUE", "DETENT_PREVIOUS", "DETENT_CONTROL", "DETENT_ORIGIN"])
        // The next attempt has its own.
        #expect(rig.inbox.send(.intent(rig.control("axis"), Value(0), .web)))
        rig.runner.end(rig.runner.begun[1].run)
        #expect(rig.turn { rig.snapshot("go")?.phase == .idle })
        #expect(rig.inbox.send(.fire(rig.control("go"), .on, .web, isConfirmed: false)))
        #expect(rig.turn() == nil && rig.runner.waitForBegun(3))
        expectEqual(rig.runner.begun[2].payload.program?.arguments, ["mill", "X", "3.0"])
    }

    @Test func anUnknownValueIsNamed() throws {
        let plan = try Self.plan("{run: [mill, \"{heat}\"], timeout: 60s}")
        let rig = try LoopRig(plan, ScriptedBackend())
        _ = rig.open()
        rig.start()
        #expect(rig.inbox.send(.fire(rig.control("go"), .on, .web, isConfirmed: false)))
        #expect(rig.turn { rig.snapshot("go")?.phase == .failed })
        let reasons = rig.kinds("go").compactMap { kind -> String? in
            guard case .phase(.failed, let reason) = kind else { return nil }
            return reason.text(in: plan)
        }
        expectEqual(reasons, ["heat is unknown"])
        expectEqual(rig.runner.begun.count, 0)
    }
}
