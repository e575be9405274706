import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

/// What a display says, from reports alone.
@Suite struct DisplayTextTests {
    private static let menu =
        "kind: pull-down, label: Tools, encoder: {a: A, b: B, push: C}, items: "
        + "[{name: Measure}, {name: More, items: [{name: Print}, {name: Save Everything Now}]}, "
        + "separator, {name: Erase Log, role: destructive, confirm: {press-twice: 3s}}, "
        + "{name: Reset, role: destructive, confirm: {hold: 2s}}]"
    private static let popUp =
        "kind: pop-up, label: Band, encoder: {a: A, b: B, push: C}, options: "
        + "[160 m, 80 m, 60 m, 40 m, 30 m]"

    private func rows(
        _ control: String, on display: String = "charlcd: /dev/lcd", _ reports: [Report.Kind]
    ) throws -> [String] {
        let reading = PanelReader.read(
            SourceText(
                file: "panel.yaml", text: KeyCase.panel("\(control), display: {\(display)}")))
        let plan = try #require(reading.plan)
        var board = DisplayBoard(plan)
        for report in reports {
            _ = board.record(Report(control: ControlID(0), kind: report), at: .zero)
        }
        return board.rows(of: 0, at: .zero)
    }

    @Test func aMenuSaysItsItems() throws {
        let open: [Report.Kind] = [.opened, .focused(Value(0))]
        expectEqual(try rows(Self.menu, []), ["Tools", ""])
        expectEqual(try rows(Self.menu, open), ["Tools", "Measure"])
        expectEqual(try rows(Self.menu, open + [.focused(Value(1))]), ["Tools", "More"])
        expectEqual(try rows(Self.menu, open + [.focused(Value(2))]), ["More", "Print"])
        expectEqual(try rows(Self.menu, open + [.closed(.panel)]), ["Tools", ""])
    }

    @Test func longTextsAreCut() throws {
        expectEqual(try rows(Self.menu, [.focused(Value(3))]), ["More", "Save Everything…"])
        expectEqual(
            try rows(
                "kind: button, label: Straße, input: A", on: "charlcd: /dev/lcd, columns: 8", []),
            ["Strasse", ""])
        expectEqual(
            try rows("kind: button, label: Straße, input: A", on: "run: [show], columns: 8", []),
            ["Straße", ""])
    }

    @Test func aConfirmationAsks() throws {
        let erase: [Report.Kind] = [.opened, .focused(Value(4)), .armed]
        expectEqual(try rows(Self.menu, erase), ["Tools", "Erase Log?"])
        expectEqual(try rows(Self.menu, erase + [.progress(percent: 0)]), ["Tools", "Erase Log"])
        expectEqual(try rows(Self.menu, erase + [.progress(percent: 100)]), ["Tools", "Erase Log"])
        expectEqual(
            try rows(Self.menu, [.focused(Value(5)), .progress(percent: 10)]), ["Tools", "Reset"])
        expectEqual(
            try rows(Self.menu, [.focused(Value(5)), .progress(percent: 40)]),
            ["Tools", "Reset 40 %"])
    }

    @Test func anActionIsToldWithItsItem() throws {
        let chosen: [Report.Kind] = [
            .opened, .focused(Value(0)), .chosen(Value(0), .panel), .phase(.pending, .none),
            .closed(.panel),
        ]
        expectEqual(try rows(Self.menu, chosen), ["Tools", "Measure…"])
        expectEqual(
            try rows(Self.menu, chosen + [.phase(.failed, .timedOut)]),
            ["Tools", "Failed: Measure"])
        expectEqual(try rows(Self.menu, chosen + [.phase(.idle, .none)]), ["Tools", ""])
    }

    @Test func aValueIsShownAtOnce() throws {
        let start: [Report.Kind] = [.changed(Value(2), .startup)]
        expectEqual(try rows(Self.popUp, []), ["Band", "160 m"])
        expectEqual(try rows(Self.popUp, start), ["Band", "60 m"])
        let other = start + [.changed(Value(3), .panel), .phase(.pending, .none)]
        expectEqual(try rows(Self.popUp, other), ["Band", "40 m"])
        expectEqual(try rows(Self.popUp, other + [.phase(.loading, .none)]), ["Band", "40 m…"])
        expectEqual(try rows(Self.popUp, start + [.phase(.failed, .timedOut)]), ["Band", "Failed"])
        expectEqual(try rows(Self.popUp, start + [.fault(.line)]), ["Band", "Line fault"])
        expectEqual(
            try rows(
                "kind: switch, label: Door, input: A, states: {on: Open, off: Shut}",
                [.changed(.on, .startup)]), ["Door", "Open"])
    }

