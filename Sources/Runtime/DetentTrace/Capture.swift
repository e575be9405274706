public import DetentTypes

/// Changes of lines over a time: electrical levels, and samples of analog lines.
public struct Capture: Equatable, Sendable {
    /// One change of one line. It can repeat the level if the source recorded that.
    public struct Edge: Equatable, Sendable, BitwiseCopyable {
        /// The moment on the capture's clock, which begins at 0.
        public var at: Instant
        /// Index in `lines`.
        public var line: UInt16
        /// The level after the edge.
        public var isHigh: Bool
        /// Nothing drives the line any more, so its bias gives the level; `isHigh` is the level
        /// before. Only a VCD has such edges.
        public var isOpen = false
        /// What the converter of an analog line has from then on; nil for all others.
        public var sample: Int32?

        /// Makes an edge.
        public init(at: Instant, line: UInt16, isHigh: Bool, isOpen: Bool = false) {
            self.at = at
            self.line = line
            self.isHigh = isHigh
            self.isOpen = isOpen
        }

        /// Makes a change of an analog line; it may be at 0.
        public init(at: Instant, line: UInt16, sample: Int32) {
            self.init(at: at, line: line, isHigh: false)
            self.sample = sample
        }
    }

    /// The names of the lines, each once, in the order of the source.
    public var lines: [String]
    /// The level of each line at 0; nil if the source does not contain it. Such a line begins
    /// inactive.
    public var initialLevels: [Bool?]
    /// The edges in order of time.
    public var edges: [Edge]
    /// What the reader ignored or interpreted, for people.
    public var notes: [String]

    /// Makes a capture without any check.
    public init(
        lines: [String] = [], initialLevels: [Bool?] = [], edges: [Edge] = [], notes: [String] = []
    ) {
        self.lines = lines
        self.initialLevels = initialLevels
        self.edges = edges
        self.notes = notes
    }

    /// Renames lines, as `--map D0=GPIO17` requests.
    ///
    /// - Throws: `CaptureError` if a line does not exist, or if two lines would have the same name.
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
                    cause: "two lines would be named `\(name)`",
                    remedy: "map one of them to another name"))
        }
        if !problems.isEmpty { throw CaptureError(problems: problems) }
        return result
    }
}
