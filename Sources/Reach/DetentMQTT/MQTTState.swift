import DetentCore
import DetentPanel
import DetentTypes

/// Writes the state of a control for its topic `CONTROL/state`.
enum MQTTState {
    /// The state as one JSON object; equal states give equal texts.
    ///
    /// - Parameter reason: why it is in its phase.
    static func text(
        _ state: ControlSnapshot, of control: ControlID, in plan: PanelPlan, reason: Reason
    ) -> String {
        let names = plan[control].valueNames
        let why = state.phase == .failed ? reason.text(in: plan) : nil
        return JSONValue.object([
            ("value", names.json(state.desired)), ("actual", names.json(state.actual)),
            ("phase", .string(state.phase.word)),
            ("reason", .text(why)),
            ("flags", flags(state.flags)),
        ]).line
    }

    /// Whether a message is a state that a panel has told.
    static func isState(_ bytes: [UInt8]) -> Bool {
        guard case .object(let members)? = try? JSONReader.read(bytes) else { return false }
        return members.map(\.0) == ["value", "actual", "phase", "reason", "flags"]
    }

    private static func flags(_ flags: Flag) -> JSONValue {
        .array(Flag.words.filter { flags.contains($0.flag) }.map { .string($0.word) })
    }
}
