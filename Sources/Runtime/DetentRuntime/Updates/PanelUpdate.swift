public import DetentCore
public import DetentTypes

/// An update that a running panel sends to its reader.
public enum PanelUpdate: Equatable, Sendable, BitwiseCopyable {
    /// An event, counted from 1 since the start of the panel.
    case report(Report, number: UInt64)
    /// The full state of a control, after all reports of this moment.
    case state(ControlID, ControlSnapshot)
    /// The answer to a request, after the state of its control.
    case answer(RequestID, ControlID, Answer)
    /// All requested states have been sent.
    case complete
    /// The level of a traced line before debounce, or the driven level of a traced lamp or output.
    case level(LineID, Level)
    /// A traced contact after debounce.
    case contact(LineID, Level)
    /// The simulation changed: the clock, a fault, or the position of a part.
    case simulation
    /// The panel restarts: reports count from 1 again, and no state is known.
    case restarted
}

/// An update with its moment.
public struct TimedUpdate: Equatable, Sendable, BitwiseCopyable {
    /// The update.
    public var update: PanelUpdate
    /// When it happened, on the panel's clock.
    public var at: Instant

    /// Makes an update with its moment.
    public init(_ update: PanelUpdate, at: Instant) {
        self.update = update
        self.at = at
    }
}
