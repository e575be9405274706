/// A run of consecutive entries in one of the plan's tables, such as the lines of a control.
public struct PlanRange: Equatable, Sendable, BitwiseCopyable {
    /// Place of the first entry.
    public var first: UInt16
    /// How many; 0 where there are none.
    public var count: UInt16

    /// Makes the run.
    public init(first: UInt16, count: UInt16) {
        self.first = first
        self.count = count
    }

    /// No entry.
    public static var none: PlanRange { PlanRange(first: 0, count: 0) }

    var isEmpty: Bool { count == 0 }
    /// The places of the entries.
    public var places: Range<Int> { Int(first)..<(Int(first) &+ Int(count)) }
}
