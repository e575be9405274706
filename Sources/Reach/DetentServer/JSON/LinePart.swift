import DetentCore
import DetentPanel

/// The part of a control that a line belongs to: the word for a contact, a lamp colour, or the
/// value of an output.
enum LinePart {
    /// The word for the line at an index of the plan.
    static func word(of place: Int, in control: ControlPlan, _ plan: PanelPlan) -> String {
        let settings = control.settings
        if let offset = settings.contacts.offset(of: place) {
            return contact(offset, control, plan)
        }
        if let offset = settings.indicator.lines.offset(of: place) { return lamp(offset, control) }
        if let offset = settings.outputs.offset(of: place) { return output(offset, control) }
        if settings.feedbackLines.offset(of: place) != nil { return "feedback" }
        return "output"
    }

    private static func contact(
        _ offset: Int, _ control: ControlPlan, _ plan: PanelPlan
    ) -> String {
        let settings = control.settings
        let own = Int(settings.partContacts)
        if offset >= own { return "cover" }
        switch settings.decoder {
        case .none, .button: return "input"
        case .analog: return "wiper"
        case .lever:
            return own == 1 ? "input" : offset == 0 ? "on" : "off"
        case .encoder: return ["a", "b", "push"][min(offset, 2)]
        case .buttonRow:
            let words = plan.buttonWords(of: plan.lines[Int(settings.contacts.first)].control)
            return words.indices.contains(offset) ? words[offset] : String(offset + 1)
        case .selector(let selector):
            guard selector.coding == .contacts else { return "bit \(offset)" }
            let position = offset >= Int(selector.nonePosition) ? offset + 1 : offset
            let words = control.valueNames.words
            return words.indices.contains(position) ? words[position] : String(position + 1)
        }
    }

    private static func lamp(_ offset: Int, _ control: ControlPlan) -> String {
        switch control.settings.indicator.style {
        case .single: return "lamp"
        case .perOption:
            let words = control.valueNames.words
            return words.indices.contains(offset) ? words[offset] : String(offset + 1)
        case .twoColor, .rgb: return ["red", "green", "blue"][min(offset, 2)]
        }
    }

    /// The outputs are in the order of the options that have one.
    private static func output(_ offset: Int, _ control: ControlPlan) -> String {
        let present = control.settings.outputsPresent
        guard present != 0 else { return "output" }
        let options = (0..<32).filter { present & 1 << UInt32($0) != 0 }
        let words = control.valueNames.words
        guard options.indices.contains(offset), words.indices.contains(options[offset]) else {
            return "output"
        }
        return words[options[offset]]
    }
}

extension PlanRange {
    /// The position of a line within the range; nil if it is outside.
    fileprivate func offset(of place: Int) -> Int? {
        let offset = place - Int(first)
        return (0..<Int(count)).contains(offset) ? offset : nil
    }
}
