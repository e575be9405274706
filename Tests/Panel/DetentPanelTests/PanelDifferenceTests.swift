import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// What continues from one panel to another one.
@Suite struct PanelDifferenceTests {
    /// A change of the base panel, and what its control takes over.
    struct Change: Sendable, CustomTestStringConvertible {
        var old: String
        var new: String
        var control: String
        var continuity: Continuity
        /// The lines of the control that continue.
        var lines: [String]

        var testDescription: String { "\(old) -> \(new)" }

        init(
            _ old: String, _ new: String, _ control: String, _ continuity: Continuity,
            _ lines: [String]
        ) {
            self.old = old
            self.new = new
            self.control = control
            self.continuity = continuity
            self.lines = lines
        }
    }

    static let controls = [
        "lamp: {kind: toggle-button, label: Lamp, input: A1, indicator: A2, output: A3, "
            + "action: {run: [lamp], timeout: 1s}}",
        "range: {kind: radio-group, label: Range, selector: [B1, B2, B3], options: [x, y, z], "
            + "outputs: {x: B4, y: B5}, transition: break-before-make, dead-time: 20ms, "
            + "indicator: [B6, B7, B8], action: {x: {run: [low], timeout: 1s}, "
            + "y: {run: [high], timeout: 1s}}, query: {run: [range], timeout: 2s}}",
        "go: {kind: button, label: Go, input: C1, action: {sequence: [{output: {line: C2, "
            + "pulse: 1s}}, {output: C3}, {wait: 200ms}, {set: {lamp: on}}, {run: [go]}], "
            + "timeout: 9s}}",
        "fan: {kind: switch, label: Fan, input: D1, enabled-when: lamp is on and not (dial < 3), "
            + "output: D2, feedback: {line: D3}}",
        "dial: {kind: dial, label: Dial, encoder: {a: E1, b: E2}, range: {min: 0, max: 9}, "
            + "expires: 5min}",
        "all: {kind: checkbox-group, label: All, input: F1, members: [lamp]}",
        "menu: {kind: pull-down, label: Menu, encoder: {a: G1, b: G2, push: G3}, "
            + "items: [{name: Copy}, {name: Cut}]}",
        "tally: {kind: indicator, label: Tally, indicator: {red: H1, green: H2}, show: lamp}",
        "hall: {kind: checkbox, label: Hall, input: I1, latch: toggle}",
        "save: {kind: button, label: Save, input: J1}",
        "drop: {kind: button, label: Discard, input: K1}",
        "form: {kind: form, label: Form, members: [hall], apply: save, cancel: drop}",
    ]

    static func plan(_ controls: [String] = controls, _ keys: String = "") throws -> PanelPlan {
        try plan(text: "panel: P, board: none, \(keys) controls: {\(joined(controls))}")
    }

    private static func joined(_ controls: [String]) -> String {
        controls.joined(separator: ", ")
    }

    static func plan(text: String) throws -> PanelPlan {
        let reading = KeyCase.read(text)
        return try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
    }

    static func plan(replacing old: String, by new: String) throws -> PanelPlan {
        let text = joined(controls)
        try #require(text.ranges(of: old).count == 1, "`\(old)` is not there once")
        return try plan([text.replacing(old, with: new)])
    }

    private static let value: Continuity = .value
    private static let range = ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8"]

