public import DetentCore
public import DetentTypes

/// Writes events as entries for the journal of systemd.
///
/// An entry is lines of `FIELD=value`. Values have no line feed, so no text of a program or a
/// broker can add a field.
public enum JournalEntry {
    /// The levels of syslog: `journalctl -p warning` finds what went wrong.
    private enum Priority: Int {
        case warning = 4
        case information = 6
    }

    /// One event as one entry.
    ///
    /// `MESSAGE` is what people read. Each member of the event's JSON line is a field of its own:
    /// `value` is `DETENT_VALUE`. Takes time in proportion to the length of the entry.
    public static func text(_ report: Report, plan: PanelPlan, at instant: Instant) -> String {
        let members = EventLine.members(report, plan: plan, at: instant)
        let index = Int(report.control.index)
        let isKnown = plan.controls.indices.contains(index)
        let label =
            report.control == Report.panel
            ? plan.name : isKnown ? plan.controls[index].label : "#\(index)"
        var fields = [
            ("MESSAGE", PrintableText.text(label) + ": " + EventText.summary(members)),
            ("PRIORITY", String(priority(of: report).rawValue)),
            ("SYSLOG_IDENTIFIER", "detent"),
            ("DETENT_PANEL", PrintableText.text(plan.name)),
        ]
        for (name, value) in members {
            let text = value.text ?? value.line
            fields.append(("DETENT_" + name.uppercased(), PrintableText.text(text)))
        }
        return fields.map { "\($0)=\($1)\n" }.joined()
    }

    private static func priority(of report: Report) -> Priority {
        let isProblem =
            switch report.kind {
            case .phase(.failed, _), .lost, .invalid: true
            case .fault(let reason): reason != .none
            // These are states, not problems.
            case .flag(.disabled, _), .flag(.mixed, _), .flag(.unconfirmed, _): false
            case .flag(_, let isSet): isSet
            case _: false
            }
        return isProblem ? .warning : .information
    }
}
