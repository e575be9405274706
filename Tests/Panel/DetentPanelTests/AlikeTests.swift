import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// What controls have by default, and how they stand in groups.
@Suite struct AlikeTests {
    private static func read(_ text: String) -> PanelReader.Reading {
        PanelReader.read(SourceText(file: "panel.yaml", text: "panel: P\nboard: none\n" + text))
    }

    private static func problems(_ text: String) -> String {
        read(text).problems.map { "\($0.place.line):\($0.place.column) \($0.text)" }
            .joined(separator: "\n")
    }

    /// The control, its group, its kind, the action of the panel: a key replaces whole.
    @Test(arguments: [
        ("", "", "kind", "kind"), ("action: {run: [own], timeout: 4s}", "", "own", "kind"),
        ("", "action: {run: [group], timeout: 2s}", "group", "group"),
        ("action: {run: [own]}", "action: {timeout: 2s}", "own", "kind"),
        ("action: {on: {run: [own]}}", "action: {timeout: 2s}", "own", "kind"),
    ]) func theNearestCounts(own: String, group: String, first: String, second: String) throws {
        let text = """
            defaults:
              action: {run: [panel], timeout: 1s, supersede: cancel}
              switch: {action: {run: [kind], timeout: 3s}}
            groups:
              - name: G
                defaults: {kind: switch, row: 2\(group.isEmpty ? "" : ", " + group)}
                controls:
                  a: {label: Lamp, input: A\(own.isEmpty ? "" : ", " + own)}
                  b: {label: Pump, input: B}
                  c: {kind: button, label: Start, input: C, row: 1}
            """
        let reading = Self.read(text)
        let plan = try #require(reading.plan, "\(reading.problems)")
        func program(_ action: ActionPlan) -> String {
            guard case .run(let arguments) = action.command else { return "" }
            return arguments[0]
        }
        expectEqual(plan.controls.map(\.layout.row), [2, 2, 1])
        expectEqual(program(plan.actions[0]), first)
        expectEqual(program(plan.actions[1]), second)
        // The button has no default of its kind, so it has that of the group or of the panel.
        let third = group.contains("run") ? "group" : "panel"
        expectEqual(program(plan.actions[2]), third)
        let filled = group.contains("run: ") || group.isEmpty ? nil : TimeSpan.seconds(2)
        if let filled, own.contains("run") { expectEqual(plan.actions[0].settings.timeout, filled) }
        expectEqual(plan.controls.map(\.layout.group), ["G", "G", "G"])
    }

    /// A timeout for programs does not end what waits for its own time.
    @Test func keysOfActionsReachOnlyThoseThatNeedThem() throws {
        let reading = Self.read(
            """
            defaults: {action: {timeout: 1s, on-failure: keep}}
            controls:
              a: {kind: button, label: Start, input: A, action: {sequence: [{wait: 5s}]}}
              b: {kind: button, label: Run, input: B, action: {run: [x]}}
              c: {kind: button, label: Stop, input: C, action: {run: [x], timeout: 9s}}
              d:
                kind: radio-group
                label: Range
                selector: [D, E]
                options: [{name: x, action: {run: [y]}}, y]
              e: {kind: button, label: Hold, input: F, hold: {after: 1s, action: {run: [z]}}}
            """)
        let plan = try #require(reading.plan, "\(reading.problems)")
        expectEqual(
            plan.actions.map(\.settings.timeout),
            [nil, .seconds(1), .seconds(9), .seconds(1), .seconds(1)])
        #expect(plan.actions.allSatisfy { $0.settings.onFailure == .keep })
    }

    /// What would contradict the control is no default of it.
    @Test func aDefaultGivesWay() throws {
        let reading = Self.read(
            """
            defaults:
              action: {run: [x], timeout: 1s}
              dial: {range: {min: 0, max: 5}}
            controls:
              a: {kind: dial, label: Jog, encoder: {a: A, b: B}, turn: {run: [y], timeout: 1s}}
              b: {kind: dial, label: Level, encoder: {a: C, b: D}}
              c: {kind: switch, label: All, input: E, members: [d, e]}
              d: {kind: switch, label: One, input: F}
              e: {kind: switch, label: Two, input: G}
              f: {kind: button, label: Explain, role: info, help: This is it.}
              g:
                kind: radio-group
                label: Range
                selector: [H, I]
                options: [{name: x, action: {run: [z], timeout: 1s}}, y]
            """)
        let plan = try #require(reading.plan, "\(reading.problems)")
        expectEqual(plan.actions.count, 5)
        expectEqual(plan.controls[1].settings.nature.range?.maximum, 5)
    }