    static let changes: [Change] = [
        Change("input: A1", "input: Z", "lamp", [.value, .lamps, .outputs], ["A2", "A3"]),
        Change("indicator: A2", "indicator: Z", "lamp", [.value, .outputs], ["A3"]),
        Change("output: A3", "output: Z", "lamp", [.value, .lamps], ["A2"]),
        Change(
            "kind: toggle-button", "kind: switch, latch: toggle", "lamp", [.lamps], ["A2"]),
        Change(
            "run: [lamp], timeout: 1s}", "run: [lamp], timeout: 1s}, words: {on: AN}", "lamp",
            [.value, .lamps, .outputs], ["A2", "A3"]),
        Change("run: [lamp]", "run: [bulb]", "lamp", [.value, .lamps, .outputs], ["A2", "A3"]),
        Change(
            "run: [lamp], timeout: 1s", "run: [lamp], timeout: 2s", "lamp",
            [.value, .lamps, .outputs], ["A2", "A3"]),
        Change(
            "output: A3", "output: A3, pulse: 1s", "lamp", [.value, .lamps], ["A2"]),
        Change("options: [x, y, z]", "options: [x, y, o]", "range", [.lamps], ["B6", "B7", "B8"]),
        Change(
            "outputs: {x: B4, y: B5}", "outputs: {x: B4, z: B5}", "range", [.value, .lamps],
            ["B6", "B7", "B8"]),
        Change(
            "dead-time: 20ms", "dead-time: 30ms", "range", [.value, .lamps], ["B6", "B7", "B8"]),
        Change(
            "query: {run: [range]", "query: {run: [other]", "range", [.value, .lamps, .outputs],
            ["B4", "B5", "B6", "B7", "B8"]),
        Change(
            "y: {run: [high]", "z: {run: [high]", "range", [.value, .lamps, .outputs],
            ["B4", "B5", "B6", "B7", "B8"]),
        Change(
            "indicator: {red: H1, green: H2}", "indicator: {red: H1, green: H2, blue: H3}",
            "tally", [.value, .outputs], []),
        Change("show: lamp", "show: fan", "tally", [.value, .lamps, .outputs], ["H1", "H2"]),
        Change("pulse: 1s", "pulse: 2s", "go", [.value, .lamps, .outputs], []),
        Change(
            "output: C3", "output: {line: C3, level: off}", "go", [.value, .lamps, .outputs], []),
        Change("wait: 200ms", "wait: 300ms", "go", [.value, .lamps, .outputs], []),
        Change("set: {lamp: on}", "set: {lamp: off}", "go", [.value, .lamps, .outputs], []),
        Change("set: {lamp: on}", "set: {fan: on}", "go", [.value, .lamps, .outputs], []),
        Change("{run: [go]}", "{run: [gone]}", "go", [.value, .lamps, .outputs], []),
        Change("output: C3", "output: Z", "go", [.value, .lamps, .outputs], []),
        Change("lamp is on", "lamp is not on", "fan", [.value, .lamps, .outputs], ["D2"]),
        Change("lamp is on", "hall is on", "fan", [.value, .lamps, .outputs], ["D2"]),
        Change("is on and", "is on or", "fan", [.value, .lamps, .outputs], ["D2"]),
        Change("not (dial < 3)", "(dial < 3)", "fan", [.value, .lamps, .outputs], ["D2"]),
        Change("dial < 3", "dial < 4", "fan", [.value, .lamps, .outputs], ["D2"]),
        Change("{line: D3}", "{line: Z}", "fan", [.value, .lamps, .outputs], ["D2"]),
        Change("max: 9", "max: 10", "dial", [.lamps], []),
        Change("expires: 5min", "expires: 6min", "dial", [.value, .lamps, .outputs], []),
        Change("members: [lamp]", "members: [hall]", "all", [.value, .lamps, .outputs], []),
        Change(
            "{name: Cut}", "{name: Cut, role: destructive, confirm: {hold: 2s}}", "menu",
            [.value, .lamps, .outputs], []),
        Change("G3}", "G4}", "menu", [.value, .lamps, .outputs], []),
    ]

