public import DetentTypes

/// Which faults happen, and how often. A chance of N means one in N; 0 means never.
public struct InjectedFaults: Equatable, Sendable {
    /// Edges that are lost as in a full queue: the count of the next edge has a gap. Edges without
    /// a count are replaced by an `overflow`.
    public var losesOneEdgeIn: UInt64 = 0
    /// Edges that vanish without a gap, as when the hardware merges them.
    public var mergesOneEdgeIn: UInt64 = 0
    /// Events that are swapped with the previous one, although their timestamps are older.
    public var reordersOneIn: UInt64 = 0
    /// Events that are delayed, with their timestamps unchanged.
    public var delaysOneIn: UInt64 = 0
    /// The longest delay.
    public var longestDelay = TimeSpan.zero
    /// Lines that appear to be used by another program when they are opened.
    public var refusesOneLineIn: UInt64 = 0
    /// Drains after which all lines are disconnected for `unpluggedFor`.
    public var unplugsOneDrainIn: UInt64 = 0
    /// How long all lines are disconnected.
    public var unpluggedFor = TimeSpan.milliseconds(500)

    /// Injects no faults.
    public init() {}
}
