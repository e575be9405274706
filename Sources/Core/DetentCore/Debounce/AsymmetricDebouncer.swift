import DetentTypes

/// Reports a press at once and locks for `press`; reports a release once the line has been inactive
/// unbroken for `release`, and not before that lock ends.
///
///     up ──active──▶ report press; locked(until)
///     locked ──until──▶ down, or releasing if the line is inactive by then
///     down ──inactive──▶ releasing(until) ──until──▶ report release; up
///                            │ active: down
struct AsymmetricDebouncer: Equatable, BitwiseCopyable {
    private enum State: Equatable, BitwiseCopyable {
        case up
        /// `inactiveSince` is `never` while the line is active.
        case locked(until: Instant, inactiveSince: Instant)
        case down
        case releasing(until: Instant)
    }

    private var state: State
    private let press: TimeSpan
    private let release: TimeSpan

    init(level: Level, press: TimeSpan, release: TimeSpan) {
        self.state = level == .active ? .down : .up
        self.press = press
        self.release = release
    }

    var deadline: Instant {
        switch state {
        case .up, .down: .never
        case .locked(let until, _), .releasing(let until): until
        }
    }

    /// Whether the deadline only ends the lock of a press that is held.
    var endsUnseen: Bool {
        switch state {
        case .up, .down, .locked(_, inactiveSince: .never): true
        case .locked, .releasing: false
        }
    }

    @inline(__always)
    mutating func edge(to level: Level, at now: Instant) -> Level? {
        switch (state, level) {
        case (.up, .active):
            state = .locked(until: now + press, inactiveSince: .never)
            return .active
        case (.locked(let until, _), .active):
            state = .locked(until: until, inactiveSince: .never)
        case (.locked(let until, let since), .inactive):
            state = .locked(until: until, inactiveSince: since == .never ? now : since)
        case (.down, .inactive):
            state = .releasing(until: now + release)
        case (.releasing, .active):
            state = .down
        case (.up, .inactive), (.down, .active), (.releasing, .inactive):
            break  // no change of level: a repaired reading that agrees
        }
        return nil
    }

    mutating func deadlineReached(level: Level, at now: Instant) -> Level? {
        switch state {
        case .locked(_, let inactiveSince):
            guard level == .inactive, inactiveSince != .never else {
                state = .down
                return nil
            }
            let until = inactiveSince + release
            guard until <= now else {
                state = .releasing(until: until)
                return nil
            }
            state = .up
            return .inactive
        case .releasing:
            state = .up
            return .inactive
        case .up, .down:
            return nil  // no deadline in these states
        }
    }
}
