public import DetentCore
public import DetentPanel
public import DetentTypes

extension Expectation.Field {
    /// The value of this field in a control's state, in the form of `Expectation.expected`.
    ///
    /// Empty for an event, which is not part of the state.
    ///
    /// - Parameter chosen: the item that was chosen last, which only a display needs.
    public func word(
        of state: ControlSnapshot, _ control: ControlID, in plan: PanelPlan,
        chosen: Value = .unknown
    ) -> String {
        let names = plan[control].valueNames
        switch self {
        case .value: return names.name(of: state.desired)
        case .actual: return names.name(of: state.actual)
        case .position: return names.name(of: state.position)
        case .phase: return state.phase.word
        case .indicator: return state.pattern.word
        case .flags: return state.flags.word
        case .lamp: return state.lamps == 0 ? "off" : "on"
        case .lost: return String(state.lost)
        case .focus: return state.focus == .unknown ? "none" : names.item(state.focus)
        case .staged: return state.staged == .unknown ? "none" : names.name(of: state.staged)
        case .progress: return String(Int(state.progress) * 10)
        case .display:
            guard let place = plan.display(of: control) else { return "" }
            let text = DisplayText(plan.displays[place], of: plan)
            return Self.display(text.rows(control, DisplayFacts(state, chosen: chosen)))
        case .event: return ""
        }
    }

    /// The rows of a display as one text.
    static func display(_ rows: [String]) -> String {
        let count = rows.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
        return rows.prefix(count).joined(separator: " | ")
    }
}

extension Report.Kind {
    /// What the event has in addition to its word, as an expectation names it; nil if there is
    /// nothing.
    ///
    /// - Parameter buttons: the words for the buttons of the control's part.
    func detail(names: ValueNames, buttons: [String]) -> String? {
        switch self {
        case .buttonPressed(let button), .buttonReleased(let button):
            let place = Int(button.raw)
            return buttons.indices.contains(place) ? buttons[place] : nil
        case .multiClicked(let count): return String(count)
        case .stepped(let delta): return String(delta)
        case .moved(let value), .changed(let value, _), .confirmed(let value):
            return names.name(of: value)
        case .focused(let item), .chosen(let item, _): return names.item(item)
        case .staged(let value): return value == .unknown ? "none" : names.name(of: value)
        case .phase(let phase, _): return phase.word
        case .flag(let flag, _): return flag.word
        case .refused(let refusal, _): return refusal.word
        case .progress(let percent): return String(percent)
        case .indicator(let pattern): return pattern.word
        case .output(_, let level): return level == .active ? "active" : "inactive"
        case .lost(let count): return String(count)
        case .fault(let reason): return reason.word
        case .pressed, .released, .clicked, .doubleClicked, .held, .repeated, .invalid, .opened,
            .closed, .armed:
            return nil
        }
    }
}

extension ValueNames {
    /// The word of an option or item by its index; its number from 1 if it has no word.
    func item(_ place: Value) -> String {
        let index = Int(place.raw)
        return words.indices.contains(index) ? words[index] : String(Int64(place.raw) + 1)
    }
}

extension EventLine {
    /// The word of `"event"` in an event line.
    package static func word(in line: String) -> String {
        let parts = line.split(separator: "\"")
        return parts.drop { $0 != "event" }.dropFirst(2).first.map(String.init) ?? ""
    }
}
