import DetentCore
import DetentPanel
import DetentTypes

/// Writes events of controls for the topics `CONTROL/event`.
///
/// `event_type` has the words that Home Assistant knows for buttons; `event` has Detent's.
struct MQTTEvents {
    private let plan: PanelPlan
    /// Whether the last press of a control became a hold.
    private var isHeld: [Bool]
    /// The button of a row whose gestures are told, and whether it is down.
    private var followed: [(button: Value, isDown: Bool)]

    init(_ plan: PanelPlan) {
        self.plan = plan
        isHeld = Array(repeating: false, count: plan.controls.count)
        followed = Array(repeating: (.unknown, false), count: plan.controls.count)
    }

    /// The types of events of a button.
    static let buttonTypes = [
        "press_start", "press_end", "long_press_start", "long_press_end", "multi_press_end",
    ]

    /// The text of an event; nil for what is not published as one.
    mutating func text(_ report: Report, at moment: Instant) -> String? {
        guard plan.controls.indices.contains(Int(report.control.index)),
            let type = type(report)
        else { return nil }
        var members: [(String, JSONValue)] = [("event_type", .string(type))]
        if let count = count(report) { members.append(("multi_press_count", .integer(count))) }
        members += EventLine.members(report, plan: plan, at: moment).filter {
            $0.0 != "at" && $0.0 != "control"
        }
        if let word = option(report) { members.append(("value", .string(word))) }
        return JSONValue.object(members).line
    }

    /// The option whose button made a gesture, which the event does not name itself.
    private func option(_ report: Report) -> String? {
        switch report.kind {
        case .held, .doubleClicked, .multiClicked: break
        default: return nil
        }
        let words = plan.buttonWords(of: report.control)
        let button = Int(followed[Int(report.control.index)].button.raw)
        return words.indices.contains(button) ? words[button] : nil
    }

    private func count(_ report: Report) -> Int64? {
        switch report.kind {
        case .clicked: 1
        case .doubleClicked: 2
        case .multiClicked(let count): Int64(count)
        default: nil
        }
    }

    private mutating func type(_ report: Report) -> String? {
        let place = Int(report.control.index)
        switch report.kind {
        case .pressed:
            isHeld[place] = false
            return "press_start"
        case .held:
            isHeld[place] = true
            return "long_press_start"
        case .released:
            return isHeld[place] ? "long_press_end" : "press_end"
        case .clicked, .doubleClicked, .multiClicked: return "multi_press_end"
        case .buttonPressed(let button):
            guard plan.gesturesOfRow(report.control) else { return nil }
            if !followed[place].isDown {
                followed[place] = (button, true)
                isHeld[place] = false
            }
            return "press_start"
        case .buttonReleased(let button):
            guard plan.gesturesOfRow(report.control) else { return nil }
            guard followed[place].button == button else { return "press_end" }
            followed[place].isDown = false
            return isHeld[place] ? "long_press_end" : "press_end"
        case .chosen(let value, _):
            let words = plan[report.control].valueNames.words
            return words.indices.contains(Int(value.raw)) ? words[Int(value.raw)] : nil
        case .stepped: return "stepped"
        case .moved: return "moved"
        default: return nil
        }
    }
}
