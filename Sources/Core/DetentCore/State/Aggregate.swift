import DetentTypes

/// What a control whose state is derived from others takes over from them.
struct Aggregate: BitwiseCopyable {
    var desired: Value
    var actual: Value
    var phase: Phase
    /// Why the phase is `failed`: the reason of the control that has this phase.
    var reason: Reason
}
