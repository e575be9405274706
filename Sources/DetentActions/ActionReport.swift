public import DetentTypes

/// What the real-time loop is told about an attempt; plain bits.
public struct ActionReport: Equatable, Sendable, BitwiseCopyable {
    /// What happened.
    public enum Kind: Equatable, Sendable, BitwiseCopyable {
        /// The attempt left its queue and runs.
        case started
        case finished(ActionOutcome)
        /// A query has ended, and the device has this value.
        case answered(Value)
    }

    /// The attempt.
    public var run: RunID
    /// The control that the attempt is for.
    public var control: ControlID
    /// What became of it.
    public var kind: Kind
    /// When it happened, on CLOCK_MONOTONIC, stamped by whoever saw it.
    public var at: Instant

    /// Makes a report.
    public init(run: RunID, control: ControlID, kind: Kind, at: Instant) {
        self.run = run
        self.control = control
        self.kind = kind
        self.at = at
    }
}
