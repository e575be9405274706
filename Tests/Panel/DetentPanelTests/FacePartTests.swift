import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Which part is mounted for a control, and what it needs around it.
@Suite struct FacePartTests {
    static let parts: [(keys: String, part: String?, count: Int)] = [
        ("kind: button, label: X, input: A", "legend-button", 1),
        ("kind: button, label: X, input: A, symbol: play", "push-button", 1),
        ("kind: button, label: X, input: A, confirm: {guard: B}", "guarded-button", 1),
        ("kind: button, label: X, role: info, help: It helps", nil, 0),
        ("kind: toggle-button, label: X, input: A", "legend-button", 1),
        ("kind: toggle-button, label: X, input: A, symbol: play", "push-button", 1),
        ("kind: toggle-button, label: X, input: A, part: push-button", "push-button", 1),
        ("kind: switch, label: X, input: A", "mini-toggle", 1),
        ("kind: switch, label: X, input: A, part: toggle", "toggle", 1),
        ("kind: switch, label: X, lever: {on: A, off: B}", "mini-toggle", 1),
        ("kind: switch, label: X, input: A, confirm: {guard: B}", "guarded-toggle", 1),
        ("kind: switch, label: X, input: A, latch: toggle", "push-button", 1),
        ("kind: checkbox, label: X, input: A, latch: toggle", "push-button", 1),
        ("kind: three-way, label: X, lever: {up: A, down: B}", "mini-toggle", 1),
        (Base.radio, "selector-knob", 1), (Base.coded, "selector-knob", 1),
        (Base.rowOfSegments, "key", 3),
        (Base.popUp + ", buttons: {up: A, down: B, select: C, back: D}", "key", 4),
        (Base.dial, "knob", 1), (Base.dial + ", part: small-knob", "small-knob", 1),
        ("kind: indicator, label: X, indicator: L, show: d", "lamp", 1),
        ("kind: indicator, label: X, output: L, show: d", nil, 0),
        ("kind: checkbox-group, label: X, members: [d]", nil, 0),
        ("kind: checkbox-group, label: X, members: [d], indicator: L", "lamp", 1),
    ]

