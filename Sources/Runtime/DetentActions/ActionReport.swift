public import DetentTypes

/// An event of an attempt, for the real-time loop; plain bits.
public struct ActionReport: Equatable, Sendable, BitwiseCopyable {
    /// What happened.
    public enum Kind: Equatable, Sendable, BitwiseCopyable {
        /// The attempt left its queue and runs.
        case started
        /// The attempt is over.
        case finished(ActionOutcome)
        /// A query has ended, and the device has this value.
        case answered(Value)
        /// The attempt has succeeded, and the device says that it has this value now.
        case confirmed(Value)
    }

    /// The attempt.
    public var run: RunID
    /// The control that the attempt is for.
    public var control: ControlID
    /// What happened to it.
    public var kind: Kind
    /// When it happened, on CLOCK_MONOTONIC; the thread that saw it took the time.
    public var at: Instant
}
