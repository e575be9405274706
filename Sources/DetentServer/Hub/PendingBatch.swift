import DetentCore
import DetentTypes

/// What listeners have still to be told at the next opportunity.
struct PendingBatch {
    /// Controls whose state changed.
    var states: Set<ControlID> = []
    /// The clock changed.
    var clock = false
    /// Faults, bounce, actions or the record changed.
    var simulation = false
    /// The number of the last event that went out.
    var sent: UInt64 = 0

    /// Whether nothing but events may wait.
    var isEmpty: Bool { states.isEmpty && !clock && !simulation }

    /// Forgets all up to an event.
    mutating func clear(upTo number: UInt64) {
        states.removeAll(keepingCapacity: true)
        clock = false
        simulation = false
        sent = number
    }
}

/// Levels of traced lines that have still to be told.
struct PendingWaves {
    struct Point: Equatable {
        var line: LineID
        /// After debounce.
        var isContact: Bool
        var level: Level
        var at: Instant
    }

    var points: [Point] = []
    /// Some were lost before these.
    var isGap = false
    /// Up to here everything is known.
    var until = Instant.zero
    /// When they may go out next.
    var next = Instant.zero

    /// Whether there is anything to tell.
    var isWorthTelling: Bool { !points.isEmpty }

    /// Some points are missing, so those before are worth nothing.
    mutating func loseAll() {
        points.removeAll(keepingCapacity: true)
        isGap = true
    }
}
