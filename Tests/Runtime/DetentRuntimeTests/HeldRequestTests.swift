import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentActions
@testable import DetentRuntime

/// Which part of a press an attempt is, from the panel file to its runner.
@Suite struct HeldRequestTests {
    private static func plan(_ keys: String, more: String = "") throws -> PanelPlan {
        let text =
            "{panel: P, board: none, controls: {go: {label: Start, input: G, \(keys)}\(more)}}"
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        return try #require(reading.plan, "\(reading.problems.map(\.text))")
    }

    private static func part(
        _ plan: PanelPlan, _ value: Value, action: UInt16 = 0
    ) -> PressPart {
        PanelActions(plan).request(
            ActionCommand(
                .start, action: action, run: RunID(1), control: ControlID(0), value: value)
        ).part
    }

    @Test func aButtonTellsItsRunnerWhenItIsPressedAndLetGo() throws {
        let plan = try Self.plan("kind: button, action: {key: [KEY_LEFTCTRL, KEY_C]}")
        expectEqual(plan.controls[0].settings.nature, .heldButton)
        expectEqual(Self.part(plan, .pressed), .beginning)
        expectEqual(Self.part(plan, .released), .end)
        expectEqual(Self.part(plan, .on), .whole, "from elsewhere")
        let command = ActionCommand(
            .start, action: 0, run: RunID(1), control: ControlID(0), value: .pressed)
        expectEqual(PanelActions(plan).text(of: command), "key: [KEY_LEFTCTRL, KEY_C]")
    }

    /// Two controls that hear the same device share its wire; each other place has its own.
    @Test func aDeviceIsHeardOnce() throws {
        func heard(_ id: String, _ wire: String) -> String {
            ", \(id): {label: L, kind: switch, input: \(id), action: {run: [x], timeout: 1s}, "
                + "feedback: {\(wire)}}"
        }
        let one = "tcp: {to: \"h:1\"}"
        let more = heard("a", one) + heard("b", one) + heard("c", "tcp: {to: \"h:2\"}")
        let action = "kind: button, action: {tcp: {to: \"h:3\", text: q}, timeout: 1s}"
        let wires = WirePlan(try Self.plan(action, more: more))
        expectEqual(wires.feeds.map { $0.fields.text("to") }, ["h:1", "h:2"])
        expectEqual(wires.places.count, 3)
        expectEqual(
            WirePlan(try Self.plan("kind: button, action: {run: [a], timeout: 1s}")).places, [])
    }

    /// A press that waits for what it becomes has no release of its own, nor has another action.
    @Test(arguments: [
        "confirm: {hold: 2s}, action: {key: KEY_F5}",
        "hold: {after: 1s, action: {key: KEY_F6}}, action: {key: KEY_F5}",
        "double-click: {gap: 300ms, action: {wait: 1s}}, action: {key: KEY_F5}",
        "action: {sequence: [{key: KEY_F5}]}",
        "action: {run: [a], timeout: 1s}",
    ])
    func otherButtonsTap(keys: String) throws {
        expectEqual(try Self.plan("kind: button, \(keys)").controls[0].settings.nature, .button)
    }

    @Test func aGestureOfAHeldButtonTaps() throws {
        let plan = try Self.plan(
            "kind: button, action: {key: KEY_F5}, exclusive: false, "
                + "hold: {after: 1s, action: {key: KEY_F6}}")
        expectEqual(plan.controls[0].settings.nature, .heldButton)
        // The value of a gesture is what its control shows.
        expectEqual(Self.part(plan, .off, action: 1), .whole)
    }

    @Test func aValueTaps() throws {
        let plan = try Self.plan("kind: switch, action: {on: {key: KEY_F5}, off: {key: KEY_F6}}")
        for value in [Value.off, .on] { expectEqual(Self.part(plan, value), .whole) }
    }

    @Test func thePanelHasADeviceForAllItsKeys() throws {
        let plan = try Self.plan(
            "kind: button, action: {key: KEY_F5}",
            more: ", b: {kind: switch, label: Gear, input: B, action: {on: {sequence: "
                + "[{key: BTN_TRIGGER}, {key: [KEY_LEFTCTRL, KEY_F5]}]}}}")
        let pads = WirePlan(plan).places.compactMap { place -> KeyPad? in
            if case .keys(let pad) = place { pad } else { nil }
        }
        expectEqual(pads.map(\.name).sorted(), ["Detent P", "Detent P Joystick"])
        expectEqual(Set(pads.map(\.keys)), [[29, 63], [0x120]])
    }
}
