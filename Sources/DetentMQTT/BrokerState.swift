import DetentCore
import DetentPanel
import DetentTypes

/// Writes the state of a control for its topic `CONTROL/state`.
enum BrokerState {
    /// The state as one JSON object; equal states give equal texts.
    ///
    /// - Parameter reason: why it is in its phase.
    static func text(_ state: ControlSnapshot, of control: ControlPlan, reason: Reason) -> String {
        let names = control.valueNames
        let why = state.phase == .failed ? reason.text : nil
        return JSONValue.object([
            ("value", value(state.desired, names)), ("actual", value(state.actual, names)),
            ("phase", .string(state.phase.word)),
            ("reason", why.map(JSONValue.string) ?? .null),
            ("flags", flags(state.flags)),
        ]).line
    }

    private static func flags(_ flags: Flag) -> JSONValue {
        .array(Flag.words.filter { flags.contains($0.flag) }.map { .string($0.word) })
    }

    /// A value as a word, a number or several words; null if the control has no value.
    private static func value(_ value: Value, _ names: ValueNames) -> JSONValue {
        switch names {
        case .none, .commands: return .null
        case .several(let words):
            if value == .unknown { return .string("unknown") }
            return .array(
                words.indices.filter { $0 < 31 && value.raw & 1 << Int32($0) != 0 }
                    .map { .string(words[$0]) })
        case .onOff, .threeWay, .options, .number:
            return EventLine.json(value, names: names)
        }
    }
}
