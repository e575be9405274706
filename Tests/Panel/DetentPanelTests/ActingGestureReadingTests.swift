import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Gestures that act, where a press has a meaning already, and where a key has no effect.
@Suite struct ActingGestureReadingTests {
    private static let hold = "hold: {after: 1s, action: {run: [x], timeout: 1s}}"

    private func read(_ controls: String, panel: String = "") -> PanelReader.Reading {
        KeyCase.read("panel: P, board: none, \(panel)controls: {\(controls)}")
    }

    @Test(arguments: [
        (
            "",
            "a: {kind: button, label: Start, input: A, \(hold)}, "
                + "b: {kind: button, label: Stop, input: B}, "
                + "c: {kind: button, label: Reset, confirm: {chord: [a, b]}, "
                + "role: destructive, action: {run: [x], timeout: 1s}}",
            "part of the chord of `c`"
        ),
        (
            "lamp-test: a, ",
            "a: {kind: button, label: Test Lamps, input: A, \(hold)}, "
                + "b: {kind: switch, label: Pump, input: B, indicator: L}",
            "tests the lamps"
        ),
        (
            "",
            "a: {kind: button, label: Apply, input: A, role: primary, \(hold)}, "
                + "m: {kind: toggle-button, label: Mode, input: M}, "
                + "f: {kind: form, label: Setup, members: [m], apply: a}",
            "button of a form"
        ),
        (
            "",
            "a: {kind: button, label: Erase, input: A, role: destructive, "
                + "confirm: {press-twice: 3s}, \(hold)}",
            "part of its confirmation"
        ),
    ])
    func aPressThatMeansSomethingElseCannotAct(
        panel: String, controls: String, cause: String
    ) {
        let texts = read(controls, panel: panel).problems.map(\.text)
        #expect(
            texts.contains { $0.hasPrefix("`hold` cannot act here") && $0.contains(cause) },
            "\(texts)")
    }

    private static let knob = "k: {kind: dial, label: Knob, encoder: {a: A, b: B}"

    @Test func aStepOfASequenceHasTheDetents() throws {
        let reading = read(
            "\(Self.knob), turn: {sequence: [{run: [x, \"{steps}\"], timeout: 1s}]}, by: 2}")
        let plan = try #require(reading.plan, "\(reading.problems.map(\.text))")
        expectEqual(plan.actions.map(\.usesSteps), [true, true])
    }

    @Test func aFactorWithoutDetentsIsAnError() {
        let texts = read("\(Self.knob), turn: {run: [x], timeout: 1s}, by: 2}").problems.map(\.text)
        #expect(texts.contains { $0.contains("`by` multiplies `{steps}`") }, "\(texts)")
        let both = "turn: {up: {run: [x, \"{steps}\"], timeout: 1s}, down: {run: [y], timeout: 1s}}"
        #expect(read("\(Self.knob), \(both), by: 2}").plan != nil)
    }
}
