import DetentTypes

/// What will be sent to listeners at the next opportunity.
struct PendingBatch {
    /// Controls whose state changed.
    var states: Set<ControlID> = []
    /// The clock changed.
    var clock = false
    /// Faults, bounce, actions or the recording changed.
    var simulation = false
    /// The number of the last event that was sent.
    var sent: UInt64 = 0

    /// Whether only events can be waiting.
    var isEmpty: Bool { states.isEmpty && !clock && !simulation }

    /// Discards everything up to an event.
    mutating func clear(upTo number: UInt64) {
        states.removeAll(keepingCapacity: true)
        clock = false
        simulation = false
        sent = number
    }
}

/// Levels of traced lines that will be sent.
struct PendingWaves {
    struct Point: Equatable {
        var line: LineID
        /// After debounce.
        var isContact: Bool
        var level: Level
        var at: Instant
    }

    var points: [Point] = []
    /// Some points before these were lost.
    var isGap = false
    /// All levels up to this moment are known.
    var until = Instant.zero
    /// When they may be sent next.
    var next = Instant.zero

    /// Whether there is anything to send.
    var isWorthTelling: Bool { !points.isEmpty }

    /// Some points are missing, so the earlier ones are discarded.
    mutating func loseAll() {
        points.removeAll(keepingCapacity: true)
        isGap = true
    }
}
