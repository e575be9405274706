import DetentHAL
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Chips by name, and their lines.
@Suite struct ChipTests {
    private static func read(
        _ input: String, chips: String = "left: {i2c: 1-0020, model: mcp23017, interrupt: GPIO4}",
        board: String = "raspberry-pi-4b"
    ) -> PanelReader.Reading {
        KeyCase.read(
            "panel: P, board: \(board), chips: {\(chips)}, "
                + "controls: {c: {kind: switch, label: Lamp, input: \(input)}}")
    }

    @Test(arguments: [
        "{line: left.3, bias: disabled}", "{chip: left, offset: 3, bias: disabled}",
    ]) func aLineIsNamed(input: String) throws {
        let reading = Self.read(input)
        expectEqual(reading.problems.map(\.text), [])
        let line = try #require(reading.plan?.lines.first)
        expectEqual(line.name, "left.3")
        expectEqual(line.platformDevice, "1-0020")
        expectEqual(line.offset, 3)
        expectEqual(line.chipModel?.name, "mcp23017")
        expectEqual(
            reading.plan?.chips.map(\.overlayLine), ["dtoverlay=mcp23017,addr=0x20,gpiopin=4"])
    }

    @Test(arguments: [
        ("lefft.0", "there is no chip `lefft`", "did you mean `left.0`?"),
        ("right.0", "there is no chip `right`", "name the chip in `chips:`"),
        ("left.16", "`left` is a mcp23017 with 16 lines, and has no line 16", "to `left.15`"),
        (
            "{chip: left, offset: 99}", "`left` is a mcp23017 with 16 lines, and has no line 99",
            "allowed: `left.0`"
        ),
        (
            "GPIO4",
            "`GPIO4` is used twice; first by `the interrupt of left` at line 1, column 92",
            "give one of the two another line"
        ),
    ]) func aWrongLineIsAnError(input: String, text: String, help: String) {
        let problems = Self.read(input).problems.filter { $0.severity == .error }
        expectEqual(problems.map(\.text), [text])
        #expect(problems.first?.help.contains(help) == true, "\(problems)")
    }

    /// A name with a point can be one of the board.
    @Test func linesOfTheBoardStay() {
        let problems = Self.read("P9.12", board: "beaglebone-black").problems
        expectEqual(
            problems.filter { $0.severity == .error }.map(\.text),
            ["no line `GPIO4` on beaglebone-black"])
    }

    /// On no board, any name is a line until the file names chips: the kernel may have one of it.
    @Test func withoutChipsAPointIsPartOfAName() {
        func read(_ chips: String) -> PanelReader.Reading {
            KeyCase.read(
                "panel: P, board: none, \(chips)"
                    + "controls: {c: {kind: switch, label: Lamp, input: row.3}}")
        }
        let plain = read("")
        expectEqual(plain.problems.map(\.text), [])
        expectEqual(plain.plan?.lines.map(\.lineNames), [["row.3"]])
        let chips = read("chips: {rows: {i2c: 1-0020, model: pca9505}}, ")
        expectEqual(chips.problems.map(\.text), ["there is no chip `row`"])
        expectEqual(chips.problems.first?.help.contains("did you mean `rows.3`?"), true)
    }

    @Test(arguments: [
        ("left: {model: mcp23017}", "it is not said where the chip `left` is"),
        ("left: {i2c: 1-20}", "`1-20` is no place on an I2C bus"),
        ("left: {i2c: 1-0020, label: x}", "`i2c` and `label` cannot be combined"),
        (
            "left: {i2c: 1-0020}, right: {i2c: 1-0020}",
            "`right` and `left` are the same chip, `1-0020`"
        ),
        (
            "left: {i2c: 1-0020, model: pca9557, interrupt: GPIO4}",
            "a pca9557 has no output for interrupts"
        ),
    ]) func aWrongChipIsAnError(chips: String, text: String) {
        let problems = Self.read("GPIO5", chips: chips).problems
        expectEqual(problems.filter { $0.severity == .error }.map(\.text), [text])
    }

    /// Without an interrupt, the lines of a model are polled as often as the bus can.
    @Test(arguments: [
        ("i2c: 1-0020, model: mcp23017", 16, 8), ("i2c: 1-0020, model: mcp23017", 2, 2),
        ("i2c: 1-0020, model: pca9505", 16, 2),
        ("i2c: 1-0020, model: mcp23017, interrupt: GPIO4", 16, nil), ("i2c: 1-0020", 16, nil),
    ]) func linesWithoutInterruptArePolled(
        chip: String, count: Int, milliseconds: UInt64?
    ) throws {
        let controls = (0..<count).map {
            "c\($0): {kind: switch, label: Lamp \($0), input: {line: left.\($0), bias: disabled}}"
        }
        let reading = KeyCase.read(
            "panel: P, board: raspberry-pi-4b, chips: {left: {\(chip)}}, "
                + "controls: {\(controls.joined(separator: ", "))}")
        expectEqual(reading.problems.map(\.text), [])
        let plan = try #require(reading.plan)
        for line in plan.lines {
            guard case .contact(let contact) = line.use else { continue }
            expectEqual(contact.polledEvery, milliseconds.map(TimeSpan.milliseconds))
        }
    }

