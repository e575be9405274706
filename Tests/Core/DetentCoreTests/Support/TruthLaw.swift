import DetentTypes

@testable import DetentCore

/// While a control is at rest and its device is known to differ from the shown value, or nobody
/// knows what it does, a flag says so.
enum TruthLaw {
    /// What a state keeps silent about; nil where the law holds.
    static func lie(of state: ControlSnapshot, _ kind: ControlNature) -> String? {
        guard kind.hasValue else { return nil }
        // Before the start nothing is told at all, and what is under way has a phase.
        guard state.phase == .idle || state.phase == .failed else { return nil }
        if state.actual == .unknown {
            return state.flags.contains(.unconfirmed) ? nil : "unknown without `unconfirmed`"
        }
        if state.flags.contains(.unconfirmed) { return "`unconfirmed` although it is known" }
        if state.actual == state.desired || state.phase == .failed { return nil }
        return state.flags.contains(.mismatch) ? nil : "another value without `mismatch`"
    }
}
