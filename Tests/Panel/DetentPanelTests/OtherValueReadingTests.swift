import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Values of other controls in the texts of actions, and copies by `set`.
@Suite struct OtherValueReadingTests {
    private static let others = [
        "axis: {kind: radio-group, label: Axis, selector: [X, Y], options: [X, \"Y Z\"]}",
        "pump: {kind: switch, label: Pump, input: P, latch: toggle}",
        "mode: {kind: radio-group, label: Mode, selector: [M, N], options: [on, off]}",
        "heat: {kind: dial, label: Heat, encoder: {a: S, b: T}, range: {min: 0, max: 9}}",
        "fine: {kind: dial, label: Fine, encoder: {a: U, b: V}, "
            + "range: {min: 0, max: 9.5, step: 0.5}}",
        "wide: {kind: dial, label: Wide, encoder: {a: G, b: H}, range: {min: 0, max: 99}}",
        "reset: {kind: button, label: Reset, input: R}",
        "films: {kind: segmented, label: Films, buttons: [I, J], options: [IR, UV], "
            + "selection: {multiple: {min: 0, max: 2}}}",
    ]

    private func read(_ action: String, keys: String = "") -> PanelReader.Reading {
        let main = "main: {kind: switch, label: Main, input: A, \(keys)action: \(action)}"
        let all = ([main] + Self.others).joined(separator: ", ")
        return KeyCase.read(
            "panel: P, board: none, lint: {radio-on-off: off}, mqtt: {url: \"mqtt://b\"}, "
                + "controls: {\(all)}"
        )
    }

    private func plan(_ action: String, keys: String = "") throws -> PanelPlan {
        let reading = read(action, keys: keys)
        expectEqual(ProblemRenderer.text(reading.problems), "")
        let plan = try #require(reading.plan)
        let storage = EngineStorage(for: plan.capacity)
        _ = try plan.makeEngine(in: storage)
        return plan
    }

    @Test(arguments: [
        "{run: [mill, \"{axis}\", \"at {heat.shown}\", \"{axis}\"], timeout: 1s}",
        "{http: {put: \"http://h/{axis}\", body: \"{heat.shown}\"}, timeout: 1s}",
        "{mqtt: {topic: a, payload: \"{axis} {heat.shown}\"}, timeout: 1s}",
        "{osc: {to: \"h:1\", address: /a, args: [\"{axis}\", \"{heat.shown}\"]}, timeout: 1s}",
    ])
    func everyKindOfTextNamesOthers(action: String) throws {
        let plan = try plan(action)
        let settings = plan.actions[0].settings
        expectEqual(plan.otherValues(of: settings).map(\.placeholder), ["axis", "heat.shown"])
        expectEqual(settings.shownValues, 0b10)
        // What is read starts first.
        #expect(plan.controls[0].settings.startRank > plan.controls[1].settings.startRank)
    }

    @Test func queriesAndStepsNeedValuesToo() throws {
        let plan = try plan(
            "{sequence: [{run: [a, \"{axis}\"], timeout: 1s}]}, "
                + "query: {run: [b, \"{mode}\"], timeout: 1s}")
        let needs = plan.actions.map { plan.otherValues(of: $0.settings).map(\.placeholder) }
        expectEqual(needs, [[], ["axis"], ["mode"]])
    }

    @Test(arguments: [
        ("\"{axsi}\"", "unknown-control"), ("\"{pmp.shown}\"", "unknown-control"),
        ("\"{reset}\"", "wrong-member"),
        (
            "\"{axis}{axis.shown}{pump}{pump.shown}{mode}{mode.shown}{heat}{heat.shown}{fine}\"",
            "out-of-range"
        ),
    ])
    func whatIsNoValueIsAnError(text: String, rule: String) {
        let problems = read("{run: [a, \(text)], timeout: 1s}").problems
        expectEqual(problems.map(\.rule.name), [rule])
        #expect(problems.allSatisfy { $0.severity == .error && !$0.help.isEmpty })
    }

    @Test func anUnknownWordIsPassedUnchanged() {
        let reading = read("{run: [awk, \"{print}\"], timeout: 1s}")
        expectEqual(reading.problems.map(\.rule.name), ["unknown-placeholder"])
        #expect(reading.plan != nil)
    }

    @Test func everyWordOfAnotherControlIsTried() {
        let address = "{osc: {to: \"h:1\", address: \"/{axis}\"}, timeout: 1s}"
        expectEqual(read(address).problems.map(\.rule.name), ["invalid-argument"])
        let json =
            "{http: {put: \"http://h\", body: '{\"a\": {heat}, \"b\": {axis}}'}, timeout: 1s}"
        expectEqual(read(json).problems.map(\.rule.name), ["value-not-json"])
        let quoted = "{http: {put: \"http://h/{axis}\", body: '{\"b\": \"{axis}\"}'}, timeout: 1s}"
        expectEqual(read(quoted).problems.map(\.rule.name), [])
    }

    // MARK: Copies

    @Test func aCopyIsCheckedForEveryOption() throws {
        let plan = try plan("{set: {pump: \"{mode}\", wide: \"{heat.shown}\", fine: \"{heat}\"}}")
        expectEqual(
            plan.relations.sequenceSteps,
            [
                .choose(OtherValue(of: ControlID(3)), of: 2), .set(ControlID(2), .on),
                .set(ControlID(2), .off),
                .copy(
                    ControlID(6), from: OtherValue(of: ControlID(4), isShown: true), times: 1),
                .copy(ControlID(5), from: OtherValue(of: ControlID(4)), times: 10),
            ])
    }

    @Test(arguments: [
        ("pump: \"{axis}\"", "`X`, a possible `{axis}`, is not a value of `pump`"),
        ("heat: \"{wide}\"", "`wide` goes from 0 to 99, and `heat` from 0 to 9"),
        ("heat: \"{fine}\"", "`fine` has more decimals than `heat`"),
        ("pump: \"{heat}\"", "`heat` is a number, and `pump` cannot have one"),
        ("pump: \"{films}\"", "`films` has no single value to copy"),
        ("pump: \"{pump}\"", "`pump` is set to its own value"),
        ("pump: \"{nothing-like-it}\"", "`{nothing-like-it}` is not a value of `pump`"),
    ])
    func aCopyThatCannotBeIsAnError(set: String, text: String) {
        let problems = read("{set: {\(set)}}").problems
        #expect(problems.contains { $0.text == text }, "\(problems.map(\.text))")
    }

    @Test func aGestureCopies() throws {
        let plan = try plan(
            "{run: [a], timeout: 1s}",
            keys: "latch: toggle, hold: {after: 1s, action: {set: {pump: \"{mode}\"}}}, "
                + "exclusive: false, ")
        expectEqual(
            plan.relations.sequenceSteps.first, .choose(OtherValue(of: ControlID(3)), of: 2))
    }

    // MARK: Reload

    @Test func anotherWordOrSourceIsAChange() throws {
        let action = "{run: [a, \"{axis}\"], timeout: 1s}"
        let former = try plan(action)
        expectEqual(PanelDifference(from: former, to: try plan(action)).changed, [])
        let shown = try plan("{run: [a, \"{axis.shown}\"], timeout: 1s}")
        expectEqual(PanelDifference(from: former, to: shown).changed, ["main"])
    }
}