    @Test func whatABusCannotReachIsTold() {
        let controls = (0..<16).map {
            "c\($0): {kind: switch, label: Lamp \($0), input: "
                + "{line: left.\($0), bias: disabled, poll: 2ms}}"
        }
        let problems = KeyCase.read(
            "panel: P, board: none, chips: {left: {i2c: 1-0020, model: mcp23017}}, "
                + "controls: {\(controls.joined(separator: ", "))}"
        ).problems
        expectEqual(problems.map(\.rule), [.pollTooFast])
        expectEqual(
            problems.map(\.text), ["reading 16 polled lines of i2c-1 takes about 8ms"])
        #expect(problems.first?.help.contains("`poll: 8ms`") == true)
    }

    /// The model of a named chip is what floats.
    @Test func aResistorThatIsMissingIsTold() {
        let problems = Self.read("left.0").problems
        expectEqual(problems.map(\.rule), [.noPull])
        expectEqual(
            problems.map(\.text), ["Linux cannot switch on a pull-up in `left`"])
        expectEqual(Self.read("left.0").plan?.lines.first?.lacksPull, true)
    }

    /// A resistor at every contact of a chip is said once; a contact can differ.
    @Test(
        arguments: [
            ("left.0", [], false), ("{chip: left, offset: 0}", [], false),
            ("{line: left.0, bias: pull-up}", [.noPull], true),
        ] as [(String, [Rule], Bool)])
    func aChipHasABiasForAll(input: String, rules: [Rule], lacksPull: Bool) {
        let reading = Self.read(
            input, chips: "left: {i2c: 1-0020, model: mcp23017, interrupt: GPIO4, bias: disabled}")
        expectEqual(reading.problems.map(\.rule), rules)
        expectEqual(reading.plan?.lines.first?.lacksPull, lacksPull)
    }

    /// What is to be written has the key and the whole line.
    @Test(arguments: [
        ("left.0", "write `input: {line: left.0, bias: disabled}`"),
        ("{line: left.0, poll: 5ms}", "write `input: {line: left.0, poll: 5ms, bias: disabled}`"),
        ("{chip: left, offset: 3}", "write `input: {chip: left, offset: 3, bias: disabled}`"),
    ]) func theHelpForAResistorCanBeCopied(input: String, help: String) {
        let all = ", or `bias: disabled` at `left` in `chips` for all contacts"
        expectEqual(Self.read(input).problems.map { $0.help.hasSuffix(help + all) }, [true])
    }

    /// One warning for all contacts of a chip, and one for each chip.
    @Test func aMissingResistorIsToldOnceForAChip() {
        let buttons = (0..<6).map { "left.\($0)" }.joined(separator: ", ")
        let problems = KeyCase.read(
            "panel: P, board: none, chips: {left: {i2c: 1-0020, model: mcp23017}, "
                + "right: {i2c: 1-0021, model: mcp23017}}, controls: {c: {kind: radio-group, "
                + "label: Lamp, buttons: [\(buttons)], options: [a, b, c, d, e, f]}, "
                + "d: {kind: switch, label: Fan, input: right.1}}"
        ).problems.filter { $0.rule == .noPull }
        let cause = "Linux cannot switch on a pull-up in "
        expectEqual(
            problems.map(\.text),
            [
                cause + "`left` for 6 contacts: `left.0`, `left.1`, `left.2` and 3 more",
                cause + "`right`",
            ])
        let fix = "write `{line: left.0, bias: disabled}`, or `bias: disabled` at `left` in "
        #expect(problems.first?.help.contains(fix) == true, "\(problems)")
        let unnamed = KeyCase.read(
            "panel: P, board: none, controls: {c: {kind: radio-group, label: Lamp, buttons: "
                + "[{chip: mcp23017, offset: 0}, {chip: mcp23017, offset: 1}], options: [a, b]}}"
        ).problems
        let each = "write `{chip: mcp23017, offset: 0, bias: disabled}`, and so for each of them"
        expectEqual(unnamed.map { $0.help.hasSuffix(each) }, [true])
    }

    /// A line of a chip that the file names, written in another way.
    @Test(arguments: [
        ("left.GPA0", "did you mean `left.0`? allowed: `left.0` to `left.15`"),
        ("left.GPB7", "did you mean `left.15`? allowed: `left.0` to `left.15`"),
        ("left1", "did you mean `left.1`? allowed: `left.0` to `left.15`"),
        ("left 4", "did you mean `left.4`? allowed: `left.0` to `left.15`"),
        ("left:4", "did you mean `left.4`? allowed: `left.0` to `left.15`"),
        ("left16", "allowed: `left.0` to `left.15`"), ("left.x", "allowed: `left.0` to `left.15`"),
        ("left", "allowed: `left.0` to `left.15`"),
    ]) func aLineOfAChipIsLookedForThere(input: String, help: String) {
        let problems = Self.read("\"\(input)\"").problems.filter { $0.severity == .error }
        expectEqual(problems.map(\.rule), [.unknownLine])
        expectEqual(problems.map(\.text), ["the chip `left` has no line `\(input)`"])
        expectEqual(problems.map(\.help), [help])
    }

    /// Without a board any name is a line, but for one with a point behind the chip.
    @Test func simulatedLinesMayBeginAsAChip() {
        let chips = "left: {i2c: 1-0020}"
        expectEqual(Self.read("left1", chips: chips, board: "none").problems, [])
        expectEqual(
            Self.read("left.GPA1", chips: chips, board: "none").problems.map(\.help),
            ["write the number of the line, such as `left.0`"])
    }
}
