import DetentTypes

/// Reports a level once the line has held it unbroken for `time`.
///
///     stable ──edge──▶ settling(until) ──until──▶ report; stable
///        ▲                  │
///        └────edge back─────┘
struct DeferDebouncer: Equatable, BitwiseCopyable {
    private enum State: Equatable, BitwiseCopyable {
        case stable
        case settling(until: Instant)
    }

    private var state = State.stable
    private var reported: Level
    private let time: TimeSpan

    init(level: Level, time: TimeSpan) {
        self.reported = level
        self.time = time
    }

    var deadline: Instant {
        switch state {
        case .stable: .never
        case .settling(let until): until
        }
    }

    mutating func edge(to level: Level, at now: Instant) -> Level? {
        state = level == reported ? .stable : .settling(until: now + time)
        return nil
    }

    mutating func deadlineReached(level: Level, at now: Instant) -> Level? {
        state = .stable
        guard level != reported else { return nil }
        reported = level
        return level
    }
}
