public import DetentCore
public import DetentPanel

extension Expectation.Field {
    /// What a control in a state shows of this field, in the words of `Expectation.expected`.
    ///
    /// Empty for an event, which no state tells.
    public func word(of state: ControlSnapshot, names: ValueNames) -> String {
        switch self {
        case .value: names.name(of: state.desired)
        case .actual: names.name(of: state.actual)
        case .position: names.name(of: state.position)
        case .phase: state.phase.word
        case .indicator: state.pattern.word
        case .flags: state.flags.word
        case .lamp: state.lamps == 0 ? "off" : "on"
        case .lost: String(state.lost)
        case .event: ""
        }
    }
}
