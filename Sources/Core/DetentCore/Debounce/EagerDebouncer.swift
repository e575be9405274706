import DetentTypes

/// Reports a change at once, then ignores the line until it is quiet, then corrects the level.
///
///     open ──edge──▶ report; ignoring(until)
///      ▲               │  ▲ edge: until moves (window restart)
///      └──until────────┘  a level that differs by then is reported
struct EagerDebouncer: Equatable, BitwiseCopyable {
    private enum State: Equatable, BitwiseCopyable {
        case open
        case ignoring(until: Instant)
    }

    private var state = State.open
    private var reported: Level
    private let time: TimeSpan
    private let window: DebounceSettings.EagerWindow

    init(level: Level, time: TimeSpan, window: DebounceSettings.EagerWindow) {
        self.reported = level
        self.time = time
        self.window = window
    }

    var deadline: Instant {
        switch state {
        case .open: .never
        case .ignoring(let until): until
        }
    }

    /// Whether the deadline only opens it again.
    func endsUnseen(level: Level) -> Bool { level == reported }

    @inline(__always)
    mutating func edge(to level: Level, at now: Instant) -> Level? {
        switch (state, window) {
        case (.open, _):
            guard level != reported else { return nil }
            reported = level
            state = .ignoring(until: now + time)
            return level
        case (.ignoring, .restart):
            state = .ignoring(until: now + time)
            return nil
        case (.ignoring, .fixed):
            return nil
        }
    }

    mutating func deadlineReached(level: Level, at now: Instant) -> Level? {
        guard level != reported else {
            state = .open
            return nil
        }
        reported = level
        switch window {
        case .restart: state = .open  // the line has just been quiet for the whole time
        case .fixed: state = .ignoring(until: now + time)
        }
        return level
    }
}
