import DetentHAL
import DetentTypes

/// A pin of the simulated chips, with or without a request.
struct SimulatedPin {
    /// Whether it is high, as an output drives it or left it.
    var isHigh = false
    /// Whether it was ever an output.
    var wasDriven = false
    /// The level at which it was last released.
    var wasReleasedHigh: Bool?
    /// Another program that uses it.
    var holder: String?
    /// Whether its chip is removed.
    var isAbsent = false
}

/// A requested line and its state.
struct SimulatedRequest {
    enum State: Equatable {
        /// Requested, but another program uses it or its chip is removed.
        case missing
        /// An input whose first reading is due.
        case unread
        case working
    }

    let settings: LineSettings
    let place: Int
    var state = State.missing
    /// Inputs: edges since the line became available.
    var sequence: UInt32 = 0
    /// Inputs: edges to lose before they reach the queue.
    var losses = 0
    /// Polled inputs: the last level.
    var seen = Level.inactive
    var nextPoll = Instant.never
    /// Outputs: the requested level.
    var wanted = Level.inactive
    /// Outputs with levels: how strong they are while they are active.
    var strength = Strength.full

    init(_ settings: LineSettings, place: Int) {
        self.settings = settings
        self.place = place
        if case .output(let initial, _) = settings.direction { wanted = initial }
    }

    var isOutput: Bool {
        switch settings.direction {
        case .input: false
        case .output: true
        }
    }

    /// The interval of readings if the line cannot interrupt; nil if it can.
    var pollPeriod: TimeSpan? {
        if case .input(_, .polled(let period), _) = settings.direction { return period }
        return nil
    }

    var onRelease: Level? {
        if case .output(_, let level) = settings.direction { return level }
        return nil
    }

    /// What its process hears of an edge; nil if it hears nothing, or the edge is lost.
    mutating func event(of edge: PhysicalEdge) -> LineEvent? {
        guard !isOutput, pollPeriod == nil else { return nil }
        if let sample = edge.sample {
            return LineEvent(line: settings.line, kind: .sample(sample), at: edge.at)
        }
        sequence &+= 1
        guard losses <= 0 else {
            losses -= 1
            return nil
        }
        let kind = LineEvent.Kind.edge(level(isHigh: edge.isHigh), sequence: sequence)
        return LineEvent(line: settings.line, kind: kind, at: edge.at)
    }

    func level(isHigh: Bool) -> Level { Level(isHigh != settings.isActiveLow) }

    func isHigh(at level: Level) -> Bool { (level == .active) != settings.isActiveLow }
}