    @Test(arguments: changes) func aControlTakesOverWhatIsStillTheSame(_ change: Change) throws {
        let former = try Self.plan()
        let next = try Self.plan(replacing: change.old, by: change.new)
        let difference = PanelDifference(from: former, to: next)
        expectEqual(difference.changed, [change.control])
        expectEqual(difference.added + difference.removed + difference.relabelled, [])
        #expect(!difference.changesPanel && !difference.isEmpty)
        for (place, control) in difference.controls.enumerated() {
            let id = next.controls[place].id
            expectEqual(control.former, former.control(named: id))
            expectEqual(
                control.continuity, (id == change.control ? change.continuity : .everything),
                "\(id)")
        }
        var continued: [String] = []
        for (line, old) in zip(next.lines, difference.lines) {
            let id = next[line.control].id
            if let old {
                expectEqual(former[old].name, line.name)
                if id == change.control { continued.append(line.name) }
            } else {
                expectEqual(id, change.control, "\(line.name)")
            }
        }
        expectEqual(continued.sorted(), change.lines)
        let own = ControlPortrait(
            try #require(former.control(named: change.control)), of: former,
            PanelNames(former: former)
        ).actionPlaces
        for (action, place) in difference.actionPlaces.enumerated() {
            expectEqual((place == Engine.Places.nowhere), own.contains(action))
            guard place != Engine.Places.nowhere else { continue }
            expectEqual(next.actions[Int(place)].command, former.actions[action].command)
        }
    }

    /// Indices of controls, lines and actions may all differ.
    @Test func anotherOrderChangesNoControl() throws {
        let former = try Self.plan()
        let next = try Self.plan(
            ["new: {kind: button, label: New, input: N1, indicator: N2}"]
                + Self.controls.reversed())
        let difference = PanelDifference(from: former, to: next)
        #expect(difference.added == ["new"] && difference.changesPanel)
        expectEqual(difference.removed + difference.changed + difference.relabelled, [])
        expectEqual(difference.controls[0], .init(former: nil, continuity: []))
        #expect(difference.controls.dropFirst().allSatisfy { $0.continuity == .everything })
        expectEqual(difference.controlPlaces, (1...12).reversed().map { UInt16($0) })
        for (line, old) in zip(next.lines, difference.lines) {
            expectEqual(old.map { former[$0].name }, (line.name.hasPrefix("N") ? nil : line.name))
        }
        expectEqual(difference.actionPlaces.count, former.actions.count)
        for (action, place) in zip(former.actions, difference.actionPlaces) {
            expectEqual(next.actions[Int(place)].command, action.command)
        }
        #expect(PanelDifference(from: former, to: former).isEmpty)
    }

    /// What has the index of a removed control is not that control.
    @Test func aNewControlIsNoFormerOne() throws {
        let pump = "pump: {kind: switch, label: Pump, input: P, enabled-when: NAME is on}"
        let one = "one: {kind: switch, label: One, input: A}"
        let two = "two: {kind: switch, label: Two, input: B}"
        let former = try Self.plan([one, pump.replacing("NAME", with: "one")])
        let next = try Self.plan([two, pump.replacing("NAME", with: "two")])
        let difference = PanelDifference(from: former, to: next)
        expectEqual(difference.added, ["two"])
        expectEqual(difference.removed, ["one"])
        expectEqual(difference.changed, ["pump"])
        expectEqual(difference.controlPlaces, [Engine.Places.nowhere, 1])
        #expect(difference.changesPanel)
        let last = try Self.plan([pump.replacing("NAME", with: "two"), one, two])
        expectEqual(PanelDifference(from: former, to: last).changed, ["pump"])
    }

    /// A control that others begin to listen to does not change.
    @Test func listenersAreTheBusinessOfThoseThatListen() throws {
        let one = "one: {kind: switch, label: One, input: A}"
        let pump = "pump: {kind: switch, label: Pump, input: P"
        let former = try Self.plan([one, pump + "}"])
        let next = try Self.plan([one, pump + ", enabled-when: one is on}"])
        expectEqual(PanelDifference(from: former, to: next).changed, ["pump"])
        expectEqual(PanelDifference(from: next, to: former).changed, ["pump"])
    }

    static let texts: [(old: String, new: String, control: String)] = [
        ("label: Lamp", "label: Bulb", "lamp"),
        ("label: Hall", "label: Hall, group: House", "hall"),
        ("output: A3", "output: A3, on-exit: keep", "lamp"),
        ("output: A3", "output: A3, on-crash: off", "lamp"),
        ("timeout: 9s}", "timeout: 9s}, on-exit: keep", "go"),
        ("dead-time: 20ms", "dead-time: 20ms, on-exit: keep", "range"),
    ]

