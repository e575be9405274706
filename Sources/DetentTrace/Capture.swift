public import DetentTypes

/// What lines did over a time, as electrical levels.
public struct Capture: Equatable, Sendable {
    /// One change of one line; also a repetition of its level, where a source says that it saw one.
    public struct Edge: Equatable, Sendable, BitwiseCopyable {
        /// The moment on the capture's own clock, which begins at 0.
        public var at: Instant
        /// Place in `lines`.
        public var line: UInt16
        /// The level from now on.
        public var isHigh: Bool

        /// Makes an edge.
        public init(at: Instant, line: UInt16, isHigh: Bool) {
            self.at = at
            self.line = line
            self.isHigh = isHigh
        }
    }

    /// The lines' names, each once, in the order in which the source first has them.
    public var lines: [String]
    /// The level of each line at 0; nil where the source does not say: such a line begins inactive.
    public var initialLevels: [Bool?]
    /// The edges in order of time.
    public var edges: [Edge]
    /// What the reader passed over or took otherwise than written, for people.
    public var notes: [String]

    /// Makes a capture; nothing is checked.
    public init(
        lines: [String] = [], initialLevels: [Bool?] = [], edges: [Edge] = [], notes: [String] = []
    ) {
        self.lines = lines
        self.initialLevels = initialLevels
        self.edges = edges
        self.notes = notes
    }

    /// Gives lines other names, as `--map D0=GPIO17` asks.
    ///
    /// - Throws: for a name that is not there, and for one that two lines would have.
    public func renamed(_ names: [(from: String, to: String)]) throws(CaptureError) -> Capture {
        var result = self
        var problems: [CaptureProblem] = []
        for (from, to) in names {
            if let index = lines.firstIndex(of: from) {
                result.lines[index] = to
            } else {
                problems.append(
                    CaptureProblem(
                        cause: "no line of the capture is named `\(from)`",
                        remedy: "map one of: \(lines.prefix(20).joined(separator: ", "))"))
            }
        }
        var seen: Set<String> = []
        for name in result.lines where !seen.insert(name).inserted {
            problems.append(
                CaptureProblem(
                    cause: "two lines would be named `\(name)`", remedy: "map one of them away"))
        }
        if !problems.isEmpty { throw CaptureError(problems: problems) }
        return result
    }
}
