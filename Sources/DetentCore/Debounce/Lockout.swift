import DetentTypes

/// Refuses presses within `time` of the last accepted one; never refuses a release.
///
/// A press that was refused and is still held when the lockout ends is accepted then, so that the
/// final level is always told.
struct Lockout: Equatable, BitwiseCopyable {
    private enum State: Equatable, BitwiseCopyable {
        case open
        case locked(until: Instant)
        /// A press was refused and is held.
        case refusing(until: Instant)
    }

    private var state = State.open
    private let time: TimeSpan
    /// Presses that were refused and let go before the lockout ended, since the start.
    private(set) var dropped: UInt32 = 0

    init(time: TimeSpan) {
        self.time = time
    }

    var deadline: Instant {
        switch state {
        case .open: .never
        case .locked(let until), .refusing(let until): until
        }
    }

    /// A debounced level; returns it unless it is refused.
    mutating func report(_ level: Level, at now: Instant) -> Level? {
        if time == .zero { return level }
        switch (state, level) {
        case (.open, .active):
            state = .locked(until: now + time)
            return .active
        case (.open, .inactive), (.locked, .inactive):
            return .inactive
        case (.locked(let until), .active):
            state = .refusing(until: until)
            return nil
        case (.refusing(let until), .inactive):
            state = .locked(until: until)
            dropped &+= 1
            return nil
        case (.refusing, .active):
            return nil  // cannot be: debounced levels alternate
        }
    }

    mutating func deadlineReached(at now: Instant) -> Level? {
        switch state {
        case .refusing:
            state = .locked(until: now + time)
            return .active
        case .open, .locked:
            state = .open
            return nil
        }
    }
}
