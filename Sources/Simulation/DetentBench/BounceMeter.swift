public import DetentTypes

/// Measures how a contact bounces: closing and opening separately.
///
/// Edges that follow each other within `quiet` are one change. A group of edges that ends at the
/// level where it began is not a change: it is counted as a glitch.
public struct BounceMeter: Equatable, Sendable {
    /// One change of the contact.
    public struct Change: Equatable, Sendable {
        /// When it began.
        public var at: Instant
        /// From its first edge to its last; zero for a clean change.
        public var length: TimeSpan
        /// Its edges; 1 for a clean change.
        public var edges: Int
        /// The shortest time between two edges of it; zero for a clean change.
        public var shortest = TimeSpan.zero
        /// The longest time between two edges of it; zero for a clean change.
        public var longest = TimeSpan.zero
        /// The times between its edges, in order; of a longer bounce, the first.
        public var widths: [TimeSpan] = []
    }

    /// Changes that closed the contact.
    public private(set) var closings: [Change] = []
    /// Changes that opened it.
    public private(set) var openings: [Change] = []
    /// Groups of edges that ended at the level where they began.
    public private(set) var glitches = 0
    /// The pause that ends a change.
    public let quiet: TimeSpan

    private var level: Level
    /// The level before the present group of edges.
    private var levelBefore: Level
    private var group: Change?

    /// Begins with a contact at rest.
    public init(level: Level, quiet: TimeSpan = BenchLimits.quiet) {
        self.level = level
        levelBefore = level
        self.quiet = quiet
    }

    /// The number of changes so far.
    public var count: Int { closings.count + openings.count }

    /// When the present change ends if no edge follows; `never` if the contact is at rest.
    public var deadline: Instant {
        group.map { $0.at + $0.length + quiet } ?? .never
    }

    /// Takes an edge; the level is that of the contact, closed is active.
    public mutating func take(_ level: Level, at: Instant) {
        settle(at: at)
        // A source can repeat a level, for example after lost edges.
        guard level != self.level else { return }
        self.level = level
        guard var change = group else {
            group = Change(at: at, length: .zero, edges: 1)
            return
        }
        let length = at - change.at
        let pulse = TimeSpan(nanoseconds: length.nanoseconds - change.length.nanoseconds)
        change.shortest = change.edges == 1 ? pulse : min(change.shortest, pulse)
        change.longest = max(change.longest, pulse)
        if change.widths.count < BenchLimits.widths { change.widths.append(pulse) }
        change.length = length
        change.edges += 1
        group = change
    }

    /// Ends the present change if its pause is over.
    public mutating func settle(at now: Instant) {
        guard let change = group, now > change.at + change.length + quiet else { return }
        finish()
    }

    /// Ends the present change.
    public mutating func finish() {
        guard let change = group else { return }
        group = nil
        defer { levelBefore = level }
        guard level != levelBefore else {
            glitches += 1
            return
        }
        guard count < BenchLimits.changes else { return }
        switch level {
        case .active: closings.append(change)
        case .inactive: openings.append(change)
        }
    }
}
