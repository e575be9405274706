import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Panels that are refused, with the words that say why.
@Suite struct RefusalTests {
    private static func problems(_ controls: String) -> [Problem] {
        KeyCase.read("panel: P, board: none, controls: {\(controls)}").problems
    }

    private static let lamps = "indicator: {lines: [L, M]}"
    private static let wait = "action: {wait: 1s}"
    static let hall = "d: {kind: checkbox, label: Hall, input: H, latch: toggle}"

    /// The keys of a control `c`, and the problem.
    static let refused: [(keys: String, cause: String)] = [
        (
            Base.radio.replacing("x, y", with: "{name: x, \(wait)}, y") + ", \(wait)",
            "both an option and the control have an action"
        ),
        (
            Base.radio.replacing("x, y", with: "{name: x, indicator: L}, {name: y, indicator: M}")
                + ", indicator: [N, O]", "both an option and the control have an `indicator`"
        ),
        (
            Base.radio.replacing("x, y", with: "{name: x, output: L}, y") + ", outputs: [N, O]",
            "both an option and the control have outputs"
        ),
        (
            Base.radio + ", outputs: [N, O], on-exit: on",
            "`on-exit: on` would turn all 2 outputs on at once"
        ),
        (Base.radio + ", outputs: [N]", "1 outputs for 2 options"),
        (Base.radio + ", outputs: {q: N}", "`q` is not an option"),
        (Base.radio + ", indicator: [L]", "1 lamps for 2 options"),
        (Base.lever + ", \(lamps)", "a control without options has one lamp, not a list of them"),
        (
            Base.rowOfSegments + ", selection: multiple, action: {x: {wait: 1s}}",
            "this control has no values, so a map by value is not possible"
        ),
        (
            Base.button + ", action: {on: {wait: 1s}}",
            "this control has no values, so a map by value is not possible"
        ),
        (
            Base.button + ", action: {set: {d: \"{value}\"}}",
            "`{value}` needs named values; this control has none"
        ),
        (Base.lever + ", action: {run: [], timeout: 1s}", "`run` has 0 arguments"),
        (Base.lever + ", action: {set: d}", "`set` must be a map, not text"),
        (Base.lever + ", action: {set: {}}", "`set` has 0 controls"),
        (
            Base.toggle + ", confirm: {hold: 1s}",
            "`hold` is not possible for this kind of control"
        ),
        (Base.button + ", confirm: {}", "`confirm` is empty"),
        (Base.button + ", confirm: {hold: 1s, arm: 5s}", "`confirm` has more than one method"),
        (
            Base.button + ", confirm: {guard: G, press-twice: 3s}",
            "`confirm` has more than one method"
        ),
        (
            Base.button + ", confirm: {arm: 500ms}",
            "`arm: 500ms` is too short: a press counts after 500ms"
        ),
        (
            Base.button + ", confirm: {press-twice: 500ms}",
            "`press-twice: 500ms` is too short: a press counts after 500ms"
        ),
        ("kind: checkbox-group, label: X, members: [d, d]", "`d` is listed twice in `members`"),
        (
            "kind: form, label: X, members: [d], apply: d",
            "`d` cannot be the `apply` button of this form"
        ),
        (Base.lever + ", auto-off: 1h, expires: 1h", "`auto-off` and `expires` cannot be combined"),
        (Base.lever + ", on-enable: follow", "`on-enable` has no effect without `enabled-when`"),
        (
            Base.lever + ", display: {charlcd: /dev/lcd, run: [a]}",
            "`charlcd` and `run` cannot be combined"
        ),
        (
            Base.lever + ", display: {columns: 8}",
            "a display needs `charlcd`, `framebuffer`, `file` or `run`"
        ),
        (Base.lever + ", display: {file: message}", "`message` is not a path of a device"),
        (Base.lever + ", display: {file: /a, rows: 1}", "`file` and `rows` cannot be combined"),
        (Base.lever + ", display: {charlcd: lcd}", "`lcd` is not a path of a device"),
        (Base.lever + ", display: upper", "there is no display `upper`"),
        (Base.radio.replacing("[A, B]", with: "{lines: [A, B], none: q}"), "`q` is not an option"),
        (Base.radio.replacing("[A, B]", with: "[A]"), "1 contacts for 2 options"),
        (
            Base.radio.replacing("[A, B]", with: "{lines: [A], code: gray, none: x}"),
            "a coded selector has a code for each option"
        ),
        (Base.dial.replacing("max: 9", with: "max: 0"), "`max` is not above `min`"),
        (
            Base.dial.replacing("max: 9", with: "max: 9, step: 10"),
            "`step` must be above 0 and fit between `min` and `max`"
        ),
        (Base.dial + ", default: 10", "`default` is 10"),
        (Base.dial + ", default: 1.5", "`1.5` is not a number with at most 0 decimals"),
        (Base.lever + ", default: up", "`up` is not a value of this control"),
        (Base.toggle + ", startup: panel", "`startup: panel` needs a part that holds its position"),
        (
            Base.lever + ", debounce: {algorithm: defer, window: fixed}",
            "`window` is not a valid key for the algorithm `defer`"
        ),
        (
            Base.dial + ", feedback: {watch: [a]}",
            "`feedback` has no effect without `action` or an output: the device never learns a "
                + "new value"
        ),
        (Base.acting + ", feedback: {map: {a: on}}", "`feedback` has no source"),
        (
            Base.acting + ", feedback: {watch: [a], debounce: 5ms}",
            "`debounce` has no effect without `line`"
        ),
        (
            Base.acting + ", feedback: {watch: [a], control: x}",
            "`control` has no effect without `panel`"
        ),
        (
            Base.acting + ", feedback: {watch: [a], pointer: x}",
            "`x` is not the place of a value in JSON"
        ),
        (
            Base.acting + ", feedback: {watch: [a], map: {a: b}}",
            "`b` is not a value of this control"
        ),
        (
            Base.acting + ", feedback: {http: {get: \"http://h\"}, map: a}",
            "`map` must be a map, not text"
        ),
    ]

