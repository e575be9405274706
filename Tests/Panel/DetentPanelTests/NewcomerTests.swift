import TestPanels
import TestSupport
import Testing

@testable import DetentPanel

/// What people write who know other programs and parts lists, and the help that they get.
@Suite struct NewcomerTests {
    /// The controls of a panel on a Raspberry Pi 4, the text of the problem, and how its help
    /// begins.
    static let written: [(controls: String, text: String, help: String)] = [
        (
            "c: {kind: switch, label: C, input: {chip: mcp23017, line: 3}}",
            "`3` is a number, and `line` is a name",
            "write `offset: 3` for line 3 of the chip; "
        ),
        (
            "c: {kind: dial, label: C, encoder: {a: GPIO5, b: GPIO6}, turn: {run: [mill, "
                + "\"{delta}\"], timeout: 1s}}",
            "`{delta}` is not a placeholder, and no control has this name",
            "did you mean `{steps}`? "
        ),
        (
            axis + "c: {kind: button, label: C, input: GPIO13, action: {run: [mill, "
                + "\"{axis.value}\"], timeout: 1s}}",
            "`{axis.value}` is not a value of `axis`",
            "write `{axis}`, or `{axis.shown}` for the value that is shown"
        ),
        (
            "c: {kind: button, label: C, input: GPIO13, hold: 1s}",
            "`hold` only reports an event, and this panel has no broker that hears it",
            "give it an `action`, or remove it"
        ),
        (
            "c: {kind: switch, label: C, input: {line: GPIO5, pull: up}}", "unknown key `pull`",
            "write `bias: pull-up`; "
        ),
        (
            "c: {kind: switch, label: C, input: GPIO5, pull: down}", "unknown key `pull`",
            "write `input: {line: GPIO5, bias: pull-down}` and remove `pull`; "
        ),
        (
            "c: {kind: switch, label: C, input: GPIO5, bias: disabled}", "unknown key `bias`",
            "write `input: {line: GPIO5, bias: disabled}` and remove `bias`; "
        ),
        (
            "c: {kind: switch, label: C, input: {pin: 11, active: high}, poll: 5ms}",
            "unknown key `poll`",
            "write `input: {pin: 11, active: high, poll: 5ms}` and remove `poll`; "
        ),
        (
            "c: {kind: switch, label: C, input: {line: GPIO5, bias: up}}",
            "`up` is not a value of `bias`", "did you mean `pull-up`? "
        ),
        (
            "c: {kind: switch, label: C, input: GPIO5, invert: true}", "unknown key `invert`",
            "write `input: {line: GPIO5, active: high}` and remove `invert`; "
        ),
        (
            "c: {kind: switch, label: C, input: {line: GPIO5, inverted: true}}",
            "unknown key `inverted`", "write `active: high`; "
        ),
        (
            "c: {kind: switch, label: C, input: {line: GPIO5, inverted: false}}",
            "unknown key `inverted`", "remove it; "
        ),
        (
            "c: {kind: switch, label: C, input: GPIO5, output: {line: GPIO6, invert: true}}",
            "unknown key `invert`", "write `active: low`; "
        ),
        (
            "c: {kind: switch, label: C, pins: [GPIO17, GPIO27]}", "unknown key `pins`",
            "write `lever: {on: GPIO17, off: GPIO27}`; "
        ),
        (
            "c: {kind: button, label: C, input: GPIO5, indicator: {led: GPIO6}}",
            "`GPIO6` is a line of the board, and no LED of the kernel", "write `line: GPIO6`"
        ),
        (
            nav + "c: {kind: indicator, label: C, show: nav, indicator: {line: GPIO6, "
                + "patterns: {steady: blink}}}",
            "unknown key `steady`", "did you mean `on`? "
        ),
        (
            dial("encoder: {a: GPIO5, b: GPIO6}").replacing("dial", with: "knob"),
            "`knob` is not a value of `kind`", "did you mean `dial`? "
        ),
        (
            dial("encoder: {a: GPIO5, b: GPIO6}").replacing("dial", with: "pot"),
            "`pot` is not a value of `kind`",
            "did you mean `dial`? `analog` is its potentiometer; "
        ),
        (
            "c: {kind: toggle, label: C, input: GPIO5}", "`toggle` is not a value of `kind`",
            "did you mean `toggle-button`? a lever that stays is a `switch`; "
        ),
        (
            nav + "c: {kind: led, label: C, show: nav, indicator: GPIO6}",
            "`led` is not a value of `kind`", "did you mean `indicator`? "
        ),
        (
            "c: {kind: relay, label: C, input: GPIO5}", "`relay` is not a value of `kind`",
            "did you mean `switch`? `output` is its relay; "
        ),
        (
            "c: {kind: select, label: C, encoder: {a: GPIO5, b: GPIO6, push: GPIO13}, "
                + "options: [Left, Right]}",
            "`select` is not a value of `kind`", "did you mean `pop-up`? "
        ),
        (
            dial("encoder: [GPIO5, GPIO6]"), "`encoder` must be a map, not a list",
            "write `encoder: {a: GPIO5, b: GPIO6}`; "
        ),
        (
            "c: {kind: dial, label: C, encoder: {a: GPIO5, b: GPIO6}, range: [0, 100]}",
            "`range` must be a map, not a list", "write `range: {min: 0, max: 100}`; "
        ),
        (dial(range: "0..60"), notAMap, "write `range: {min: 0, max: 60}`; "),
        (dial(range: "-20-60"), notAMap, "write `range: {min: -20, max: 60}`; "),
        (dial(range: "0.5 to 6"), notAMap, "write `range: {min: 0.5, max: 6}`; "),
        (dial(range: "60"), notAMap, "write `range: {min: 0, max: 60}`; "),
        (dial(range: "wide"), notAMap, "write `range: {min: 0, max: 100}`; "),
        (
            "flaps: {kind: radio-group, label: Flaps, buttons: [GPIO5, GPIO6], options: [10, 20]}, "
                + nav + "c: {kind: switch, label: C, input: GPIO19, "
                + "enabled-when: flaps is 20 and nav = on}",
            "conditions have no `=`", "write `is`"
        ),
        (condition("nav == on"), "conditions have no `==`", "write `is`"),
        (condition("nav != on"), "conditions have no `!=`", "write `is not`"),
        (condition("nav=on"), "conditions have no `=`", "write `nav is on`"),
        (condition("nav is on && nav is on"), "conditions have no `&&`", "write `and`"),
        (
            "c: {kind: switch, label: C, input: {pin: GPIO22}}",
            "`GPIO22` is the name of a line, not of a pin", "write `line: GPIO22`"
        ),
        (
            "c: {kind: switch, label: C, input: pin GPIO22}",
            "`GPIO22` is the name of a line, not of a pin", "write `GPIO22`"
        ),
        (
            "c: {kind: dial, label: C, encoder: {a: GPIO5, b: GPIO6}, "
                + "range: {min: 0, max: 254, step: 10}}",
            "the range is not a whole number of steps, so the last one is shorter",
            "write `max: 250`"
        ),
        (
            "c: {kind: dial, label: C, encoder: {a: GPIO5, b: GPIO6}, "
                + "range: {min: 0, max: 10, step: 3}}",
            "the range is not a whole number of steps, so the last one is shorter",
            "write `max: 9`, or write `step: 2`"
        ),
    ]

