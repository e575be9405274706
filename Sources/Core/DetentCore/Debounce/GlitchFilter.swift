import DetentTypes

/// Drops pulses shorter than `width`; an edge that stays is taken at edge + width.
///
///     steady ──edge──▶ pending(until) ──until reached──▶ steady, edge taken
///       ▲                  │
///       └────edge back─────┘  the pulse never was
struct GlitchFilter: Equatable, BitwiseCopyable {
    private enum State: Equatable, BitwiseCopyable {
        case steady
        case pending(until: Instant)
    }

    private var state = State.steady
    let width: TimeSpan

    init(width: TimeSpan) {
        self.width = width
    }

    var deadline: Instant {
        switch state {
        case .steady: .never
        case .pending(let until): until
        }
    }

    /// An edge of the raw line; true where it passes at once.
    mutating func edge(at now: Instant) -> Bool {
        if width == .zero { return true }
        switch state {
        case .steady: state = .pending(until: now + width)
        case .pending: state = .steady
        }
        return false
    }

    /// The pending edge has lasted: it passes.
    mutating func deadlineReached() {
        state = .steady
    }
}