    @Test(arguments: refused) func isRefusedWithItsCause(keys: String, cause: String) {
        let problems = Self.problems("c: {\(keys)}, \(Self.hall)")
        let errors = problems.filter { $0.severity == .error }
        #expect(errors.map(\.text).contains(cause), "\(errors.map(\.text))")
        #expect(errors.allSatisfy { !$0.help.isEmpty })
    }

    @Test func anAddressHasNoPassword() {
        let keys = Base.acting + ", feedback: {http: {get: \"http://me:key@h\"}}"
        isRefusedWithItsCause(
            keys: keys, cause: "`get` has a user name or a password in its address")
    }

    /// Of a menu, and of forms.
    static let menus: [(controls: String, cause: String)] = [
        (
            "a: {\(Base.lever)}, c: {kind: button, label: Erase, confirm: {chord: [a]}}",
            "`a` cannot be in `chord`: a chord needs push buttons"
        ),
        (
            "c: {kind: pull-down, label: M, input: A, items: [{name: Cut, confirm: {hold: 1s}}]}",
            "a menu with one button already uses a hold to choose, so a hold cannot confirm"
        ),
        (
            "c: {kind: pull-down, label: M, input: A, items: [{name: Cut, confirm: {guard: G}}]}",
            "a menu item must be confirmed with the part that chooses it"
        ),
        (
            "c: {\(Base.pullDown), items: [{name: Cut}, {name: Sub, items: [{name: Cut}]}]}",
            "duplicate item `Cut`; first at line 1, column 112"
        ),
        (
            "c: {\(Base.pullDown), items: [{name: Sub, action: {wait: 1s}, items: [{name: Cut}]}]}",
            "an item with `items` opens a submenu and does nothing else"
        ),
        (
            "c: {\(Base.pullDown), items: ["
                + (0..<33).map { "{name: N\($0)}" }.joined(separator: ", ") + "]}",
            "`items` has 33 items"
        ),
        (
            "c: {\(Base.pullDown), items: [{name: Sub, items: ["
                + (0..<32).map { "{name: N\($0)}" }.joined(separator: ", ") + "]}]}",
            "the menu has 33 items, submenus included"
        ),
        (
            "\(hall), a: {kind: button, label: Apply, input: A}, b: {kind: button, label: Back, "
                + "input: B}, f: {kind: form, label: F, members: [d], apply: a}, "
                + "g: {kind: form, label: G, members: [d], apply: b}",
            "`d` cannot be in `members`: it is in another form"
        ),
        (
            "t: {kind: indicator, label: T, feedback: {watch: [x]}}, a: {kind: button, "
                + "label: Apply, input: A}, f: {kind: form, label: F, members: [t], apply: a}",
            "`t` cannot be in `members`: only its device changes it"
        ),
    ]

    @Test(arguments: menus) func menusAndFormsAreRefused(controls: String, cause: String) {
        let errors = Self.problems(controls).filter { $0.severity == .error }
        #expect(errors.map(\.text).contains(cause), "\(errors.map(\.text))")
    }

