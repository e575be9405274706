import DetentTypes

/// The actions of one control: which belongs to a value, and its settings.
struct ActionLookup {
    let map: ActionMap
    let table: Table<ActionID, ActionSettings>
    /// Asks the device for its value; nil where it cannot be asked.
    let query: ActionID?
    /// Outputs take over from one another, and those of the value have not been written yet.
    let areOutputsLate: Bool

    /// The action that makes `value` true; nil where the control confirms it without one.
    // Inlined: a call would copy the whole (Benchmarks/run).
    @inline(__always)
    func action(for value: Value) -> ActionID? {
        switch map {
        case .none:
            return nil
        case .any(let action):
            return action
        case .perValue(let first, let present):
            let bit = value.optionBit
            guard present & bit != 0 else { return nil }
            let before = (present & (bit &- 1)).nonzeroBitCount
            return ActionID(first.index &+ UInt16(truncatingIfNeeded: before))
        }
    }

    func settings(of action: ActionID) -> ActionSettings {
        table[action]
    }
}