    @Test(arguments: written) func aNewcomerIsToldTheWord(
        _ controls: String, _ text: String, _ help: String
    ) throws {
        let problems = RemedyTests.problems(Self.panel(controls))
        let problem = try #require(
            problems.first { $0.text == text }, "\(problems.map(\.text))")
        #expect(problem.help.hasPrefix(help), "\(problem.help)")
    }

    /// Whoever does what each of the helps says has a problem less.
    @Test func theHelpsCanBeFollowed() {
        var trial = RemedyTrial(problems: RemedyTests.problems, reason: Unfollowed.reason(for:))
        for each in Self.written { trial.follow(Self.panel(each.controls), name: each.text) }
        expectEqual(trial.wrong.sorted(), [])
        expectEqual(trial.unread.sorted(), [])
        #expect(trial.followed > 25, "\(trial.followed)")
    }

    /// A menu of commands and a menu of values are two kinds.
    @Test func aMenuIsOneOfTwoKinds() {
        let problems = RemedyTests.problems(Self.panel("c: {kind: menu, label: C, input: GPIO5}"))
        let help = "did you mean `pull-down` for commands, or `pop-up` for values? allowed: "
        #expect(problems.first?.help.hasPrefix(help) == true, "\(problems)")
    }

    /// CLK, DT and SW are printed on the boards of encoders: one error each, and none of a missing
    /// contact.
    @Test func thePrintedNamesOfAnEncoderAreKnown() {
        let problems = RemedyTests.problems(
            Self.panel(Self.dial("encoder: {clk: GPIO5, dt: GPIO6, sw: GPIO13}")))
        expectEqual(
            problems.map { $0.help.prefix { $0 != "?" } },
            ["did you mean `a`", "did you mean `b`", "did you mean `push`"])
    }

    /// What the list of another key means is told once, and the missing contact is not.
    @Test func pinsOfASwitchAreOneError() {
        let problems = RemedyTests.problems(
            Self.panel("c: {kind: switch, label: C, pins: [GPIO17, GPIO27]}"))
        expectEqual(problems.map(\.rule), [.unknownKey])
    }

    @Test func aPlaceholderWithoutQuotesHidesNoOtherError() throws {
        let text = """
            panel: P
            board: none
            controls:
              c: {kind: switch, label: C, input: A, action: {run: sim battery {value}, timeout: 1s}}
              d: {kind: swich, label: "{D}", input: B} # {value} and {x} y
            """
        let problems = RemedyTests.problems(text)
        expectEqual(
            problems.map(\.text),
            [
                "a text with braces needs quotes", "`run` must be a list of arguments, not text",
                "`swich` is not a value of `kind`",
            ])
        expectEqual(problems[0].help, "write `\"sim battery {value}\"`")
        expectEqual(problems[0].place.length, 19)
        expectEqual(problems[1].help, "no shell is used; write `[sim, battery, \"{value}\"]`")
        var trial = RemedyTrial(problems: RemedyTests.problems, reason: Unfollowed.reason(for:))
        trial.follow(text, name: "braces")
        expectEqual(trial.wrong, [])
    }

    /// The address of a browser, and an end of a line that would be sent as two letters.
    @Test func aDeviceNearbyHasNoSchemeAndARealEndOfItsLine() {
        let problems = RemedyTests.problems(
            Self.panel(
                "c: {kind: switch, label: C, input: GPIO17, action: "
                    + "{tcp: {to: \"tcp://supply.lan:5025/\", text: 'A \"{value}\"\\n'}, "
                    + "timeout: 2s}}"))
        expectEqual(
            problems.map(\.help),
            ["did you mean `supply.lan:5025`?", "write `\"A \\\"{value}\\\"\\n\"`"])
    }

    @Test func bracesThatAreNotTheFaultDoNotHideIt() {
        let problems = RemedyTests.problems("panel: [a {value}\nboard: none\n")
        expectEqual(problems.map(\.rule), [.yamlSyntax])
        #expect(problems.first?.help.hasPrefix("check indentation") == true)
    }

    @Test func anIncludedFileIsWrittenIntoThePanel() {
        let problems = RemedyTests.problems("panel: P\ncontrols: !include switches.yaml\n")
        expectEqual(
            problems.map(\.help), ["a panel is one file: write here what the other file has"])
    }

    /// The text of many equal warnings, and of many unknown keys, has each list and warning once.
    @Test func equalWarningsAndListsAreToldOnce() {
        let controls = (0..<6).map {
            "\n  c\($0): {kind: switch, label: Lamp \($0), input: {chip: unheard, offset: \($0)}}"
        }
        let text = "panel: P\nboard: raspberry-pi-4b\ncontrols:" + controls.joined()
        let warnings = RemedyTests.problems(text)
        expectEqual(warnings.count, 6)
        let shown = ProblemRenderer.text(warnings)
        expectEqual(shown.split(separator: "\n").count, 4)
        #expect(shown.contains("checked; also 5 more times at lines 5, 6, 7, …"), "\(shown)")

        let unknown = ProblemRenderer.text(
            RemedyTests.problems(text.replacing("label: Lamp", with: "zzzzzz: 1, label: Lamp")))
        expectEqual(unknown.ranges(of: "allowed: kind, ").count, 1)
        expectEqual(unknown.ranges(of: "allowed: the same as at line 4").count, 5)
    }

    /// Another name that has no meaning at a place is not compared by letters there.
    @Test func senseComesBeforeTheDistanceOfLetters() {
        expectEqual(OtherNames.meant(by: "pull", among: ["poll", "pulse"]), nil)
        expectEqual(OtherNames.meant(by: "pul", among: ["poll", "bias"]), "poll")
        expectEqual(OtherNames.meant(by: "Pull", among: ["poll", "bias"]), "bias")
    }

    private static let axis =
        "axis: {kind: radio-group, label: Axis, buttons: [GPIO5, GPIO6], options: [x, y]}, "
    private static let nav = "nav: {kind: switch, label: Nav, input: GPIO13}, "

    private static func dial(_ keys: String) -> String {
        "c: {kind: dial, label: C, range: {min: 0, max: 9}, \(keys)}"
    }

    private static let notAMap = "`range` must be a map, not text"
    private static func dial(range: String) -> String {
        "c: {kind: dial, label: C, encoder: {a: GPIO5, b: GPIO6}, range: \(range)}"
    }

    private static func condition(_ text: String) -> String {
        nav + "c: {kind: switch, label: C, input: GPIO19, enabled-when: \(text)}"
    }

    private static func panel(_ controls: String) -> String {
        "{panel: P, board: raspberry-pi-4b, controls: {\(controls)}}"
    }
}
