public import DetentTypes

/// The value of another control, as a step of an action needs it.
public struct OtherValue: Equatable, Sendable, BitwiseCopyable {
    /// The control.
    public var control: ControlID
    /// Whether the shown value is meant, and not the confirmed one.
    public var isShown: Bool

    /// Names the value of a control.
    public init(of control: ControlID, isShown: Bool = false) {
        self.control = control
        self.isShown = isShown
    }
}