    /// Several rows show the items around the focus, always as many as fit.
    @Test func aTallDisplayShowsTheList() throws {
        let at = {
            try rows(Self.popUp, on: "framebuffer: /dev/fb1, rows: 4", [.focused(Value($0))])
        }
        expectEqual(try at(0), ["Band", "> 160 m", "  80 m", "  60 m"])
        expectEqual(try at(2), ["Band", "  80 m", "> 60 m", "  40 m"])
        expectEqual(try at(4), ["Band", "  60 m", "  40 m", "> 30 m"])
        let flags: [Report.Kind] = [.changed(Value(1), .startup), .flag(.disabled, isSet: true)]
        expectEqual(
            try rows(Self.popUp, on: "framebuffer: /dev/fb1, rows: 4", flags),
            ["Band", "80 m", "Disabled", ""])
    }

    @Test func aDisplayOfOneRowLeavesTheNameOut() throws {
        let small = "charlcd: /dev/lcd, rows: 1"
        expectEqual(try rows(Self.popUp, on: small, [.changed(Value(1), .startup)]), ["80 m"])
        expectEqual(try rows(Self.menu, on: small, []), ["Tools"])
        expectEqual(try rows(Self.menu, on: small, [.focused(Value(0))]), ["Measure"])
    }

    /// Digits have no sign for a text that was cut, and a number is shown whole or not at all.
    @Test(arguments: [
        ("", 42, "42"), ("", -120, "-120"), ("", 14_200, "----"), (", columns: 5", 14_200, "14200"),
        (", columns: 5", -14_200, "-----"),
    ])
    func aRowOfDigitsShowsNoHalfNumber(columns: String, value: Int32, shown: String) throws {
        let dial =
            "kind: dial, label: Frequency, encoder: {a: A, b: B}, range: {min: -20000, max: 20000}"
        expectEqual(
            try rows(dial, on: "file: /m\(columns)", [.changed(Value(value), .panel)]), [shown])
    }

    @Test func aRowOfDigitsHasWordsThatFit() throws {
        expectEqual(try rows(Self.popUp, on: "file: /m", [.focused(Value(0))]), ["160 "])
        expectEqual(
            try rows(Self.menu, on: "file: /m, columns: 8", [.phase(.loading, .none)]), ["Working"])
        expectEqual(try rows("kind: button, label: Größe, input: A", on: "file: /m", []), ["Gros"])
    }

    /// Every text of every size fits, whatever is reported.
    @Test func everyTextFits() throws {
        let kinds: [Report.Kind] = [
            .opened, .focused(Value(3)), .focused(Value(40)), .armed, .progress(percent: 50),
            .chosen(Value(4), .web), .phase(.loading, .none), .phase(.failed, .timedOut),
            .closed(.web),
            .flag(.disabled, isSet: true), .fault(.line), .changed(Value(-7), .panel),
        ]
        for (columns, count) in [(8, 1), (8, 2), (16, 2), (80, 16)] {
            for size in 1...kinds.count {
                let rows = try rows(
                    Self.menu, on: "charlcd: /dev/lcd, columns: \(columns), rows: \(count)",
                    Array(kinds.prefix(size)))
                expectEqual(rows.count, count)
                #expect(rows.allSatisfy { $0.count <= columns })
            }
        }
    }

    @Test func whatPassesIsForgotten() throws {
        let flag: [Report.Kind] = [.flag(.disabled, isSet: true)]
        let door = "kind: checkbox, label: Door, input: A, latch: toggle"
        let tall = "framebuffer: /dev/fb1, rows: 3"
        expectEqual(try rows(door, on: tall, flag), ["Door", "Off", "Disabled"])
        expectEqual(
            try rows(door, on: tall, flag + [.flag(.disabled, isSet: false)]), ["Door", "Off", ""])
        expectEqual(try rows(door, [.fault(.line), .fault(.none)]), ["Door", "Off"])
        expectEqual(try rows(door, [.staged(.on)]), ["Door", "On"])
        expectEqual(try rows(door, [.staged(.on), .staged(.unknown)]), ["Door", "Off"])
    }

    @Test func aButtonSaysThatItWorks() throws {
        let button = "kind: button, label: Start, input: A"
        let work: [Report.Kind] = [.phase(.loading, .none)]
        expectEqual(try rows(button, []), ["Start", ""])
        expectEqual(try rows(button, work), ["Start", "Working…"])
        expectEqual(
            try rows(button + ", active-label: Starting…, action: {wait: 1s}", work),
            ["Start", "Starting…"])
        expectEqual(try rows(button, [.phase(.failed, .timedOut)]), ["Start", "Failed"])
        expectEqual(
            try rows("kind: button, label: Brûlé, input: A", []), ["Brule", ""],
            "letters that the display has")
    }

    @Test func aStateIsShownAsItsReports() {
        var facts = DisplayFacts(.button)
        #expect(!facts.isBusy)
        facts.record(.progress(percent: 20))
        #expect(facts.isBusy && facts.progress == 20)
        facts.record(.progress(percent: 10))
        #expect(!facts.isBusy && facts.progress == 0)
        facts.record(.armed)
        expectEqual(facts.progress, 50)
        facts.record(.closed(.panel))
        expectEqual(facts, DisplayFacts(.button))
    }
}
