public import DetentTypes

/// What goes wrong, and how often; every chance is one in so many, and 0 means never.
public struct InjectedFaults: Equatable, Sendable {
    /// Edges that vanish as in a full queue: the count of the next edge shows a gap. Edges that
    /// nobody counts are replaced by an `overflow`.
    public var losesOneEdgeIn: UInt64 = 0
    /// Edges that vanish without a trace, as where the hardware merges them: the count goes on.
    public var mergesOneEdgeIn: UInt64 = 0
    /// Events that change places with the one before, though its stamp is older.
    public var reordersOneIn: UInt64 = 0
    /// Events that come late, with their stamps unchanged.
    public var delaysOneIn: UInt64 = 0
    /// The longest delay.
    public var longestDelay = TimeSpan.zero
    /// Lines that another program seems to have when they are opened.
    public var refusesOneLineIn: UInt64 = 0
    /// Drains in which all lines go away for `unpluggedFor`.
    public var unplugsOneDrainIn: UInt64 = 0
    /// How long all lines stay away.
    public var unpluggedFor = TimeSpan.milliseconds(500)

    /// Makes faults of which none ever happens.
    public init() {}
}
