public import DetentTypes

/// A gesture that runs an action of its own.
public enum ActingGesture: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    /// A press that is nothing else.
    case click
    /// Two clicks, or as many as the button counts.
    case doubleClick, multiClick
    /// A press that lasts.
    case hold
    /// Each repetition of a press that lasts.
    case repetition
    /// Detents in either direction, clockwise, and counter-clockwise.
    case turn, turnUp, turnDown
}

/// A gesture that acts.
///
/// It is a control of its own: it has no part, runs its action as an event, and everything is told
/// as if it were part of its owner.
public struct GestureSettings: Equatable, Sendable, BitwiseCopyable {
    /// The control whose gesture it is.
    public var owner: ControlID
    /// What makes it act.
    public var gesture: ActingGesture
    /// Each run is for all detents since the last one; its value is their number, times this. Zero:
    /// one run for each detent.
    public var stepFactor: Int16
    /// How long a hold takes that is shown while it lasts; zero: nothing is shown.
    public var shownHold: TimeSpan

    /// Makes the settings.
    public init(
        of owner: ControlID, _ gesture: ActingGesture, stepFactor: Int16 = 0,
        shownHold: TimeSpan = .zero
    ) {
        self.owner = owner
        self.gesture = gesture
        self.stepFactor = stepFactor
        self.shownHold = shownHold
    }
}
