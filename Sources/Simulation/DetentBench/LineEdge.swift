public import DetentTypes

/// An edge of a line, by the place of the line in a list, with its electrical level.
public struct LineEdge: Equatable, Sendable, BitwiseCopyable {
    /// When it happened.
    public var at: Instant
    /// The place of the line in the list of names.
    public var line: Int
    /// The level after it.
    public var isHigh: Bool

    /// Makes an edge.
    public init(at: Instant, line: Int, isHigh: Bool) {
        self.at = at
        self.line = line
        self.isHigh = isHigh
    }
}
