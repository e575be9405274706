/// What was dropped or repaired since an engine was made.
public struct EngineCounters: Equatable, Sendable, BitwiseCopyable {
    /// Stamps earlier than one already seen. They counted as that one.
    public var clampedStamps: UInt32 = 0
    /// Edges older than the last reading of their line. The reading has reported them already.
    public var staleEdges: UInt32 = 0
    /// Events that named a line, control or run that does not exist.
    public var ignoredEvents: UInt32 = 0
    /// Edges that were lost, on all lines.
    public var lostEdges: UInt32 = 0
    /// Intents that were refused.
    public var refusedIntents: UInt32 = 0
    /// Steps and evaluations past `EngineLimits.chainLength`, which were left out.
    public var cutChains: UInt32 = 0
    /// Requests of sequences past `EngineLimits.requestsPerPress`, which were refused.
    public var cutRequests: UInt32 = 0
    /// Returns past `EngineLimits.returnsBehind`, which were postponed.
    public var cutReturns: UInt32 = 0
}