    @Test(arguments: texts)
    func textsAndLastLevelsDisturbNothing(old: String, new: String, control: String) throws {
        let former = try Self.plan()
        let difference = PanelDifference(
            from: former, to: try Self.plan(replacing: old, by: new))
        expectEqual(difference.relabelled, [control])
        expectEqual(difference.added + difference.removed + difference.changed, [])
        #expect(!difference.changesPanel && !difference.isEmpty)
        #expect(difference.controls.allSatisfy { $0.continuity == .everything })
        expectEqual(difference.lines, former.lines.indices.map { LineID(UInt16($0)) })
    }

    static let ofThePanel: [@Sendable (inout PanelPlan) -> Void] = [
        { $0.name = "Q" }, { $0.board = "raspberry-pi-5" }, { $0.freeFunctions = ["spi0"] },
        { $0.plateMillimeters = 100 }, { $0.groupOrder = ["House"] },
        {
            $0.displays = [
                DisplayPlan(name: "d", device: .charlcd(path: "/dev/lcd"), columns: 16, rows: 2)
            ]
        }, { $0.historyRows = nil }, { $0.broker = BrokerPlan(url: "mqtt://h", topic: "a") },
        { $0.lampMilliamperes += 1 }, { $0.settings.dimmer = ControlID(4) },
        { $0.settings.lampTest = ControlID(2) },
    ]

    @Test(arguments: ofThePanel.indices) func thePanelHasKeysOfItsOwn(index: Int) throws {
        let former = try Self.plan()
        var next = former
        Self.ofThePanel[index](&next)
        let difference = PanelDifference(from: former, to: next)
        #expect(difference.changesPanel && !difference.isEmpty)
        expectEqual(difference.summary, "the layout changed")
        #expect(difference.controls.allSatisfy { $0.continuity == .everything })
        #expect(!PanelDifference(from: next, to: next).changesPanel)
    }

    @Test func theDimmerIsFoundByItsName() throws {
        let former = try Self.plan(Self.controls, "dimmer: dial, lamp-test: go,")
        let moved = try Self.plan(Self.controls.reversed(), "dimmer: dial, lamp-test: go,")
        #expect(PanelDifference(from: former, to: moved).changesPanel, "the order")
        let names = PanelNames(former: former)
        expectEqual(names.settings(of: moved), former.settings)
    }

    @Test func theSummaryNamesAFewOfEach() throws {
        func plan(_ ids: String, _ keys: String = "") throws -> PanelPlan {
            try Self.plan(
                ids.map { "\($0): {kind: button, label: \($0.uppercased()), input: \($0)\(keys)}" })
        }
        func summary(_ old: PanelPlan, _ new: PanelPlan) -> String {
            PanelDifference(from: old, to: new).summary
        }
        expectEqual(try summary(plan("a"), plan("a")), "nothing changed")
        expectEqual(try summary(plan("a"), plan("ab")), "1 control added (b)")
        expectEqual(
            try summary(plan("abcdef"), plan("f")), "5 controls removed (a, b, c, d, e)")
        expectEqual(
            try summary(plan("abcdefg"), plan("g")), "6 controls removed (a, b, c, d, e, …)")
        expectEqual(
            try summary(plan("ab"), plan("bc", ", hold: 1s")),
            "1 control changed (b), 1 control added (c), 1 control removed (a)")
        expectEqual(
            try summary(plan("ab"), plan("ab", ", group: G")), "2 controls with other texts (a, b)")
    }

