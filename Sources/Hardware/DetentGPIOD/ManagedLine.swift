internal import DetentHAL
internal import DetentTypes

/// The backend's state of one line.
struct ManagedLine {
    var settings: LineSettings
    /// The request of the line; nil while it could not be requested.
    var group: LineGroup?
    /// The index of the line in its request.
    var place = 0
    /// Every access goes through the worker thread.
    var isSlow = false
    /// The line was requested but its bus fails; it is retried.
    var isFaulty = false
    /// An error at the start that waiting does not cure.
    var isUnrecoverable = false
    /// Outputs: the requested level. Polled inputs: the last level.
    var level: Level

    var line: LineID { settings.line }
    /// Whether the line should be retried.
    var isMissing: Bool { group == nil && !isUnrecoverable }

    init(_ settings: LineSettings) {
        self.settings = settings
        level = settings.initialLevel
    }
}

/// Lines of one request that are read together at intervals.
struct PolledLines {
    var group: LineGroup
    /// Indices in the request.
    var mask: UInt64
    var period: TimeSpan
    var next: Instant
}
