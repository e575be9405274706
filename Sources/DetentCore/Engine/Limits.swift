/// Every bound of the engine, and what happens when it is reached.
public enum EngineLimits {
    /// Lines of a control of one sort, since a set of them is a 32-bit word. More is
    /// `EngineError.outOfRange` when the control is added.
    public static var linesPerControl: UInt16 { 32 }
    /// Positions of a selector (the largest wafer that is commonly made). More is
    /// `EngineError.outOfRange`.
    public static var selectorPositions: UInt8 { 24 }
    /// Repetitions of a held button that one late call tells; those before are left out, so that a
    /// clock that jumps by a year does not keep the engine busy.
    public static var repetitionsBehind: UInt16 { 64 }
    /// Lines of a panel, and controls, and actions: identifiers have 16 bits. More is
    /// `EngineError.capacityExceeded`.
    public static var identifiers: Int { 65_535 }
}
