public import DetentTypes

/// A change of one contact line, as a chip sees it.
public struct PhysicalEdge: Equatable, Sendable {
    /// The line that changed.
    public var line: LineID
    /// After polarity.
    public var level: Level
    /// The electrical level: whether the line is high.
    public var isHigh: Bool
    /// When it changed.
    public var at: Instant
    /// What a converter samples from now on; nil for a line with levels.
    public var sample: Int32?
}
