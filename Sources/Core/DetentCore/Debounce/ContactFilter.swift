import DetentTypes

/// From the edges of a line to the level of its contact: glitch filter, algorithm, lockout.
///
/// The engine calls `deadlineReached` exactly at `deadline`, before it hands over anything later.
/// A time whose end changes nothing that can be seen, such as that of an eager debouncer whose line
/// is at the reported level, has no deadline: the next input after it ends it. So a clean edge
/// costs one wake-up and not two.
struct ContactFilter: Equatable, BitwiseCopyable {
    /// The line's level, as the last edge or reading told it.
    private(set) var raw: Level
    /// The level behind the glitch filter.
    private var filtered: Level
    private var glitch: GlitchFilter
    private var debouncer: Debouncer
    private var lockout: Lockout
    /// The deadline of all behind the glitch filter, kept because most edges end in that filter.
    private var deadlineBehindGlitch = Instant.never
    /// When the time of the algorithm and that of the lockout end unseen; zero if they do not.
    private var debouncerEnd = Instant.zero
    private var lockoutEnd = Instant.zero

    init(_ settings: DebounceSettings, level: Level) {
        raw = level
        filtered = level
        glitch = GlitchFilter(width: settings.glitch)
        debouncer = Debouncer(settings.algorithm, level: level)
        lockout = Lockout(time: settings.lockout)
    }

    /// The lockout has dropped a press, which is still to be told.
    var hasDropped: Bool { lockout.hasDropped }

    /// It has been told.
    mutating func tellDropped() { lockout.tellDropped() }

    /// When `deadlineReached` is due; `never` if only an edge changes anything that can be seen.
    var deadline: Instant { min(glitch.deadline, deadlineBehindGlitch) }

    /// When no time runs any more, if `deadline` is `never`.
    var restsAt: Instant { max(debouncerEnd, lockoutEnd) }

    /// The line has changed to the opposite of `raw`; returns the contact's new level, if it has
    /// one.
    @inline(__always)
    mutating func edge(at now: Instant) -> Level? {
        raw = raw.opposite
        guard glitch.edge(at: now) else { return nil }
        return pass(at: now)
    }

    /// Does the one thing that is due. At one instant the later stage comes first: each stage fires
    /// its deadline before it sees an edge of that instant, whether or not a stage before it delays
    /// edges.
    @inline(__always)
    mutating func deadlineReached(at now: Instant) -> Level? {
        if deadlineBehindGlitch <= now { return deadlineBehindGlitchReached(at: now) }
        guard glitch.deadline <= now else { return nil }
        glitch.deadlineReached()
        return pass(at: now)
    }

    @inline(never)
    private mutating func deadlineBehindGlitchReached(at now: Instant) -> Level? {
        endUnseen(at: now)
        var level: Level?
        if lockout.deadline <= now {
            level = lockout.deadlineReached(at: now)
        } else if let found = debouncer.deadlineReached(level: filtered, at: now) {
            level = lockout.report(found, at: now)
        }
        updateDeadlines(debouncer.wait(level: filtered))
        return level
    }

    /// Ends the times that are over and whose end changes nothing that can be seen.
    @inline(__always)
    private mutating func endUnseen(at now: Instant) {
        if lockoutEnd != .zero, lockoutEnd <= now { _ = lockout.deadlineReached(at: now) }
        if debouncerEnd != .zero, debouncerEnd <= now {
            _ = debouncer.deadlineReached(level: filtered, at: now)
        }
    }

    // Inlined: 10 instructions an edge (Benchmarks/run).
    @inline(__always)
    private mutating func updateDeadlines(_ wait: DebounceWait) {
        switch wait {
        case .nothing:
            deadlineBehindGlitch = .never
            debouncerEnd = .zero
        case .unseen(let end):
            deadlineBehindGlitch = .never
            debouncerEnd = end
        case .seen(let end):
            deadlineBehindGlitch = end
            debouncerEnd = .zero
        }
        lockoutEnd = .zero
        let lockoutDeadline = lockout.deadline
        guard lockoutDeadline != .never else { return }
        if lockout.endsUnseen {
            lockoutEnd = lockoutDeadline
        } else {
            deadlineBehindGlitch = min(deadlineBehindGlitch, lockoutDeadline)
        }
    }

    @inline(never)
    private mutating func pass(at now: Instant) -> Level? {
        endUnseen(at: now)
        filtered = raw
        let (found, wait) = debouncer.edge(to: raw, at: now)
        var level: Level?
        if let found { level = lockout.report(found, at: now) }
        updateDeadlines(wait)
        return level
    }
}
