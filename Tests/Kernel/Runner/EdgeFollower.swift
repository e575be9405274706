internal import DetentHAL
internal import DetentTypes

/// Follows one line by its events, as the contract of a backend allows it: a gap in the sequence or
/// `overflow` tells a loss, and then the line has to be read.
struct EdgeFollower {
    /// The level that the events and the readings have told.
    private(set) var level = Level.inactive
    /// Edges that came.
    private(set) var edges = 0
    /// Edges that are missing by their sequence.
    private(set) var missing = 0
    /// How often `overflow` was told.
    private(set) var overflows = 0
    /// Edges that repeated the level of the one before, although no loss was told between them.
    private(set) var repeated = 0
    /// Whether a loss was told, and the line was not read since.
    private(set) var wantsReading = false

    private var sequence: UInt32 = 0
    /// The level that the next edge must not have; nil after a loss.
    private var previous: Level?
    private var lastReading = Instant.zero

    /// Takes an event of the line.
    mutating func take(_ event: LineEvent) {
        switch event.kind {
        case .edge(let level, let sequence): takeEdge(level, sequence, at: event.at)
        case .reading(let level): takeReading(level, at: event.at)
        case .overflow:
            overflows += 1
            lose()
        case .sample, .written, .fault, .restored: break
        }
    }

    /// Takes the level that was read at a moment. Earlier edges no longer change it.
    mutating func takeReading(_ level: Level, at moment: Instant) {
        self.level = level
        lastReading = moment
        wantsReading = false
    }

    private mutating func lose() {
        previous = nil
        wantsReading = true
    }

    private mutating func takeEdge(_ level: Level, _ sequence: UInt32, at moment: Instant) {
        edges += 1
        if sequence > self.sequence + 1 {
            missing += Int(sequence - self.sequence) - 1
            lose()
        }
        if sequence != 0 { self.sequence = sequence }
        if previous == level { repeated += 1 }
        previous = level
        if moment >= lastReading { self.level = level }
    }
}