    /// Values go over in the words of the panels.
    @Test func valuesAreKeptByTheirWords() throws {
        func plan(_ options: String, _ range: String, _ more: String = "") throws -> PanelPlan {
            try Self.plan([
                "\(more)r: {kind: radio-group, label: Range, selector: [A, B], "
                    + "options: [\(options)]}",
                "d: {kind: dial, label: Dial, encoder: {a: C, b: D}, range: {\(range)}}",
                "s: {kind: toggle-button, label: S, input: E}",
            ])
        }
        let former = try plan("x, y", "min: 0, max: 9")
        let next = try plan(
            "z, x", "min: 0, max: 9, step: 0.5", "new: {kind: switch, label: New, input: F}, ")
        let difference = PanelDifference(from: former, to: next)
        func values(_ known: [Value?]) -> [SavedValue] {
            difference.values(of: former, in: next) { known[Int($0.index)] }.values
        }
        expectEqual(
            values([Value(0), Value(7), .on]),
            [
                SavedValue(control: ControlID(1), value: Value(1)),
                SavedValue(control: ControlID(2), value: Value(70)),
                SavedValue(control: ControlID(3), value: .on),
            ])
        expectEqual(values([Value(1), nil, .unknown]), [])
        let saved = difference.savedValues(of: former, in: next) { _ in .on }
        expectEqual(
            saved.values.map(\.control), [ControlID(2)], "the others go on, or have no such word")
    }

    /// A narrower range, a coarser step and fewer options: the nearest value is left, and it is
    /// said.
    @Test func whatSurvivesIsTheNearest() throws {
        func plan(_ range: String, _ options: String) throws -> PanelPlan {
            try Self.plan([
                "d: {kind: dial, label: Dial, encoder: {a: C, b: D}, range: {\(range)}}",
                "m: {kind: segmented, label: M, selection: multiple, buttons: [E, F, G], "
                    + "options: [\(options)]}",
            ])
        }
        let former = try plan("min: 0, max: 100, step: 0.01", "\"+48V\", L, L+R")
        let next = try plan("min: 0, max: 50, step: 0.5", "\"+48V\", R, L+R")
        let difference = PanelDifference(from: former, to: next)
        let kept = difference.values(of: former, in: next) { id in
            id.index == 0 ? Value(8_000) : Value(0b011)
        }
        expectEqual(kept.values.map(\.value), [Value(500), Value(0b001)])
        expectEqual(
            kept.notes,
            [
                "`80.00` is no longer a value of `d`: it starts with `50.0`",
                "`[\"+48V\", \"L\"]` is no longer a value of `m`: it starts with `+48V`",
            ])
        let finer = difference.values(of: former, in: next) { id in
            id.index == 0 ? Value(3_325) : Value(0b101)
        }
        expectEqual(finer.values.map(\.value), [Value(333), Value(0b101)])
        expectEqual(finer.notes, ["`33.25` is no longer a value of `d`: it starts with `33.3`"])
    }

    /// The engine of the new panel goes on where the former one is.
    @Test func theEngineGoesOn() throws {
        let controls = [
            "one: {kind: toggle-button, label: One, input: A, output: B}",
            "two: {kind: toggle-button, label: Two, input: C, output: D}",
        ]
        let former = try Self.plan(controls)
        let storage = EngineStorage(for: former.capacity)
        var engine = try former.makeEngine(in: storage)
        for line in [0, 2] as [UInt16] {
            engine.handle(.reading(LineID(line), .inactive), at: .zero) { _, _ in }
        }
        engine.handle(.start, at: .zero) { _, _ in }
        for (level, second) in [(Level.active, 1), (.inactive, 2)] as [(Level, UInt64)] {
            engine.handle(.edge(LineID(2), level, sequence: 0), at: .zero + .seconds(second)) {
                _, _ in
            }
        }
        expectEqual(engine.snapshot(of: ControlID(1))?.desired, .on)
        let next = try Self.plan(["three: {kind: switch, label: Three, input: E}"] + controls)
        let difference = PanelDifference(from: former, to: next)
        let other = EngineStorage(for: next.capacity)
        let following = try difference.makeEngine(of: next, in: other, following: engine)
        expectEqual(following.snapshot(of: ControlID(1))?.desired, .off)
        expectEqual(following.snapshot(of: ControlID(2))?.desired, .on)
    }
}
