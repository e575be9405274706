public import DetentCore
public import DetentPanel
public import DetentTypes

extension Expectation.Field {
    /// The value of this field in a control's state, in the form of `Expectation.expected`.
    ///
    /// Empty for an event and for what was asked, which are not part of the state.
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
        case .asked, .event: return ""
        }
    }

    /// The rows of a display as one text.
    static func display(_ rows: [String]) -> String {
        let count = rows.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
        return rows.prefix(count).joined(separator: " | ")
    }
}

extension ValueNames {
    /// The word of an option or item by its index; its number from 1 if it has no word.
    func item(_ place: Value) -> String {
        let index = Int(place.raw)
        return words.indices.contains(index) ? words[index] : String(Int64(place.raw) + 1)
    }
}
