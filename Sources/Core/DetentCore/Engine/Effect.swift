public import DetentTypes

/// Something the engine wants done; one verb a case.
public enum Effect: Equatable, Sendable, BitwiseCopyable {
    /// Read the line's level and give it back as `reading`.
    case readLevel(LineID)
    /// Light or darken a lamp.
    case indicate(LineID, Level)
    /// Make an output this strong whenever it is active, from now on. Only lines with levels get
    /// it, each first at the start.
    case adjust(LineID, Strength)
    /// Drive an output, and give the level and its stamp back as `outputWritten`.
    case drive(LineID, Level)
    /// A value of another control that the attempt needs which the next `start` begins. They come
    /// in the order of the action's `values`.
    case provide(ControlID, Value)
    /// Begin an attempt of an action for a value.
    case start(
        ActionID, run: RunID, control: ControlID, value: Value, previous: Value, origin: Origin)
    /// Stop an attempt; its outcome no longer matters.
    case cancel(ActionID, run: RunID)
    /// Pass the report on to everything that listens.
    case report(Report)
    /// Answer a request: once for each request that has a number, after the reports of its step.
    /// An edge or a deadline never brings one.
    case answer(RequestID, ControlID, Answer)
}

/// What the engine says to a request.
public enum Answer: Equatable, Sendable, BitwiseCopyable {
    /// It was taken. Whether its action succeeds comes later, as events.
    case accepted
    /// Nothing or, of a group, not everything was done.
    case refused(Refusal)
    /// There is no such control.
    case noControl

    var isAccepted: Bool { self == .accepted }
}
