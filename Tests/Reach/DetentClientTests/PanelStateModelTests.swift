import DetentClient
import TestSupport
import Testing

/// A daemon's messages, as a terminal shows them.
@Suite struct PanelStateModelTests {
    private static let snapshot = """
        {"type": "snapshot", "session": "a1", "seq": 7, "at": 5, "mode": "simulated",
         "panel": {"name": "Lab", "controls": [
           {"id": "output", "label": "Output", "values": ["off", "on"], "titles": ["Off", "On"],
            "group": null, "lamp": {"style": "single"}},
           {"id": "level", "label": "Level\\u001b[2J", "values": [], "titles": [],
            "group": "Set", "lamp": null},
           {"id": "films", "label": "Films", "values": ["a", "b"], "titles": ["A", "B"],
            "group": "Set", "lamp": null}]},
         "state": {"output": {"value": "off", "actual": "off", "phase": "idle", "flags": [],
                              "pattern": "off", "reason": null},
                   "level": {"value": 12.5, "actual": 12.5, "phase": "idle", "flags": []},
                   "films": {"value": ["a", "b"], "actual": [], "phase": "idle", "flags": []}}}
        """

    private func model() -> PanelStateModel {
        var model = PanelStateModel()
        expectEqual(model.receive(Array(Self.snapshot.utf8)), .all)
        return model
    }

    private func take(_ model: inout PanelStateModel, _ text: String) -> PanelStateModel.Changes {
        model.receive(Array(text.utf8))
    }

    @Test func aSnapshotGivesEveryControlInItsOrder() {
        let model = model()
        expectEqual(model.name, "Lab")
        expectEqual(model.sequence, 7)
        expectEqual(model.session, "a1")
        expectEqual(model.rows.map(\.id), ["output", "level", "films"])
        expectEqual(model.rows.map(\.value), ["Off", "12.5", "A + B (actual: none)"])
        expectEqual(model.rows.map(\.glyph), ["○", "·", "·"])
    }

    @Test func aStateChangesItsRowAlone() {
        var model = model()
        let news = take(
            &model,
            """
            {"type": "state", "at": 9, "state": {"output": {"value": "on", "actual": "off",
             "phase": "loading", "reason": null, "flags": ["mismatch"], "pattern": "blink"},
             "nobody": {}}}
            """)
        expectEqual(news, .rows([0]))
        expectEqual(model.rows[0].value, "On")
        expectEqual(model.rows[0].glyph, "◌")
        expectEqual(model.rows[0].remarks, "loading…, mismatch")
        expectEqual(model.rows[1].value, "12.5")
    }

    @Test func aFailureSaysWhy() {
        var model = model()
        _ = take(
            &model,
            """
            {"type": "state", "state": {"output": {"value": "off", "actual": "off",
             "phase": "failed", "reason": "exit 3", "flags": [], "pattern": "flash-burst"}}}
            """)
        expectEqual(model.rows[0].glyph, "▲")
        expectEqual(model.rows[0].remarks, "failed: exit 3")
        let screen = PanelScreen(hasColors: false)
        expectEqual(screen.line(model.rows[0]), "output: Off, failed: exit 3")
    }

    @Test func eventsPassAsTheyAre() {
        var model = model()
        let news = take(
            &model,
            "{\"type\":\"events\",\"events\":[{\"seq\":8,\"at\":1,\"control\":\"output\"}]}")
        expectEqual(news, .events(["{\"seq\": 8, \"at\": 1, \"control\": \"output\"}"]))
        expectEqual(model.sequence, 8)
    }

    @Test(arguments: [
        "", "[]", "nonsense", "{\"type\": \"news of tomorrow\"}", "{\"type\": 1}",
        "{\"type\": \"state\", \"state\": 3}", "{\"type\": \"snapshot\"}",
        "{\"type\": \"events\", \"events\": [1, null]}",
    ])
    func whatIsStrangeBreaksNothing(text: String) {
        var model = model()
        _ = take(&model, text)
        let lines = PanelScreen(hasColors: true).lines(
            model, size: PanelScreen.Size(columns: 20, rows: 5))
        #expect(lines.count <= 5)
    }

    @Test func nothingThatATerminalObeysIsPassedOn() {
        let model = model()
        expectEqual(model.rows[1].label, "Level\\u001b[2J")
        let screen = PanelScreen(hasColors: false)
        for line in screen.lines(model, size: PanelScreen.Size(columns: 60, rows: 20)) {
            #expect(!line.unicodeScalars.contains("\u{1B}"))
        }
    }

    @Test(arguments: [1, 2, 5, 12, 40, 200], [1, 2, 3, 6, 50])
    func theScreenIsNeverLargerThanTheTerminal(columns: Int, rows: Int) {
        let size = PanelScreen.Size(columns: columns, rows: rows)
        let lines = PanelScreen(hasColors: false).lines(model(), size: size, notice: "nobody")
        #expect(lines.count <= rows)
        #expect(lines.allSatisfy { $0.count <= columns })
    }

    @Test func theScreenGroupsAndAligns() {
        let lines = PanelScreen(hasColors: false).lines(
            model(), size: PanelScreen.Size(columns: 40, rows: 20))
        expectEqual(
            lines.map { $0.reversed().drop { $0 == " " }.reversed() }.map { String($0) },
            [
                "Lab (simulated)", "○ Output          Off", "", "Set", "· Level\\u001b[2J  12.5",
                "· Films           A + B (actual: none)",
            ])
    }

    @Test func whatDoesNotFitIsCounted() {
        let lines = PanelScreen(hasColors: false).lines(
            model(), size: PanelScreen.Size(columns: 20, rows: 4))
        #expect(lines.contains { $0.hasPrefix("… 2 more") })
    }

    @Test func wideLettersTakeTwoColumns() {
        let wide = Self.snapshot.replacing("Output", with: "出力")
        var model = PanelStateModel()
        _ = model.receive(Array(wide.utf8))
        let lines = PanelScreen(hasColors: false).lines(
            model, size: PanelScreen.Size(columns: 40, rows: 20))
        #expect(lines[1].hasPrefix("○ 出力            Off"))
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        var result = ""
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(part) {
                result += other
                rest = rest.dropFirst(part.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }
}
