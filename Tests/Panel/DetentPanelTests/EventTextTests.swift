import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@Suite struct EventTextTests {
    private let plan = EventLineTests.plan

    private func line(_ control: UInt16, _ kind: Report.Kind, at instant: Instant) -> String {
        let report = Report(control: ControlID(control), kind: kind)
        return EventText(plan: plan).line(EventLine.members(report, plan: plan, at: instant))
    }

    static let phrases: [(UInt16, Report.Kind, String)] = [
        (0, .changed(.on, .panel), "● on"),
        (0, .changed(.off, .api), "○ off (api)"),
        (0, .changed(.mixed, .control), "◐ mixed (control)"),
        (3, .changed(Value(1_250), .panel), "● 12.50"),
        (0, .confirmed(.on), "✓ on confirmed"),
        (0, .phase(.idle, .none), "· idle"),
        (0, .phase(.loading, .none), "◌ loading"),
        (0, .phase(.failed, .failed(.exit(3))), "▲ failed: exit 3"),
        (0, .flag(.mismatch, isSet: true), "! mismatch"),
        (0, .flag(.mismatch, isSet: false), "  no longer mismatch"),
        (4, .refused(.busy, .panel), "✗ refused: busy"),
        (4, .refused(.busy, .web), "✗ refused: busy (web)"),
        (2, .moved(position: .up), "↕ position up"),
        (3, .stepped(delta: 2), "↻ stepped +2"),
        (3, .stepped(delta: -2), "↻ stepped -2"),
        (4, .clicked, "· clicked"),
        (4, .multiClicked(count: 3), "· multi-clicked (3)"),
        (5, .buttonPressed(Value(1)), "· pressed: B"),
        (6, .opened, "· opened"),
        (6, .focused(Value(1)), "▹ Stop focused"),
        (6, .chosen(Value(0), .panel), "▸ Save chosen"),
        (0, .staged(.on), "▹ staged: on"),
        (4, .progress(percent: 40), "◌ 40 %"),
        (0, .indicator(.blink), "  lamp: blink"),
        (0, .lost(count: 2), "▲ lost 2 edges so far"),
        (0, .fault(.line), "▲ line fault"),
        (0, .fault(.none), "  line is back"),
    ]

    @Test(arguments: phrases)
    func phrase(_ control: UInt16, _ kind: Report.Kind, _ expected: String) {
        let report = Report(control: ControlID(control), kind: kind)
        expectEqual(
            EventText.summary(EventLine.members(report, plan: plan, at: .zero)), expected)
    }

    @Test func linesAreAligned() {
        expectEqual(
            line(0, .changed(.on, .panel), at: .zero + .milliseconds(5)), "    0.005  output  ● on")
        expectEqual(
            line(1, .phase(.pending, .none), at: .zero + .milliseconds(3_600_250)),
            " 3600.250  range   ◌ pending")
    }

    @Test func timeCountsFromTheStart() {
        let text = EventText(plan: plan, start: .zero + .seconds(10))
        let report = Report(control: ControlID(0), kind: .invalid)
        for (moment, shown) in [(9, "    0.000"), (12, "    2.000")] {
            let members = EventLine.members(
                report, plan: plan, at: .zero + .seconds(UInt64(moment)))
            #expect(text.line(members).hasPrefix(shown))
        }
    }

    @Test func textOfThePanelFileCannotMoveTheCursor() {
        let text = line(1, .changed(Value(1), .panel), at: .zero)
        #expect(!text.contains("\n"))
        #expect(!text.contains("\u{1B}"))
    }

    /// People read the label; a control that is not of the panel has its id.
    @Test func aLineHasTheLabel() {
        var plan = EventLineTests.plan
        plan.controls[0].label = "Main\tOutput"
        let text = EventText(plan: plan)
        let report = Report(control: ControlID(0), kind: .invalid)
        var members = EventLine.members(report, plan: plan, at: .zero)
        expectEqual(text.line(members), "    0.000  Main\\u0009Output  · invalid")
        members[1] = ("control", "other")
        expectEqual(text.line(members), "    0.000  other             · invalid")
        let none = EventText(plan: PanelPlan(name: "P"))
        expectEqual(none.line(members), "    0.000    · invalid")
        let late = EventText(plan: plan, start: .zero + .seconds(1))
        #expect(late.line(members).hasPrefix("    0.000  "))
    }
}
