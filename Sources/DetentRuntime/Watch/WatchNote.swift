public import DetentCore
public import DetentTypes

/// What a running panel tells whoever watches it.
public enum WatchNote: Equatable, Sendable, BitwiseCopyable {
    /// An event, counted from 1 since the start of the panel.
    case report(Report, number: UInt64)
    /// All of a control's state, after everything of this moment.
    case state(ControlID, ControlSnapshot)
    /// What became of a request, behind the state of its control.
    case answer(RequestID, ControlID, Answer)
    /// Every state that was asked for has been told.
    case complete
    /// A traced line's level before debounce, or what a traced lamp or output is driven to.
    case level(LineID, Level)
    /// A traced contact after debounce.
    case contact(LineID, Level)
    /// Something outside the panel's electronics is another: clock, faults, where a hand has
    /// a part.
    case desk
    /// The panel starts over: reports count from 1 again, and no state is known.
    case startedOver
}

/// A note with its moment.
public struct TimedNote: Equatable, Sendable, BitwiseCopyable {
    /// What is told.
    public var note: WatchNote
    /// When it happened, on the panel's clock.
    public var at: Instant

    /// Makes a timed note.
    public init(_ note: WatchNote, at: Instant) {
        self.note = note
        self.at = at
    }
}