    /// A fault in a default is told once, at the default, with the controls that it reaches.
    @Test func aFaultIsToldOnce() {
        let controls = (1...4).map { "      c\($0): {label: Lamp \($0), input: A\($0)}\n" }.joined()
        let text = "groups:\n  - name: G\n    defaults: {kind: switch, DEFAULT}\n    controls:\n"
        func told(_ fault: String) -> String {
            Self.problems(text.replacing("DEFAULT", with: fault) + controls)
        }
        expectEqual(
            told("debounce: 20"),
            "5:40 `debounce`: `20` has no unit; it reaches `c1` and 3 more controls")
        expectEqual(
            told("action: {run: [x]}"),
            "5:39 `run` needs a `timeout`, because it may never end; it reaches `c1` and 3 more "
                + "controls")
        expectEqual(
            told("enabled-when: d is on"),
            "5:44 there is no control `d`; it reaches `c1` and 3 more controls")
        expectEqual(told("grup: x"), "5:30 unknown key `grup`")
        expectEqual(
            told("group: H"),
            "5:30 `group` has no place here: the control is in the group `G` already; it reaches "
                + "`c1` and 3 more controls")
        expectEqual(
            told("encoder: {a: X, b: Y}"), "5:30 no control of the group takes `encoder`")
    }

    /// Both sorts of controls are in one order, and a group that is named twice is one group.
    @Test func groupsAndControlsAreOneFile() throws {
        let text = """
            layout: {order: [Two, One]}
            groups:
              - {name: One, help: First., controls: {a: {kind: button, label: Start, input: A}}}
              - {name: Two, controls: {b: {kind: button, label: Stop, input: B}}}
            controls:
              c: {kind: button, label: Call, input: C, group: One}
            """
        let reading = Self.read(text)
        let plan = try #require(reading.plan, "\(reading.problems)")
        expectEqual(plan.controls.map(\.id), ["a", "b", "c"])
        expectEqual(plan.controls.map(\.layout.group), ["One", "Two", "One"])
        expectEqual(plan.groupOrder, ["Two", "One"])
        let more = "groups:\n  - {name: One, help: A., controls: {a: {kind: button, label: Start, "
        expectEqual(
            Self.problems(
                more + "input: A}}}\n  - {name: One, help: B., controls: {a: {kind: button, "
                    + "label: Stop, input: B}}}\n"),
            """
            5:23 the group `One` has a `help` already
            5:38 duplicate control `a`; first at line 4, column 38
            """)
    }

    /// Equal rooms share everything but a name.
    @Test func theControlIsNamedInReports() throws {
        let reading = Self.read(
            """
            mqtt: {url: "mqtt://hub"}
            groups:
              - name: Rooms
                defaults:
                  kind: toggle-button
                  action:
                    mqtt:
                      topic: "home/{control}/set"
                      payload: "{value}"
                      confirm: {topic: "home/{control}"}
                    timeout: 2s
                  query: {run: [ask, "{control}"], timeout: 1s}
                  feedback: {mqtt: "home/{control}"}
                controls:
                  kitchen: {label: Kitchen, input: A}
                  bed: {label: Bedroom, input: B}
            """)
        let plan = try #require(reading.plan, "\(reading.problems)")
        expectEqual(
            plan.controls.map(\.feedback?.source),
            [.topic("home/kitchen"), .topic("home/bed")])
        let texts = "\(plan.actions)"
        for text in ["home/{control}/set", "\"home/kitchen\"", "\"home/bed\"", "\"ask\", \"bed\""] {
            #expect(texts.contains(text), "\(text)")
        }
    }

