import DetentTypes

/// Looks at the line every `sample`, counts up for active and down for inactive, and reports when
/// the count reaches its end.
///
/// Samples are counted from the edge that left the stable level, so nothing is polled while the
/// line is quiet, and nothing depends on when the process woke: between two edges the level is
/// known.
///
///     stable ──edge──▶ counting(next sample, count) ──count at an end──▶ stable, reported if
///     changed
struct IntegratorDebouncer: Equatable, BitwiseCopyable {
    private enum State: Equatable, BitwiseCopyable {
        case stable
        case counting(next: Instant, count: UInt16)
    }

    private var state = State.stable
    private var reported: Level
    private let sample: TimeSpan
    private let samples: UInt16

    init(level: Level, sample: TimeSpan, samples: UInt16) {
        self.reported = level
        self.sample = sample
        self.samples = samples
    }

    /// The moment at which the count reaches an end if the line stays at `level`.
    func deadline(level: Level) -> Instant {
        switch state {
        case .stable:
            return .never
        case .counting(let next, let count):
            let missing = level == .active ? samples &- count : count
            return missing == 0 ? next : next + sample * UInt64(missing &- 1)
        }
    }

    /// Whether the count ends where it began.
    func endsUnseen(level: Level) -> Bool { level == reported }

    mutating func edge(to level: Level, at now: Instant) -> Level? {
        switch state {
        case .stable:
            guard level != reported else { return nil }
            state = .counting(next: now + sample, count: reported == .active ? samples : 0)
        case .counting(let next, let count):
            state = Self.counted(next, count, level.opposite, before: now, sample, samples)
        }
        return nil
    }

    mutating func deadlineReached(level: Level, at now: Instant) -> Level? {
        state = .stable
        guard level != reported else { return nil }
        reported = level
        return level
    }

    /// The samples up to and including `now`, all of which saw `level`; at most `samples` of them,
    /// since at an end the deadline would have fired.
    private static func counted(
        _ first: Instant, _ start: UInt16, _ level: Level, before now: Instant,
        _ sample: TimeSpan, _ samples: UInt16
    ) -> State {
        var next = first
        var count = start
        while next <= now, next != .never {
            switch level {
            case .active: if count < samples { count &+= 1 }
            case .inactive: if count > 0 { count &-= 1 }
            }
            next = next + sample
        }
        return .counting(next: next, count: count)
    }
}
