import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// The parts on which an option or a command is chosen.
@Suite struct ChoiceTests {
    private static let radio = "kind: radio-group, label: Range, options: [x, y, z]"
    private static let turned = radio + ", encoder: {a: A, b: B}"
    private static let pushed = radio + ", encoder: {a: A, b: B, push: C}"
    private static let menu = "kind: pull-down, label: System, items: [{name: Copy}, {name: Cut}]"
    private static let four = "{up: A, down: B, select: C, back: D}"

    private static func read(_ keys: String) -> PanelReader.Reading {
        KeyCase.read(
            "panel: P, board: none, controls: {first: {kind: button, label: Go, input: Z}, "
                + "c: {\(keys)}}")
    }

    private func control(_ keys: String) throws -> (PanelPlan, ControlPlan) {
        let reading = Self.read(keys)
        let errors = reading.problems.filter { $0.severity == .error }
        expectEqual(ProblemRenderer.text(errors), "")
        let plan = try #require(reading.plan)
        return (plan, plan.controls[1])
    }

    typealias Style = NavigationSettings.Style

    static let styles: [(String, Style, NavigationSettings.Hardware, UInt8)] = [
        (turned, .followTurn(settle: .milliseconds(300)), .encoder, 3),
        (turned + ", settle: 1s", .followTurn(settle: .seconds(1)), .encoder, 3),
        (pushed, .focus(closeAfter: .seconds(5)), .encoder, 3),
        (pushed + ", close-after: 2s", .focus(closeAfter: .seconds(2)), .encoder, 3),
        (
            Base.popUp + ", encoder: {a: A, b: B, push: C}", .menu(closeAfter: .seconds(10)),
            .encoder, 2
        ),
        (Base.popUp + ", buttons: \(four)", .menu(closeAfter: .seconds(10)), .buttons, 2),
        (menu + ", input: A", .menu(closeAfter: .seconds(10)), .oneButton, 2),
        (menu + ", input: A, close-after: 3s", .menu(closeAfter: .seconds(3)), .oneButton, 2),
        (menu + ", buttons: \(four)", .menu(closeAfter: .seconds(10)), .buttons, 2),
    ]

    @Test(arguments: styles) func isFound(
        keys: String, style: Style, hardware: NavigationSettings.Hardware, count: UInt8
    ) throws {
        let (plan, control) = try control(keys)
        let navigation = try #require(plan.navigation(of: control))
        expectEqual(navigation.style, style)
        expectEqual(navigation.hardware, hardware)
        expectEqual(navigation.count, count)
        expectEqual(control.settings.contacts.first, 1)
        expectEqual(Int(control.settings.contacts.count), plan.lines.count - 1)
    }

    static let orders: [(keys: String, lines: [String])] = [
        (radio + ", buttons: [A, B, C]", ["A", "B", "C"]), (pushed, ["A", "B", "C"]),
        (Base.popUp + ", buttons: {back: D, select: C, down: B, up: A}", ["A", "B", "C", "D"]),
        (Base.popUp + ", buttons: {up: A, down: B, select: C}", ["A", "B", "C"]),
        (menu + ", input: A", ["A"]), (Base.threeWay, ["B", "A"]),
        ("kind: switch, label: X, lever: {off: B, on: A}, confirm: {guard: G}", ["A", "B", "G"]),
        ("kind: button, label: X, input: A, confirm: {guard: G}", ["A", "G"]),
    ]

    @Test(arguments: orders)
    func contactsHaveTheirOrder(keys: String, lines: [String]) throws {
        let (plan, control) = try control(keys)
        expectEqual(control.settings.contacts.places.map { plan.lines[$0].name }, lines)
        expectEqual(control.settings.hasGuard, lines.contains("G"))
    }

    static let holds: [(keys: String, milliseconds: UInt64)] = [
        (pushed, 600), (pushed + ", hold: 1s", 1_000),
        (Base.pullDown + ", items: [{name: Copy}]", 600), (Base.pushDial, 0),
        (Base.pushDial + ", hold: 1s", 1_000), (menu + ", input: A", 600),
        (menu + ", input: A, hold: 2s", 2_000),
    ]

    /// Holding the push goes back; without a key it takes 600 ms.
    @Test(arguments: holds)
    func aHoldGoesBack(keys: String, milliseconds: UInt64) throws {
        let reading = Self.read(keys)
        let decoder = try #require(reading.plan).controls[1].settings.decoder
        switch decoder {
        case .encoder(let encoder): expectEqual(encoder.push?.hold, .milliseconds(milliseconds))
        case .button(let button): expectEqual(button.hold, .milliseconds(milliseconds))
        case .none, .lever, .selector, .buttonRow, .analog: Issue.record("\(decoder)")
        }
    }

