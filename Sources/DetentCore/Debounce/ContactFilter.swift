import DetentTypes

/// From the edges of a line to the level of its contact: glitch filter, algorithm, lockout.
///
/// The engine calls `deadlineReached` exactly at `deadline`, before it hands over anything later.
struct ContactFilter: Equatable, BitwiseCopyable {
    /// The line's level, as the last edge or reading told it.
    private(set) var raw: Level
    /// The level behind the glitch filter.
    private var filtered: Level
    private var glitch: GlitchFilter
    private var debouncer: Debouncer
    private var lockout: Lockout

    init(_ settings: DebounceSettings, level: Level) {
        raw = level
        filtered = level
        glitch = GlitchFilter(width: settings.glitch)
        debouncer = Debouncer(settings.algorithm, level: level)
        lockout = Lockout(time: settings.lockout)
    }

    var deadline: Instant {
        min(min(glitch.deadline, debouncer.deadline(level: filtered)), lockout.deadline)
    }

    /// The line has changed to the opposite of `raw`; returns the contact's new level, if it has
    /// one.
    mutating func edge(at now: Instant) -> Level? {
        raw = raw.opposite
        guard glitch.edge(at: now) else { return nil }
        return pass(at: now)
    }

    /// Does the one thing that is due. At one instant the later stage comes first: each stage fires
    /// its deadline before it sees an edge of that instant, whether or not a stage before it delays
    /// edges.
    mutating func deadlineReached(at now: Instant) -> Level? {
        if lockout.deadline <= now {
            return lockout.deadlineReached(at: now)
        }
        if debouncer.deadline(level: filtered) <= now {
            guard let level = debouncer.deadlineReached(level: filtered, at: now) else {
                return nil
            }
            return lockout.report(level, at: now)
        }
        if glitch.deadline <= now {
            glitch.deadlineReached()
            return pass(at: now)
        }
        return nil
    }

    private mutating func pass(at now: Instant) -> Level? {
        filtered = raw
        guard let level = debouncer.edge(to: filtered, at: now) else { return nil }
        return lockout.report(level, at: now)
    }
}