    /// A label of the longest text is too long to read, and a longer one is no label.
    @Test func labelsHaveTwoBounds() {
        func rules(_ count: Int) -> [Rule] {
            // Words that are no longer than their room.
            let label = (1...count).map { $0 % 5 == 2 ? " " : "A" }.joined()
            return Self.problems("c: {kind: switch, label: \(label), input: A}").map(\.rule)
        }
        expectEqual(rules(40), [])
        expectEqual(rules(41), [.labelLong])
        expectEqual(rules(200), [.labelLong])
        expectEqual(rules(201), [.textTooLong])
    }

    /// Who depends on a control is told of it, and starts after it.
    @Test func theOneThatIsLookedAtStartsFirst() throws {
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {\(Self.hall), "
                + "save: {kind: button, label: Save, input: A}, "
                + "drop: {kind: button, label: Discard, input: B}, "
                + "form: {kind: form, label: F, members: [d], apply: save, cancel: drop}, "
                + "erase: {kind: button, label: Erase, confirm: {chord: [save, drop]}}, "
                + "tally: {kind: indicator, label: T, indicator: L, show: d}}")
        let plan = try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
        func listeners(_ id: String) throws -> [String] {
            let control = plan[try #require(plan.control(named: id))]
            let rules = try #require(plan.relation(of: control))
            return plan.relations.links[rules.listeners.places].map { plan[$0].id }
        }
        expectEqual(try listeners("d"), ["form", "tally"])
        expectEqual(try listeners("form"), ["save", "drop"])
        expectEqual(try listeners("save"), ["erase"])
        expectEqual(try listeners("drop"), ["erase"])
        expectEqual(plan.controls.map(\.settings.startRank), [0, 2, 2, 1, 3, 1])
        expectEqual(plan.members(of: plan.controls[3]), [ControlID(0)])
        expectEqual(plan.members(of: plan.controls[4]), [ControlID(1), ControlID(2)])
        expectEqual(plan.members(of: plan.controls[0]), [])
        expectEqual(plan.allControls, (0..<6).map { ControlID($0) })
    }

    @Test(arguments: [
        ("17", "did you mean `GPIO17`? "), ("33", "did you mean `pin 33`? "), ("39", ""),
        ("GPOI17", "did you mean `GPIO17`? "), ("toaster", ""), ("J8_99", ""),
    ])
    func aLineThatIsMeantIsOffered(line: String, help: String) {
        let problems = KeyCase.read(
            "panel: P, board: raspberry-pi-5, controls: {c: {kind: button, label: S, input: "
                + "\"\(line)\"}}"
        ).problems
        expectEqual(problems.map(\.rule), [.unknownLine])
        expectEqual(problems.map(\.help), [help + "`detent boards raspberry-pi-5` shows them all"])
    }

    @Test(arguments: [
        ("pin 99", "no `pin 99` on raspberry-pi-5", "J8 has pins 1 to 40"),
        ("pin x", "no `pin x` on raspberry-pi-5", "J8 has pins 1 to 40"),
        (
            "pin 6", "`pin 6` is a ground pin (GND, pin 6 of J8)",
            "lines nearby: GPIO4 (pin 7), GPIO17 (pin 11), GPIO18 (pin 12)"
        ),
        (
            "{line: GPIO17, pin: 3}", "`line` and the other keys name two lines",
            "keep only `line`, `pin`, or `chip` with `offset`"
        ),
        (
            "{pin: 3, chip: pinctrl-rp1}", "`pin` and the other keys name two lines",
            "keep only `line`, `pin`, or `chip` with `offset`"
        ),
        (
            "{bias: pull-up}", "the map does not name a line",
            "write `line`, `pin`, or `chip` with `offset`"
        ),
        (
            "{chip: pinctrl-rp1, offset: 54}",
            "chip `pinctrl-rp1` has 54 lines, and `offset` is 54",
            "allowed: 0 to 53"
        ),
        (
            "{chip: 1f000d0000.gpio, offset: 54}",
            "chip `1f000d0000.gpio` has 54 lines, and `offset` is 54",
            "allowed: 0 to 53"
        ),
        (
            "{chip: mcp23017, line: 3}", "`3` is a number, and `line` is a name",
            "write `offset: 3` for line 3 of the chip; for a line with the name 3, put it in "
                + "quotation marks"
        ),
        (
            "{chip: pinctrl-rp2, line: A}", "no chip `pinctrl-rp2` on raspberry-pi-5",
            "did you mean `pinctrl-rp1`? chips of the board: pinctrl-rp1"
        ),
    ])
    func aLineIsRefused(line: String, cause: String, help: String) {
        let problems = KeyCase.read(
            "panel: P, board: raspberry-pi-5, controls: {c: {kind: button, label: S, input: "
                + "\(line)}}"
        ).problems.filter { $0.severity == .error }
        expectEqual(problems.map(\.text), [cause])
        expectEqual(problems.map(\.help), [help])
    }

    @Test(arguments: [
        ("GPIO17", 17), ("pin 11", 17), ("J8.11", 17), ("J8_11", 17), ("{pin: 11}", 17),
        ("{chip: pinctrl-rp1, offset: 17}", 17), ("{line: GPIO17}", 17),
        ("{chip: 1f000d0000.gpio, offset: 17}", 17), ("{chip: pinctrl-rp1, line: GPIO17}", 17),
    ])
    func aLineHasSeveralNames(line: String, offset: UInt32) throws {
        let reading = KeyCase.read(
            "panel: P, board: raspberry-pi-5, controls: {c: {kind: button, label: S, input: "
                + "\(line)}}")
        let found = try #require(reading.plan?.lines.first)
        expectEqual(found.offset, offset)
        expectEqual(found.lineNames.first, "GPIO17")
        let named = KeyCase.read(
            "panel: P, board: none, controls: {c: {kind: button, label: S, "
                + "input: {line: A, chip: gpio-x}}}")
        let onChip = try #require(named.plan?.lines.first)
        #expect(onChip.name == "A" && onChip.lineNames == ["A"] && onChip.chipLabels == ["gpio-x"])
        expectEqual(onChip.platformDevice, "gpio-x")
    }

    /// In quotation marks a number is a name. What the error about a number says is taken.
    @Test(arguments: [("line: \"3\"", ["3"], nil), ("offset: 3", [], 3)])
    func aNumberOnAChipIsSaidClearly(key: String, names: [String], offset: UInt32?) throws {
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {c: {kind: button, label: S, "
                + "input: {chip: 1-0020, \(key)}}}")
        let line = try #require(reading.plan?.lines.first)
        expectEqual(line.lineNames, names)
        expectEqual(line.offset, offset)
    }

    /// A line that has a name, but no pin, on a chip of the board.
    @Test func aNameOnAChipOfTheBoardNeedsNoPin() throws {
        let reading = KeyCase.read(
            "panel: P, board: raspberry-pi-5, controls: {c: {kind: button, label: S, "
                + "input: {chip: pinctrl-rp1, line: FAN_TACH}}}")
        expectEqual(reading.problems, [])
        let line = try #require(reading.plan?.lines.first)
        expectEqual(line.lineNames, ["FAN_TACH"])
        expectEqual(line.platformDevice, "1f000d0000.gpio")
    }

    @Test(arguments: [
        ("mcp23017", "", ["Linux cannot switch on a pull-up in `mcp23017`"]),
        ("mcp23s17.0", ", bias: pull-down", ["Linux cannot switch on a pull-down in `mcp23s17.0`"]),
        ("mcp23017", ", bias: disabled", []), ("mcp23017", ", bias: as-is", []),
        ("pcf8574", "", []),
        (
            "pcf8574", ", bias: pull-down",
            ["`pcf8574` pulls its lines up, and cannot pull them down"]
        ),
        ("pcal6416", "", []), ("1-0020", "", []),
    ])
    func aResistorThatAnExpanderLacksIsTold(chip: String, more: String, causes: [String]) {
        let controls = (0..<3).map {
            "c\($0): {kind: button, label: S, input: {chip: \(chip), offset: \($0)\(more)}}"
        }
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {\(controls.joined(separator: ", "))}")
        let remarks = reading.problems.filter { $0.rule == .noPull }
        let lines = " for 3 contacts: " + (0..<3).map { "`\(chip):\($0)`" }.joined(separator: ", ")
        expectEqual(remarks.map(\.text), causes.map { $0 + lines })
        expectEqual(
            reading.plan?.lines.filter(\.lacksPull).count,
            causes.contains { $0.hasPrefix("Linux") } ? 3 : 0)
    }

    @Test(arguments: [
        ("GPIO2", "pull-down", ["no-pull", "pin-has-function"]),
        ("GPIO2", "pull-up", ["pin-has-function"]), ("GPIO17", "pull-down", []),
    ])
    func aResistorOfTheBoardIsStronger(line: String, bias: String, rules: [String]) {
        let problems = KeyCase.read(
            "panel: P, board: raspberry-pi-5, controls: {c: {kind: button, label: S, input: "
                + "{line: \(line), bias: \(bias)}}}"
        ).problems
        expectEqual(problems.map(\.rule.name).sorted(), rules)
    }
}
