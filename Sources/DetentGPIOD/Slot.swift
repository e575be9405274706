internal import DetentHAL
internal import DetentTypes

/// A line as the backend keeps it.
struct Slot {
    var settings: LineSettings
    /// The request that has the line; nil while it cannot be had.
    var group: LineGroup?
    /// Place of the line in its request.
    var place = 0
    /// Every access goes through the slow lane.
    var isSlow = false
    /// The line was had but its bus fails; it is tried again.
    var isFaulty = false
    /// An error at the start that no waiting mends.
    var isHopeless = false
    /// Outputs: the level that is wanted. Polled inputs: the level seen last.
    var level: Level

    var line: LineID { settings.line }
    /// Whether the line is worth trying again.
    var isMissing: Bool { group == nil && !isHopeless }

    init(_ settings: LineSettings) {
        self.settings = settings
        level = settings.initialLevel
    }
}

/// Lines of one request that are read together at intervals.
struct PollSet {
    var group: LineGroup
    /// Places in the request.
    var mask: UInt64
    var period: TimeSpan
    var next: Instant
}
