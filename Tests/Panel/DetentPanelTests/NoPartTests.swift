import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Controls without a part: values that nothing at the panel operates.
@Suite struct NoPartTests {
    static let kinds = [
        "kind: switch, label: Relay", "kind: dial, label: Level, range: {min: 0, max: 9}",
        "kind: radio-group, label: Mode, options: [x, y]",
        "kind: radio-group, label: Mode, options: [a, b, c, d, e, f, g, h, i, j, k, l, m]",
    ]

    @Test(arguments: kinds) func itHasAValueAndNoPlace(keys: String) throws {
        let reading = KeyCase.read("panel: P, board: none, controls: {c: {\(keys), part: none}}")
        expectEqual(reading.problems.map(\.text), [])
        let control = try #require(reading.plan?.controls.first)
        expectEqual(control.settings.decoder, .none)
        expectEqual(control.settings.nature.role, .device)
        expectEqual(control.settings.startup.rule, .saved)
        #expect(control.facePart == nil && !control.layout.isOnPlate)
        expectEqual(reading.plan?.lines.count, 0)
    }

    /// A contact that is missing stays an error, and both ways out are named.
    @Test(arguments: kinds) func withoutAPartOrAContactItIsAnError(keys: String) {
        let problems = KeyCase.read("panel: P, board: none, controls: {c: {\(keys)}}").problems
        expectEqual(problems.map(\.rule).first, .missingKey)
        let help = problems.first?.help ?? ""
        #expect(help.hasPrefix("add `"))
        #expect(help.hasSuffix("Or write `part: none`, if nothing at the panel operates it."))
    }

    @Test(arguments: [
        ("input: A", "`input` is about a part, and this control has none"),
        ("lever: {on: A, off: B}", "`lever` is about a part, and this control has none"),
        ("latch: toggle", "`latch` is about a part, and this control has none"),
        ("debounce: 5ms", "`debounce` is about a part, and this control has none"),
        ("span: 2", "`span` is about a part, and this control has none"),
        ("at: [20mm, 20mm]", "`at` is about a part, and this control has none"),
        ("mismatch: toggle", "`mismatch` is about a part, and this control has none"),
        ("indicator: L", "`indicator` has no effect: a control without a part has no lamp"),
    ]) func keysOfPartsAreErrors(key: String, text: String) {
        let problems = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(Self.kinds[0]), part: none, \(key)}}"
        ).problems
        expectEqual(problems.map(\.text), [text])
    }

    @Test func otherKindsNeedAPart() {
        let problems = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(Base.button), part: none}}"
        ).problems
        expectEqual(problems.map(\.text), ["a `button` cannot be without a part"])
        expectEqual(
            problems.map(\.help),
            ["remove `part: none`; it is possible for: switch, radio-group, dial"])
    }

    /// A default for parts does not reach what has none.
    @Test func defaultsOfPartsAreForParts() throws {
        let reading = KeyCase.read(
            "panel: P, board: none, defaults: {switch: {debounce: 7ms, help: Mains}}, "
                + "controls: {a: {kind: switch, label: Pump, input: A}, "
                + "c: {\(Self.kinds[0]), part: none}}")
        expectEqual(reading.problems.map(\.text), [])
        let plan = try #require(reading.plan)
        expectEqual(plan.controls.map(\.layout.help), ["Mains", "Mains"])
        expectEqual(plan.contact?.debounce.algorithm, .defer(time: .milliseconds(7)))
    }
}
