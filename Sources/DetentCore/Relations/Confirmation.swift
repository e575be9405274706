import DetentTypes

/// The contract of a destructive control, as far as its own contacts keep it.
///
///     hold:        idle ──press──▶ holding ──time, level read closed──▶ fire      release: lapse
///     pressTwice:  idle ──press──▶ armed(until) ──press──▶ fire                   until: lapse
///     arm:         idle ──press──▶ arming ──release──▶ armed(from, until) ──press──▶ fire
///     chord:       idle ──all down──▶ holding ──time, levels read closed──▶ fire  one up: lapse
struct Confirmation: Equatable, BitwiseCopyable {
    /// Progress is told so many times until it is complete.
    static var tenths: UInt8 { 10 }

    private enum State: Equatable, BitwiseCopyable {
        case idle
        case holding(Value, tenth: UInt8, nextTenth: Instant, until: Instant)
        /// The time is over; the levels are being read once more. A bit for each contact whose
        /// level has not come: the own one, then those of a chord.
        case verifying(Value, awaited: UInt32)
        case arming(Value)
        case armed(Value, from: Instant, until: Instant)
    }

    /// What happened at one input.
    struct Step: Equatable, BitwiseCopyable {
        /// The value to fire now.
        var fires: Value?
        var isArmed = false
        /// Percent to tell; nil: nothing new.
        var progress: UInt8?
        /// The level of the contact must be read before it may fire.
        var wantsReading = false
    }

    private var state = State.idle

    var deadline: Instant {
        switch state {
        case .idle, .verifying, .arming: .never
        case .holding(_, _, let nextTenth, let until): min(nextTenth, until)
        case .armed(_, _, let until): until
        }
    }

    /// How far it is, 1 to 10 tenths; 0 where no confirmation is under way.
    var tenth: UInt8 {
        switch state {
        case .idle: 0
        case .holding(_, let tenth, _, _): max(1, tenth)
        case .verifying: Self.tenths
        case .arming, .armed: Self.tenths / 2
        }
    }

    /// What is being confirmed; nil where nothing is.
    var value: Value? {
        switch state {
        case .idle: nil
        case .holding(let value, _, _, _), .verifying(let value, _), .arming(let value),
            .armed(let value, _, _):
            value
        }
    }

    var isVerifying: Bool {
        if case .verifying = state { true } else { false }
    }

    /// A press that asks for `value`.
    mutating func press(
        _ value: Value, _ settings: ConfirmSettings, at now: Instant
    ) -> Step {
        switch settings {
        case .none, .guarded, .chord:
            return Step(fires: value)
        case .hold(let time):
            return hold(value, time, at: now)
        case .pressTwice(let within):
            if case .armed(value, _, _) = state { return fire(value) }
            state = .armed(value, from: now, until: now + within)
            return Step(isArmed: true)
        case .arm:
            if case .armed(value, let from, _) = state {
                return from <= now ? fire(value) : Step()  // too soon after the release
            }
            state = .arming(value)
            return Step()
        }
    }

    mutating func release(_ settings: ConfirmSettings, at now: Instant) -> Step {
        switch (state, settings) {
        case (.holding, .hold), (.verifying, .hold):
            return lapse()
        case (.arming(let value), .arm(let time)):
            let pause = TimeSpan(nanoseconds: time.nanoseconds >> 1)
            state = .armed(
                value, from: now + min(ConfirmSettings.armingPause, pause), until: now + time)
            return Step(isArmed: true)
        case (_, _):
            return Step()  // a release means nothing to the others
        }
    }

    /// All buttons of a chord are down, which asks for `value`.
    mutating func chord(_ value: Value, _ time: TimeSpan, at now: Instant) -> Step {
        time == .zero ? Step(fires: value) : hold(value, time, at: now)
    }

    /// The levels of these contacts are being read; none where nothing can be read.
    mutating func await(_ contacts: UInt32) -> Step {
        guard case .verifying(let value, _) = state else { return Step() }
        if contacts == 0 { return fire(value) }
        state = .verifying(value, awaited: contacts)
        return Step()
    }

    /// The level of a contact was read again.
    mutating func levelRead(_ level: Level, of contact: UInt32 = 1) -> Step {
        guard case .verifying(let value, let awaited) = state, awaited & contact != 0 else {
            return Step()
        }
        guard level == .active else { return lapse() }
        let rest = awaited & ~contact
        if rest == 0 { return fire(value) }
        state = .verifying(value, awaited: rest)
        return Step()
    }

    mutating func deadlineReached(_ settings: ConfirmSettings, at now: Instant) -> Step {
        switch state {
        case .holding(let value, _, _, let until) where until <= now:
            state = .verifying(value, awaited: 1)
            return Step(wantsReading: true)
        case .holding(let value, let tenth, let nextTenth, let until) where nextTenth <= now:
            let next = tenth &+ 1
            let isLast = next &+ 1 >= Self.tenths  // the end itself is told by what fires
            state = .holding(
                value, tenth: next,
                nextTenth: isLast ? .never : nextTenth + Self.tenthOf(settings), until: until)
            return Step(progress: next &* 10)
        case .armed(_, _, let until) where until <= now:
            return lapse()
        case .idle, .holding, .verifying, .arming, .armed:
            return Step()  // not due
        }
    }

    /// It is given up: a button was let go, the control was disabled, or the menu moved on.
    mutating func abandon() -> Step {
        state == .idle ? Step() : lapse()
    }

    private mutating func hold(_ value: Value, _ time: TimeSpan, at now: Instant) -> Step {
        let tenth = Self.tenth(of: time)
        state = .holding(value, tenth: 0, nextTenth: now + tenth, until: now + time)
        return Step()
    }

    private mutating func fire(_ value: Value) -> Step {
        state = .idle
        return Step(fires: value, progress: 100)
    }

    private mutating func lapse() -> Step {
        state = .idle
        return Step(progress: 0)
    }

    private static func tenthOf(_ settings: ConfirmSettings) -> TimeSpan {
        switch settings {
        case .hold(let time), .chord(let time): tenth(of: time)
        case .none, .pressTwice, .arm, .guarded: TimeSpan(nanoseconds: .max)
        }
    }

    /// A tenth, as 102/1024: 64-bit division needs a library on small processors.
    private static func tenth(of time: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: max(1, (time.nanoseconds >> 10) &* 102))
    }
}
