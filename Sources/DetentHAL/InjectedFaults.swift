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

/// The generator SplitMix64 of Steele, Lea and Flood: small, seeded, the same on every machine.
struct SeededChance {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether something that happens once in so many times happens now; 0 is never.
    mutating func happens(oneIn count: UInt64) -> Bool {
        count > 0 && next() % count == 0
    }
}
