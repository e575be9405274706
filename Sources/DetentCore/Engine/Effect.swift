public import DetentTypes

/// Something the engine wants done; one verb a case.
public enum Effect: Equatable, Sendable, BitwiseCopyable {
    /// Read the line's level and give it back as `reading`.
    case readLevel(LineID)
    /// Light or darken a lamp.
    case indicate(LineID, Level)
    /// Drive an output, and give the level and its stamp back as `outputWritten`.
    case drive(LineID, Level)
    /// Begin an attempt of an action for a value.
    case start(
        ActionID, run: RunID, control: ControlID, value: Value, previous: Value, origin: Origin)
    /// Stop an attempt; its outcome no longer matters.
    case cancel(ActionID, run: RunID)
    /// Tell whoever listens.
    case report(Report)
}
