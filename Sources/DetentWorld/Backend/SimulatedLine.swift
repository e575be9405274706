import DetentHAL
import DetentTypes

/// A pin of the simulated chips, whoever has it.
struct SimulatedPin {
    /// Whether it is high, as an output was driven or left.
    var isHigh = false
    /// It has been an output at least once.
    var wasDriven = false
    var writtenAt: Instant?
    /// The level at which it was last given back.
    var wasReleasedHigh: Bool?
    /// Another program that has it.
    var holder: String?
    /// Its chip is gone.
    var isAbsent = false
}

/// A line that was asked for, with what is known of it.
struct SimulatedRequest {
    enum State: Equatable {
        /// Asked for, but another has it or its chip is gone.
        case missing
        /// An input whose first reading is due.
        case unread
        case working
    }

    let settings: LineSettings
    let place: Int
    var state = State.missing
    /// Inputs: edges since it works.
    var sequence: UInt32 = 0
    /// Inputs: edges that will be lost before they reach the queue.
    var losses = 0
    /// Polled inputs: the level that was last seen.
    var seen = Level.inactive
    var nextPoll = Instant.never
    /// Outputs: the level that is wanted.
    var wanted = Level.inactive

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

    /// Distance of readings where the line cannot interrupt; nil where it can.
    var pollPeriod: TimeSpan? {
        if case .input(_, .polled(let period), _) = settings.direction { return period }
        return nil
    }

    var onRelease: Level? {
        if case .output(_, let level) = settings.direction { return level }
        return nil
    }

    func level(isHigh: Bool) -> Level { Level(isHigh != settings.isActiveLow) }

    func isHigh(at level: Level) -> Bool { (level == .active) != settings.isActiveLow }
}
