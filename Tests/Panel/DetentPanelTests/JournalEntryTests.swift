import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@Suite struct JournalEntryTests {
    private func entry(
        _ control: UInt16, _ kind: Report.Kind, of plan: PanelPlan = EventLineTests.plan
    ) -> [String] {
        let report = Report(control: ControlID(control), kind: kind)
        let text = JournalEntry.text(report, plan: plan, at: .zero + .milliseconds(5))
        #expect(text.hasSuffix("\n"))
        return text.split(separator: "\n").map(String.init)
    }

    @Test func eachMemberIsAField() {
        expectEqual(
            entry(0, .changed(.off, .api)),
            [
                "MESSAGE=output: ○ off (api)", "PRIORITY=6", "SYSLOG_IDENTIFIER=detent",
                "DETENT_PANEL=\(EventLineTests.plan.name)", "DETENT_AT=5000000",
                "DETENT_CONTROL=output", "DETENT_EVENT=changed", "DETENT_VALUE=off",
                "DETENT_ORIGIN=api",
            ])
    }

    @Test(arguments: [
        (Report.Kind.phase(.failed, .failed(.exit(3))), 4), (.phase(.idle, .none), 6),
        (.flag(.mismatch, isSet: true), 4), (.flag(.mismatch, isSet: false), 6),
        (.flag(.disabled, isSet: true), 6), (.flag(.unconfirmed, isSet: true), 6),
        (.lost(count: 2), 4), (.fault(.line), 4),
        (.fault(.none), 6), (.changed(.on, .panel), 6),
    ])
    func whatWentWrongIsAWarning(_ kind: Report.Kind, _ priority: Int) {
        #expect(entry(0, kind).contains("PRIORITY=\(priority)"), "\(kind)")
    }

    /// A line feed would begin another field.
    @Test func noTextAddsAField() {
        var plan = EventLineTests.plan
        plan.name = "Lab\nPRIORITY=0"
        plan.controls[0].label = "Output\nMESSAGE=forged"
        let fields = entry(0, .changed(.on, .panel), of: plan)
        expectEqual(fields.filter { $0.hasPrefix("PRIORITY=") }, ["PRIORITY=6"])
        expectEqual(fields.filter { $0.hasPrefix("MESSAGE=") }.count, 1)
    }
}
