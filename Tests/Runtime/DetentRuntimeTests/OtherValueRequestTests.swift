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
        (
            "{tcp: {to: \"h:1\", text: \"JOG {axis} {heat.shown}\"}, timeout: 60s}",
            "tcp: {to: h:1, text: JOG Y 2.5}"
        ),
        (
            "{udp: {to: \"h:1\", text: \"JOG {axis} {heat.shown}\"}, timeout: 60s}",
            "udp: {to: h:1, text: JOG Y 2.5}"
        ),
        (
            "{serial: {device: /dev/mill, text: \"JOG {axis} {heat.shown}\"}, timeout: 60s}",
            "serial: {device: /dev/mill, text: JOG Y 2.5}"
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

    /// The words of the device, and its numbers, go over every wire.
    @Test(arguments: ["tcp: {to: \"h:1\"", "udp: {to: \"h:1\"", "serial: {device: /dev/mill"])
    func aWireHasTheWordsOfTheDevice(place: String) throws {
        let action = "{\(place), text: \"A {previous} {value}\"}, timeout: 60s}"
        let text = """
            {panel: P, board: none, controls: {
            lamp: {label: Lamp, kind: toggle-button, input: L, words: {on: "ON", off: "OFF"},
            action: \(action)},
            heat: {label: Heat, kind: dial, encoder: {a: A, b: B}, range: {min: 0, max: 9.5},
            scale: 2, offset: 1, action: \(action)}}}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        let plan = try #require(reading.plan, "\(reading.problems.map(\.text))")
        for (id, previous, value, words) in [
            ("lamp", Value.off, Value.on, "A OFF ON"), ("heat", Value(10), Value(25), "A 3.0 6.0"),
        ] {
            let control = try #require(plan.control(named: id))
            guard case .any(let action) = plan[control].settings.actions else { return }
            let command = ActionCommand(
                .start, action: action.index, run: RunID(1), control: control, value: value,
                previous: previous)
            let sent = PanelActions(plan).text(of: command)
            #expect(sent.hasSuffix("text: \(words)}"), "\(sent)")
        }
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
