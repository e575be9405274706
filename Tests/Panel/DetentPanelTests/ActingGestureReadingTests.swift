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

    // MARK: Waiting

    @Test(
        arguments: [
            ("kind: toggle-button, label: A, input: A, \(hold)", "a tap acts when it is released"),
            ("kind: toggle-button, label: A, input: A, hold: 1s", nil),
            ("kind: toggle-button, label: A, input: A, exclusive: false, \(hold)", nil),
            (
                "kind: toggle-button, label: A, input: A, \(hold), double-click: {gap: 300ms, "
                    + "action: {run: [y], timeout: 1s}}",
                "a tap acts 300ms after its release"
            ),
            (
                "kind: radio-group, label: A, buttons: [A, B], options: [One, {name: Two, "
                    + "double-click: {gap: 250ms, action: {run: [y], timeout: 1s}}}]",
                "a tap acts 250ms after its release"
            ),
            ("kind: radio-group, label: A, buttons: [A, B], options: [One, Two]", nil),
        ] as [(String, String?)])
    func aTapThatWaitsIsTold(keys: String, words: String?) throws {
        let text = "panel: P\nboard: none\ncontrols: {a: {\(keys)}}\n"
        let source = SourceText(file: "p", text: text)
        let reading = PanelReader.read(source)
        let plan = try #require(reading.plan, "\(reading.problems)")
        expectEqual(plan.tapWait(of: ControlID(0)), words)
        let filled = try #require(PanelReader.filledText(source))
        expectEqual(filled.contains("# `a`: a tap"), words != nil, "\(filled)")
    }

    // MARK: Rows

    private func row(_ keys: String, kind: String = "radio-group") -> PanelReader.Reading {
        read(
            "r: {kind: \(kind), label: Bus, buttons: [A, B], \(keys)}, "
                + "m: {kind: radio-group, label: Mode, buttons: [M, N], options: [One, Two]}")
    }

    private func rules(_ plan: PanelPlan) -> [GestureSettings] {
        plan.gestures.compactMap {
            plan.relations.settings[Int($0.settings.relation.index)].acting
        }
    }

    @Test func theRowHasWhatNoOptionHas() throws {
        let reading = row(
            "\(Self.hold), options: [One, {name: Two, "
                + "hold: {after: 2s, action: {run: [y], timeout: 1s}}}]")
        let plan = try #require(reading.plan, "\(reading.problems.map(\.text))")
        let rules = rules(plan)
        expectEqual(rules.map(\.row.buttons), [0b10, 0b01])
        expectEqual(rules.map(\.row.after), [.seconds(2), .seconds(1)])
        expectEqual(rules.map(\.shownHold), [.seconds(2), .seconds(1)])
        let storage = EngineStorage(for: plan.capacity)
        _ = try plan.makeEngine(in: storage)
    }

    /// `{value}` is the option of the button, also in `set`.
    @Test func theOptionOfTheButtonIsTheValue() throws {
        let reading = row(
            "options: [One, Two], exclusive: false, "
                + "hold: {after: 1s, action: {set: {m: \"{value}\"}}}")
        let plan = try #require(reading.plan, "\(reading.problems.map(\.text))")
        expectEqual(
            plan.relations.sequenceSteps,
            [.set(ControlID(1), Value(0)), .set(ControlID(1), Value(1))])
        expectEqual(plan.gestures[0].settings.actions, .perValue(first: ActionID(0), present: 0b11))
        #expect(rules(plan).allSatisfy { !$0.row.isExclusive })
        for kind in ["segmented, selection: momentary", "segmented, selection: multiple"] {
            let keys =
                "options: [One, Two], hold: {after: 1s, "
                + "action: {run: [x, \"{value}\"], timeout: 1s}}"
            #expect(row(keys, kind: kind).plan != nil)
        }
    }

    @Test(arguments: [
        ("options: [One, Two], hold: 1s", "row buttons report presses only"),
        (
            "options: [One, Two], click: {action: {wait: 1s}}",
            "a click is what the control is for"
        ),
        (
            "options: [One, Three], hold: {after: 1s, action: {set: {m: \"{value}\"}}}",
            "`Three`, a possible `{value}`, is not a value of `m`"
        ),
    ])
    func whatARowCannotDo(keys: String, text: String) {
        let texts = row(keys).problems.map(\.text)
        #expect(texts.contains { $0.contains(text) }, "\(texts)")
    }

    @Test func anOptionOfASelectorHasNoButton() {
        let texts = read(
            "r: {kind: radio-group, label: Bus, selector: [A, B], options: [One, {name: Two, "
                + "\(Self.hold)}]}"
        ).problems.map(\.text)
        #expect(texts.contains { $0.contains("needs a button for each option") }, "\(texts)")
    }
}