    @Test(arguments: parts) func aKindHasItsPart(keys: String, part: String?, count: Int) throws {
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(keys)}, "
                + "d: {kind: checkbox, label: Hall, input: H}}")
        let plan = try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
        let found = plan.controls[0].facePart
        expectEqual(found?.part.word, part)
        expectEqual(found?.count ?? 0, count)
    }

    @Test func aPartFitsTheKind() {
        let cases: [(keys: String, part: String, help: String)] = [
            (Base.lever, "knob", "parts that fit: mini-toggle, toggle"),
            (Base.dial, "toggle", "parts that fit: knob, small-knob"),
            (Base.toggle, "guarded-button", "parts that fit: push-button, legend-button"),
            (
                Base.button + ", confirm: {guard: B}", "push-button",
                "parts that fit: guarded-button"
            ),
            (
                "kind: button, label: X, role: disclosure, group: Y", "key",
                "remove `part`: the control has no part"
            ),
        ]
        for (keys, part, help) in cases {
            let problems = KeyCase.read(
                "panel: P, board: none, controls: {c: {\(keys), part: \(part)}}"
            ).problems
            let found = problems.filter { $0.rule == .partDoesNotFit }
            expectEqual(found.map(\.text), ["a `\(part)` does not fit `c`"], "\(keys)")
            expectEqual(found.map(\.help), [help])
        }
    }

    @Test func whatHasNoPartHasNoPlace() {
        let problems = KeyCase.read(
            "panel: P, board: none, controls: {d: {kind: checkbox, label: Hall, input: H}, "
                + "c: {kind: checkbox-group, label: X, members: [d], at: [40mm, 40mm]}}"
        ).problems
        expectEqual(problems.map(\.rule), [.partDoesNotFit])
        expectEqual(problems.map(\.text), ["`c` has no part to place"])
    }

    /// Both orders of a pair mean the same.
    @Test func distancesDependOnTheFamilies() {
        let expected: [(FacePart.Family, FacePart.Family, Double)] = [
            (.lamp, .lamp, 2), (.lamp, .knob, 4), (.lamp, .toggle, 4), (.lamp, .pushButton, 4),
            (.pushButton, .pushButton, 13), (.pushButton, .knob, 13), (.key, .key, 13),
            (.key, .toggle, 13), (.toggle, .toggle, 19), (.toggle, .knob, 19),
            (.toggle, .selector, 19), (.knob, .knob, 25), (.knob, .selector, 25),
            (.selector, .selector, 25),
        ]
        for (one, other, distance) in expected {
            expectEqual(FacePart.leastDistance(one, other), distance)
            expectEqual(FacePart.leastDistance(other, one), distance)
        }
    }

    /// A mini-toggle is 10 mm wide and 24 mm high; two need 19 mm between their edges.
    @Test(arguments: [
        ("20mm, 20mm", "49mm, 20mm", nil), ("20mm, 20mm", "48.9mm, 20mm", "parts-too-near"),
        ("20mm, 20mm", "29.9mm, 20mm", "parts-overlap"),
        ("20mm, 20mm", "30mm, 20mm", "parts-too-near"),
        ("20mm, 20mm", "29mm, 43.9mm", "parts-overlap"),
        ("20mm, 20mm", "20mm, 63mm", nil), ("20mm, 20mm", "20mm, 62.9mm", "parts-too-near"),
        ("48.9mm, 20mm", "20mm, 20mm", "parts-too-near"),
        ("20mm, 62.9mm", "20mm, 20mm", "parts-too-near"),
        ("20mm, 20mm", "43mm, 58mm", nil),
        ("20mm, 20mm", "42mm, 58mm", "parts-too-near"), ("20mm, 20mm", "5mm, 100mm", nil),
        ("20mm, 20mm", "4.9mm, 100mm", "outside-plate"),
        ("20mm, 20mm", "95mm, 100mm", nil), ("20mm, 20mm", "95.1mm, 100mm", "outside-plate"),
        ("20mm, 100mm", "80mm, 12mm", nil), ("20mm, 100mm", "80mm, 11.9mm", "outside-plate"),
        ("20mm, 20mm", "80mm, 1988mm", nil), ("20mm, 20mm", "80mm, 1988.1mm", "outside-plate"),
    ])
    func partsHaveRoom(one: String, other: String, rule: String?) {
        let problems = KeyCase.read(
            "panel: P, board: none, layout: {width: 100mm}, controls: {"
                + "a: {kind: switch, label: One, input: A, at: [\(one)]}, "
                + "b: {kind: switch, label: Two, input: B, at: [\(other)]}}"
        ).problems
        expectEqual(problems.map(\.rule.name), [rule].compactMap { $0 })
    }

    @Test func theMessagesSayHowFar() throws {
        func problem(_ point: String) -> Problem? {
            KeyCase.read(
                "panel: P, board: none, layout: {width: 100mm}, controls: {"
                    + "a: {kind: switch, label: One, input: A, at: [20mm, 20mm]}, "
                    + "b: {kind: three-way, label: Two, lever: {up: B, down: C}, at: [\(point)]}}"
            ).problems.first
        }
        let near = try #require(problem("40.3mm, 20mm"))
        expectEqual(near.text, "`b` is 10.3mm from `a`")
        expectEqual(near.help, "leave at least 19mm between a mini-toggle and a mini-toggle")
        let over = try #require(problem("25mm, 20mm"))
        expectEqual(over.text, "`b` overlaps `a`")
        expectEqual(over.help, "move them apart: `b` is 10 × 24mm in size, `a` 10 × 24mm")
        let out = try #require(problem("99mm, 90mm"))
        expectEqual(out.text, "`b` is not inside the plate")
        expectEqual(
            out.help,
            "keep its middle at least 5mm from the left and right edges, and 12mm from "
                + "the upper edge; the plate is 100mm wide")
    }
}
