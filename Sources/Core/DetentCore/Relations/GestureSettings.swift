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
    /// Which buttons of a row have it, and when it happens; without buttons where its owner has no
    /// row.
    public var row = RowGesture()

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

/// A gesture of buttons of a row.
public struct RowGesture: Equatable, Sendable, BitwiseCopyable {
    /// A bit for each button that has it.
    public var buttons: UInt32
    /// The time of a hold, to the first repetition, or of the gap between clicks.
    public var after: TimeSpan
    /// The time between further repetitions.
    public var every: TimeSpan
    /// How many clicks make it.
    public var count: UInt8
    /// What a press does without it waits until it cannot come any more.
    public var isExclusive: Bool

    /// Makes the settings. Without `buttons`, the gesture does not belong to a row.
    public init(
        buttons: UInt32 = 0, after: TimeSpan = .zero, every: TimeSpan = .zero, count: UInt8 = 2,
        isExclusive: Bool = false
    ) {
        self.buttons = buttons
        self.after = after
        self.every = every
        self.count = count
        self.isExclusive = isExclusive
    }
}