    static let refused: [(keys: String, rule: String)] = [
        (turned + ", close-after: 2s", "conflicting-keys"),
        (pushed + ", settle: 1s", "conflicting-keys"),
        (turned + ", hold: 1s", "conflicting-keys"),
        (turned + ", debounce: 5ms", "conflicting-keys"),
        (turned + ", mismatch: follow", "conflicting-keys"),
        (radio + ", buttons: [A, B, C], hold: 1s", "conflicting-keys"),
        (radio + ", buttons: [A, B, C], settle: 1s", "conflicting-keys"),
        (radio + ", buttons: [A, B, C], close-after: 1s", "conflicting-keys"),
        (radio + ", buttons: [A, B, C], mismatch: follow", "conflicting-keys"),
        (radio + ", selector: [A, B, C], close-after: 1s", "conflicting-keys"),
        (radio + ", selector: [A, B, C], hold: 1s", "conflicting-keys"),
        (radio + ", buttons: [A, B]", "options-do-not-fit"),
        (radio + ", buttons: \(four)", "wrong-type"),
        (radio + ", selector: [A, B, C], buttons: [D, E, F]", "conflicting-keys"),
        (Base.popUp + ", encoder: {a: A, b: B}", "missing-key"),
        (Base.popUp + ", buttons: [A, B]", "wrong-type"),
        (Base.popUp + ", buttons: \(four), hold: 1s", "conflicting-keys"),
        (
            Base.segmented + ", buttons: [A, B, C], selection: momentary, output: K",
            "key-not-for-kind"
        ),
        (Base.segmented + ", encoder: {a: A, b: B}, selection: multiple", "conflicting-keys"),
        (
            Base.segmented + ", buttons: [A, B, C], selection: multiple, settle: 1s",
            "conflicting-keys"
        ),
        (
            Base.segmented + ", buttons: [A, B, C], selection: momentary, default: x",
            "conflicting-keys"
        ),
        (
            Base.segmented + ", buttons: [A, B, C], selection: {multiple: {min: 3, max: 2}}",
            "out-of-range"
        ),
        (Base.segmented + ", buttons: [A, B, C], selection: {multiple: {max: 4}}", "out-of-range"),
        (
            "kind: segmented, label: Bus, buttons: [A, B], selection: multiple, options: "
                + "[x, {name: y, action: {run: [a], timeout: 1s}}]", "conflicting-keys"
        ),
    ]

    @Test(arguments: refused)
    func whatDoesNotFitIsRefused(keys: String, rule: String) {
        let reading = Self.read(keys)
        #expect(reading.plan == nil)
        let errors = reading.problems.filter { $0.severity == .error }
        expectEqual(Set(errors.map(\.rule.name)), [rule], "\(ProblemRenderer.text(errors))")
        #expect(errors.allSatisfy { !$0.help.isEmpty })
    }

    @Test func eachMissingButtonIsNamed() {
        let problems = Self.read(Base.popUp + ", buttons: {back: D}").problems
        expectEqual(
            problems.map(\.text),
            [
                "`buttons` has no `up`", "`buttons` has no `down`", "`buttons` has no `select`",
            ])
        expectEqual(
            problems.map(\.help),
            [
                "add the button that goes up", "add the button that goes down",
                "add the button that goes into an item",
            ])
    }

    /// None of these parts holds a position, so the value is saved.
    @Test(arguments: [
        turned, radio + ", buttons: [A, B, C]", Base.popUp + ", encoder: {a: A, b: B, push: C}",
        Base.segmented + ", buttons: [A, B, C], selection: multiple",
    ])
    func whatHasNoPositionIsSaved(keys: String) throws {
        let startup = try control(keys).1.settings.startup
        expectEqual(startup.rule, .saved)
        expectEqual(startup.fallback, Value(0))
        #expect(!startup.runsAction)
        #expect(try control(keys + ", default: y").1.settings.startup.fallback != Value(0))
    }

    @Test func segmentsHaveActionsAndBounds() throws {
        let row = "kind: segmented, label: Jog, buttons: [A, B], selection: "
        let jog = row + "momentary, options: [Up, {name: Down, action: {run: [a], timeout: 1s}}]"
        let (plan, control) = try control(jog)
        expectEqual(control.settings.nature, .commands(2))
        expectEqual(control.settings.actions, .perValue(first: ActionID(0), present: 0b10))
        expectEqual(control.valueNames, .commands(["Up", "Down"]))
        expectEqual(plan.actions.count, 1)
        for (keys, minimum, maximum) in [
            ("multiple", 0, 2), ("{multiple: {min: 1}}", 1, 2),
            ("{multiple: {min: 1, max: 1}}", 1, 1), ("{multiple: {max: 1}}", 0, 1),
        ] {
            let kind = try self.control(row + keys + ", options: [x, y]").1.settings.nature
            expectEqual(
                kind,
                .selection(of: 2, minimum: UInt8(minimum), maximum: UInt8(maximum)), "\(keys)")
        }
    }

    static let rests: [(encoder: String, rest: UInt8)] = [
        ("a: A, b: B, rest: \"00\"", 0b11), ("a: A, b: B, rest: \"01\"", 0b10),
        ("a: A, b: B, rest: \"10\"", 0b01), ("a: A, b: B, rest: \"11\"", 0b00),
        ("a: {line: A, active: high}, b: B, rest: \"01\"", 0b00),
        ("a: {line: A, active: high}, b: B, rest: \"10\"", 0b11),
        ("a: A, b: {line: B, active: high}, rest: \"01\"", 0b11), ("a: A, b: B", 0),
    ]

    /// Bit 1 is A and bit 0 is B; a contact to ground is closed at the low level.
    @Test(arguments: rests)
    func theRestOfAnEncoderIsLogical(encoder: String, rest: UInt8) throws {
        let keys = "kind: dial, label: V, range: {min: 0, max: 9}, encoder: {\(encoder)}"
        guard case .encoder(let settings) = try control(keys).1.settings.decoder else {
            Issue.record("no encoder")
            return
        }
        expectEqual(settings.rest, rest)
    }
}
