import DetentTypes

/// The keys by which the dispatcher knows the controls and actions of one panel.
public struct ActionKeys: Equatable, Sendable {
    /// By index in the plan.
    var controls: [UInt16] = []
    /// By index in the plan.
    var actions: [UInt16] = []

    /// Makes no keys.
    init() {}

    /// The key of an action of the plan.
    package func action(_ index: UInt16) -> UInt16 {
        actions.indices.contains(Int(index)) ? actions[Int(index)] : index
    }

    /// The key of a control of the plan.
    package func control(_ control: ControlID) -> ControlID {
        controls.indices.contains(Int(control.index))
            ? ControlID(controls[Int(control.index)]) : control
    }

    /// The control of the plan that has a key; nil if the panel does not have it any more.
    package func control(ofKey key: ControlID) -> ControlID? {
        // Nearly always: no control changed its place.
        if Int(key.index) < controls.count, controls[Int(key.index)] == key.index { return key }
        return controls.firstIndex(of: key.index).map { ControlID(UInt16($0)) }
    }
}
