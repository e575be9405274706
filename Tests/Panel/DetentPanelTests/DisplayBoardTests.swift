import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

/// Which control a display shows, over time.
@Suite struct DisplayBoardTests {
    private let plan: PanelPlan

    init() throws {
        let text = """
            panel: P
            board: none
            displays: {main: {charlcd: /dev/lcd, return-after: 4s}}
            controls:
              a: {kind: dial, label: A, encoder: {a: A, b: B}, range: {min: 0, max: 9}
                , display: main}
              b: {kind: dial, label: B, encoder: {a: C, b: D}, range: {min: 0, max: 9}
                , display: main}
              c: {kind: dial, label: C, encoder: {a: E, b: F}, range: {min: 0, max: 9}}
            """
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        plan = try #require(reading.plan)
    }

    private func at(_ seconds: UInt64) -> Instant { .zero + .seconds(seconds) }

    private func title(_ board: DisplayBoard, _ seconds: UInt64) -> String {
        board.rows(of: 0, at: at(seconds))[0]
    }

    @Test func theNewestIsShownAndThenTheFirst() {
        var board = DisplayBoard(plan)
        expectEqual(title(board, 0), "A")
        expectEqual(board.deadline(of: 0), .never)
        expectEqual(
            board.record(Report(control: ControlID(1), kind: .stepped(delta: 1)), at: at(1)), 0)
        expectEqual(title(board, 1), "B")
        expectEqual(board.deadline(of: 0), at(5))
        expectEqual(title(board, 4), "B")
        expectEqual(title(board, 5), "A")
        _ = board.record(Report(control: ControlID(1), kind: .stepped(delta: 1)), at: at(6))
        _ = board.record(Report(control: ControlID(0), kind: .stepped(delta: 1)), at: at(7))
        expectEqual(title(board, 7), "A")
        expectEqual(board.deadline(of: 0), .never)
    }

    /// What an action does is shown to its end, and for the whole time after it.
    @Test func workKeepsTheDisplay() {
        var board = DisplayBoard(plan)
        let report = { Report(control: ControlID(1), kind: $0) }
        _ = board.record(report(.changed(Value(2), .panel)), at: at(1))
        _ = board.record(report(.phase(.pending, .none)), at: at(1))
        expectEqual(board.deadline(of: 0), .never)
        expectEqual(title(board, 100), "B")
        _ = board.record(
            Report(control: ControlID(0), kind: .changed(Value(3), .web)), at: at(101))
        expectEqual(title(board, 101), "B", "news do not interrupt")
        _ = board.record(report(.phase(.idle, .none)), at: at(102))
        expectEqual(board.deadline(of: 0), at(106))
        _ = board.record(report(.phase(.pending, .none)), at: at(103))
        _ = board.record(Report(control: ControlID(0), kind: .stepped(delta: 1)), at: at(104))
        expectEqual(title(board, 104), "A", "a touch does")
    }

    @Test func othersChangeNothing() {
        var board = DisplayBoard(plan)
        #expect(board.record(Report(control: ControlID(2), kind: .pressed), at: at(1)) == nil)
        #expect(board.record(Report(control: ControlID(9), kind: .pressed), at: at(1)) == nil)
        #expect(
            board.record(Report(control: ControlID(1), kind: .indicator(.off)), at: at(1)) == nil)
        expectEqual(title(board, 1), "A")
    }

    /// The start is no touch.
    @Test func theFirstValuesTurnNothing() {
        var board = DisplayBoard(plan)
        let start = Report(control: ControlID(1), kind: .changed(Value(7), .startup))
        expectEqual(board.record(start, at: at(0)), 0)
        expectEqual(title(board, 0), "A")
    }

    /// What was known of a control that goes on is known after a reload.
    @Test func aReloadKeepsWhatGoesOn() throws {
        var board = DisplayBoard(plan)
        _ = board.record(
            Report(control: ControlID(0), kind: .changed(Value(5), .panel)), at: at(1))
        expectEqual(board.rows(of: 0, at: at(1)), ["A", "5"])
        let same = PanelDifference(from: plan, to: plan)
        expectEqual(DisplayBoard(plan, following: board.facts, same).rows(of: 0, at: at(2))[1], "5")
        expectEqual(DisplayBoard(plan, following: nil, same).rows(of: 0, at: at(2))[1], "0")
        expectEqual(DisplayBoard(plan, following: [], same).rows(of: 0, at: at(2))[1], "0")
        var other = plan
        other.controls[0].settings.startup.runsAction.toggle()
        let changed = PanelDifference(from: plan, to: other)
        expectEqual(
            DisplayBoard(other, following: board.facts, changed).rows(of: 0, at: at(2))[1], "0")
    }

    @Test func aDisplayOfNothingIsEmpty() {
        var empty = plan
        empty.displays[0].controls = []
        expectEqual(DisplayBoard(empty).rows(of: 0, at: at(0)), ["", ""])
        expectEqual(DisplayBoard(empty).deadline(of: 0), .never)
        let device = DisplayPlan.Device.program(arguments: ["show", "-v"])
        #expect(device.subject == "show" && !device.hasFewLetters)
        expectEqual(DisplayPlan.Device.charlcd(path: "/dev/lcd").subject, "/dev/lcd")
    }
}
