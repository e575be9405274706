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
        /// It was let go, which is still to be told.
        case dropped(until: Instant)
    }

    private var state = State.open
    private let time: TimeSpan

    init(time: TimeSpan) {
        self.time = time
    }

    var deadline: Instant {
        switch state {
        case .open: .never
        case .locked(let until), .refusing(let until), .dropped(let until): until
        }
    }

    /// Whether the deadline only opens it again.
    var endsUnseen: Bool {
        switch state {
        case .open, .locked, .dropped: true
        case .refusing: false
        }
    }

    /// A debounced level; returns it unless it is refused.
    mutating func report(_ level: Level, at now: Instant) -> Level? {
        if time == .zero { return level }
        switch (state, level) {
        case (.open, .active):
            state = .locked(until: now + time)
            return .active
        case (.open, .inactive), (.locked, .inactive), (.dropped, .inactive):
            return .inactive
        case (.locked(let until), .active), (.dropped(let until), .active):
            state = .refusing(until: until)
            return nil
        case (.refusing(let until), .inactive):
            state = .dropped(until: until)
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
        case .open, .locked, .dropped:
            state = .open
            return nil
        }
    }

    /// A press was refused and let go.
    var hasDropped: Bool {
        if case .dropped = state { true } else { false }
    }

    /// The dropped press has been told.
    mutating func tellDropped() {
        if case .dropped(let until) = state { state = .locked(until: until) }
    }
}