    /// A file that was filled in means the same, and has nothing to fill in.
    @Test func theFilledFileMeansTheSame() throws {
        let text = """
            panel: "P: 1"
            board: none
            mqtt: {url: "mqtt://hub", user: p, password: "${env:HUB}"}
            defaults:
              action: {timeout: 1s}
              switch: {debounce: 7ms}
            groups:
              - name: "On #1"
                help: "Two words, and [brackets]"
                defaults: {kind: switch, feedback: {mqtt: "a/{control}"}}
                controls:
                  a: {label: "-", input: A, action: {run: [x, "{value}", "", "null", "a\\n\tb"]}}
                  b: {label: Lamp, input: B, lever: ~, output: O}
            controls:
              c:
                kind: button
                label: Call
                input: C
                action: {run: [a-very-long-program, with, "many arguments", that, do, not, fit]}
            """
        let source = SourceText(file: "p", text: text.replacing(", lever: ~", with: ""))
        let plan = PanelReader.read(source).plan
        let filled = try #require(PanelReader.filledText(source))
        #expect(!filled.contains("defaults:"))
        #expect(filled.contains("password: \"${env:HUB}\"") && filled.contains("a/{control}"))
        let again = SourceText(file: "p", text: filled)
        expectEqual(try #require(PanelReader.read(again).plan), try #require(plan), "\(filled)")
        expectEqual(PanelReader.filledText(again), filled)
        #expect(filled.contains("# Built in, for `button`: row: 1, span: 1, "))
        #expect(filled.split(separator: "\n").allSatisfy { $0.hasPrefix("#") || $0.count <= 100 })
    }

    /// The device's own names of a control and its group, also in what is read from it.
    @Test func groupsAndCapitalsAreNames() throws {
        let reading = Self.read(
            """
            mqtt: {url: "mqtt://broker.lan"}
            groups:
              - name: Hall
                defaults: {kind: switch, feedback: {mqtt: "{group}/{CONTROL}/{control}"}}
                controls:
                  lamp-1:
                    label: Lamp
                    input: A
                    action: {run: [x, "{group}", "{value}"], timeout: 1s}
            """)
        let plan = try #require(reading.plan, "\(reading.problems)")
        let feedback = try #require(plan.controls[0].feedback)
        #expect("\(feedback.source)".contains("Hall/LAMP_1/lamp-1"), "\(feedback)")
        let without = Self.problems(
            """
            controls:
              a: {kind: switch, label: A, input: A, action: {run: [x, "{group}"], timeout: 1s}}
            """)
        #expect(without.contains("`{group}` has no meaning here"), "\(without)")
    }

    /// `action: none` is for the one control that does without the action of all others.
    @Test func aControlDoesWithoutTheDefaultAction() throws {
        let reading = Self.read(
            """
            defaults: {action: {run: [x, "{control}"], timeout: 1s}}
            controls:
              a: {kind: switch, label: A, input: A}
              b: {kind: switch, label: B, input: B, action: none}
            """)
        let plan = try #require(reading.plan, "\(reading.problems)")
        #expect(plan.controls[0].settings.actions != .none)
        expectEqual(plan.controls[1].settings.actions, .none)
        let alone = Self.read("controls: {a: {kind: switch, label: A, input: A, action: none}}")
        #expect(alone.problems.isEmpty, "\(alone.problems)")
        let wrong = Self.problems(
            "controls: {a: {kind: switch, label: A, input: A, action: nothing}}")
        #expect(wrong.contains("`action` must be a map"), "\(wrong)")
    }

    /// Keys for other actions need one, also if controls of the panel could have it.
    @Test(arguments: [
        ("defaults: {action: {timeout: 1s}}", "3:21", ""),
        ("defaults: {switch: {action: {timeout: 1s}}}", "3:30", ""),
        ("defaults: {action: {timeout: 1s}}", "3:21", ", action: {set: {b: on}}"),
        ("defaults: {action: {timeout: 1s, on-failure: keep}}", "3:21", ", action: {set: {b: on}}"),
        ("defaults: {action: {timeout: 1s}}", "", ", action: {run: [x]}"),
        ("defaults: {action: {timeout: 1s}}", "", ", action: {run: [x], timeout: 2s}"),
    ]) func aDefaultForActionsThatReachesNoneIsAnError(
        defaults: String, place: String, action: String
    ) {
        let told = Self.problems(
            """
            \(defaults)
            controls:
              a: {kind: switch, label: A, input: A\(action)}
              b: {kind: switch, label: B, input: B}
            """)
        expectEqual(told, place.isEmpty ? "" : "\(place) no action takes `timeout`")
    }

    /// A key of a control, or of a map of one, is not one for all kinds.
    @Test(arguments: [
        (
            "wrap: true",
            "write `dial: {range: {min: 0, max: 100, wrap: true}}` and remove `wrap`; "
        ),
        (
            "debounce: 5ms",
            "write it for each kind that it is meant for, such as `switch: {debounce: 5ms}`; "
        ),
        ("bias: disabled", "it is a key of each contact: `input: {line: LINE, bias: disabled}`; "),
        ("timeout: 1s", "`timeout` belongs in `action`; "),
    ]) func aDefaultOfTheWholePanelIsSentToItsKind(default text: String, help: String) {
        let problems = Self.read(
            "defaults: {\(text)}\ncontrols: {a: {kind: dial, label: A, encoder: {a: A, b: B}}}"
        ).problems
        #expect(problems.first?.help.hasPrefix(help) == true, "\(problems)")
    }

    @Test func anchorsAreAnsweredWithDefaults() {
        for text in ["a: &x 1", "a: *x", "{<<: {}}"] {
            let problems = PanelReader.read(SourceText(file: "p", text: text)).problems
            #expect(problems.contains { $0.help.contains("`defaults:`") }, "\(problems)")
        }
    }
}
