/// Every bound of the engine, and what happens when it is reached.
public enum EngineLimits {
    /// Lines of a control of one sort, since a set of them is a 32-bit word. More is
    /// `EngineError.outOfRange` when the control is added.
    public static var linesPerControl: UInt16 { 32 }
    /// Options, commands and items of a control, and values that have an action or an output each:
    /// a set of them is a 32-bit word. More is `EngineError.outOfRange`.
    public static var options: UInt8 { 32 }
    /// Options of which several may be chosen: the value has a bit for each, and the sign and the
    /// value `unknown` need room too. More is `EngineError.outOfRange`.
    public static var selectionOptions: UInt8 { 30 }
    /// Positions of a selector (the largest wafer that is commonly made). More is
    /// `EngineError.outOfRange`.
    public static var selectorPositions: UInt8 { 24 }
    /// Positions of an analog part: as many as a hand can tell apart on the best potentiometer, and
    /// more. More is `EngineError.outOfRange`.
    public static var analogPositions: UInt32 { 10_001 }
    /// The band around a border of an analog part, as a fraction of its scale: 10 %. More is
    /// `EngineError.outOfRange`.
    public static var hysteresis: UInt16 { 6_554 }
    /// Repetitions of a held button that one late call tells; those before are left out, so that a
    /// clock that jumps by a year does not keep the engine busy.
    public static var repetitionsBehind: UInt16 { 64 }
    /// Values that return by themselves in one late call. Past it a return waits for its time once
    /// more, counted from that call: a return that fails is tried again after its time, so a clock
    /// that jumps by a year would keep the engine busy. Counted in `EngineCounters.cutReturns`.
    public static var returnsBehind: UInt32 { 4_096 }
    /// What controls ask of each other, and how often they look at each other, in one call, at
    /// however many instants. Past it a step fails and a look is left out, and both are counted in
    /// `EngineCounters.cutChains`: only a plan that goes round in a circle, which readers refuse,
    /// comes so far.
    public static var chainLength: UInt32 { 65_536 }
    /// How deep groups stand in groups, and how far one intent may lead to others at once; deeper
    /// ones are refused as `busy`.
    public static var chainDepth: UInt8 { 16 }
    /// What the steps of sequences ask of other controls because of one press, in all sequences
    /// that it leads to. Past it a step fails, the other control refuses as `busy`, and
    /// `EngineCounters.cutRequests` counts it. Sequences that fire sequences would otherwise
    /// multiply one press without end.
    public static var requestsPerPress: UInt16 { 256 }
    /// Detents that wait for a run of their action, where each has a run of its own; where one run
    /// is for all, the square of this. More is counted as lost.
    public static var waitingDetents: UInt16 { 100 }
    /// Values of other controls that an action needs: which of them are shown is a set in a byte.
    /// More is `EngineError.outOfRange` when the action is added.
    public static var valuesPerAction: UInt16 { 8 }
    /// Lines of a panel, and controls, and actions: identifiers have 16 bits. More is
    /// `EngineError.capacityExceeded`.
    public static var identifiers: Int { 65_535 }
}
