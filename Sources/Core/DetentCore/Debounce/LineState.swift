import DetentTypes

/// One line of the plan as the engine sees it: whose it is, its filter, and what is known of
/// losses.
struct LineState: BitwiseCopyable {
    /// What has been learned about edges since the line was last quiet.
    enum Trust: Equatable, BitwiseCopyable {
        /// Nothing happened since the level was last known for certain.
        case certain
        /// One edge came, as it should. Once the filter is at rest, this is `certain` too.
        case oneEdge
        /// Several edges came: the kernel reads the level late, so it is read again when quiet.
        case burst
        /// The line is back after a fault; the next reading starts it anew.
        case restarting
        /// A reading was asked for.
        case reading
    }

    /// The `control` of a line that belongs to none: more than any control's place.
    static var noControl: UInt16 { .max }

    /// The control that the line belongs to, and which of its contacts it is.
    var control = LineState.noControl
    var contact: UInt8 = 0
    var isContact = false
    /// Whether it reports the value of a device. Such a line is not a contact of the part.
    var isFeedback = false
    /// The value that it last reported, after debounce.
    var reported = Value.unknown
    var isFaulty = false
    var trust = Trust.certain
    var filter: ContactFilter
    /// When `deadlineReached` is due: for the filter, or for a reading after a burst.
    private(set) var deadline = Instant.never
    /// The number of the last edge; 0 before the first, and where the source does not count.
    var lastSequence: UInt32 = 0
    var lastEdge = Instant.zero
    /// Edges stamped before this moment are older than what a reading told.
    var lastReading = Instant.zero
    let settings: DebounceSettings
    /// A line without an edge for this long is quiet.
    let quietTime: TimeSpan

    init(_ settings: DebounceSettings) {
        self.settings = settings
        quietTime = settings.quietTime
        self.filter = ContactFilter(settings, level: .inactive)
    }

    /// Takes note of an edge's number; true where edges before it are missing.
    mutating func countsGap(_ sequence: UInt32) -> Bool {
        guard sequence != 0 else { return false }
        let expected = lastSequence &+ 1
        let isGap = lastSequence != 0 && sequence != expected
        lastSequence = sequence
        return isGap
    }

    /// Whether no time of the filter runs, and the level is known for certain.
    func isQuiet(at now: Instant) -> Bool {
        switch trust {
        case .certain, .oneEdge: isFilterAtRest(at: now)
        case .burst, .restarting, .reading: false
        }
    }

    @inline(__always)
    private func isFilterAtRest(at now: Instant) -> Bool {
        filter.deadline == .never && filter.restsAt <= now
    }

    /// Counts an edge that comes now: several before the filter is at rest are a burst.
    @inline(__always)
    mutating func countEdge(at now: Instant) {
        switch trust {
        case .certain: trust = .oneEdge
        // After one edge, `deadline` is that of the filter.
        case .oneEdge: if deadline != .never || filter.restsAt > now { trust = .burst }
        case .burst, .reading, .restarting: break
        }
    }

    /// What follows for the engine from a change of the line.
    struct Step {
        /// The contact's new level, if it has one.
        var level: Level?
        /// The line's level should be read now.
        var wantsReading = false
    }

    /// The line has changed to the opposite of its raw level.
    @inline(__always)
    mutating func edge(at now: Instant) -> Step {
        lastEdge = now
        return step(filter.edge(at: now), at: now)
    }

    /// The filter has something to do, or the line has been quiet after a burst.
    @inline(__always)
    mutating func deadlineReached(at now: Instant) -> Step {
        step(filter.deadlineReached(at: now), at: now)
    }

    /// A burst is over, and the level should be read, once the line is quiet and the filter does
    /// not wait for it any more.
    @inline(__always)
    private mutating func step(_ level: Level?, at now: Instant) -> Step {
        deadline = filter.deadline
        guard deadline == .never else { return Step(level: level) }
        switch trust {
        case .burst:
            let quietAt = max(lastEdge + quietTime, filter.restsAt)
            guard quietAt <= now else {
                deadline = quietAt
                break
            }
            trust = .reading
            return Step(level: level, wantsReading: true)
        case .certain, .oneEdge, .reading, .restarting:
            break
        }
        return Step(level: level)
    }

    /// Starts the filter anew at a level that is known for certain.
    mutating func settle(at level: Level) {
        filter = ContactFilter(settings, level: level)
        deadline = .never
        trust = .certain
    }
}
