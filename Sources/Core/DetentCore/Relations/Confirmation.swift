import DetentTypes

/// The confirmation of a destructive control by its own contacts.
///
///     hold:        idle ──press──▶ holding ──time, level read closed──▶ fire      release: lapse
///     pressTwice:  idle ──press──▶ armed(from, until) ──press──▶ fire             until: lapse
///     arm:         idle ──press──▶ arming ──release──▶ armed(from, until) ──press──▶ fire
///     chord:       idle ──all down──▶ holding ──time, levels read closed──▶ fire  one up: lapse
struct Confirmation: Equatable, BitwiseCopyable {
    /// How often progress is reported until it is complete.
    static var tenths: UInt8 { 10 }

    /// What is held down, and so what a release means.
    private enum Holder: Equatable, BitwiseCopyable {
        case press
        case chord
    }

    private enum State: Equatable, BitwiseCopyable {
        case idle
        /// `every` is a tenth of the time.
        case holding(
            Value, by: Holder, tenth: UInt8, every: TimeSpan, nextTenth: Instant, until: Instant)
        /// The time is over; the levels are being read once more. A bit for each contact whose
        /// level has not come: the own one, then those of a chord.
        case verifying(Value, by: Holder, awaited: UInt32)
        /// Armed for this time when the button is released.
        case arming(Value, time: TimeSpan)
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
        case .holding(_, _, _, _, let nextTenth, let until): min(nextTenth, until)
        case .armed(_, _, let until): until
        }
    }

    /// How far it is, 1 to 10 tenths; 0 where no confirmation is under way.
    var tenth: UInt8 {
        switch state {
        case .idle: 0
        case .holding(_, _, let tenth, _, _, _): max(1, tenth)
        case .verifying: Self.tenths
        case .arming, .armed: Self.tenths / 2
        }
    }

    /// What is being confirmed; nil where nothing is.
    var value: Value? {
        switch state {
        case .idle: nil
        case .holding(let value, _, _, _, _, _), .verifying(let value, _, _),
            .arming(let value, _), .armed(let value, _, _):
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
            return hold(value, time, by: .press, at: now)
        case .pressTwice(let within):
            if case .armed(value, let from, _) = state { return answer(value, from, at: now) }
            return arm(value, for: within, at: now)
        case .arm(let time):
            if case .armed(value, let from, _) = state { return answer(value, from, at: now) }
            state = .arming(value, time: time)
            return Step()
        }
    }

    /// A press while the control is armed. Too soon, its question was not seen.
    private mutating func answer(_ value: Value, _ from: Instant, at now: Instant) -> Step {
        from <= now ? fire(value) : Step()
    }

    private mutating func arm(_ value: Value, for time: TimeSpan, at now: Instant) -> Step {
        state = .armed(value, from: now + ConfirmSettings.armingPause, until: now + time)
        return Step(isArmed: true)
    }

    mutating func release(at now: Instant) -> Step {
        switch state {
        case .holding(_, .press, _, _, _, _), .verifying(_, .press, _):
            return lapse()
        case .arming(let value, let time):
            return arm(value, for: time, at: now)
        case .idle, .armed:
            return Step()  // nothing is held
        case .holding(_, .chord, _, _, _, _), .verifying(_, .chord, _):
            return Step()  // the engine abandons a chord when one of its buttons is up
        }
    }

    /// All buttons of a chord are down, which asks for `value`.
    mutating func chord(_ value: Value, _ time: TimeSpan, at now: Instant) -> Step {
        time == .zero ? Step(fires: value) : hold(value, time, by: .chord, at: now)
    }

    /// The levels of these contacts are being read; none where nothing can be read.
    mutating func await(_ contacts: UInt32) -> Step {
        guard case .verifying(let value, let holder, _) = state else { return Step() }
        if contacts == 0 { return fire(value) }
        state = .verifying(value, by: holder, awaited: contacts)
        return Step()
    }

    /// The level of a contact was read again.
    mutating func levelRead(_ level: Level, of contact: UInt32 = 1) -> Step {
        guard case .verifying(let value, let holder, let awaited) = state,
            awaited & contact != 0
        else { return Step() }
        guard level == .active else { return lapse() }
        let rest = awaited & ~contact
        if rest == 0 { return fire(value) }
        state = .verifying(value, by: holder, awaited: rest)
        return Step()
    }

    mutating func deadlineReached(at now: Instant) -> Step {
        switch state {
        case .holding(let value, let holder, _, _, _, let until) where until <= now:
            state = .verifying(value, by: holder, awaited: 1)
            return Step(wantsReading: true)
        case .holding(let value, let holder, let tenth, let every, let nextTenth, let until)
        where nextTenth <= now:
            let next = tenth &+ 1
            let isLast = next &+ 1 >= Self.tenths  // the end itself is told by what fires
            state = .holding(
                value, by: holder, tenth: next, every: every,
                nextTenth: isLast ? .never : nextTenth + every, until: until)
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

    private mutating func hold(
        _ value: Value, _ time: TimeSpan, by holder: Holder, at now: Instant
    ) -> Step {
        let every = Self.tenth(of: time)
        state = .holding(
            value, by: holder, tenth: 0, every: every, nextTenth: now + every, until: now + time)
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

    /// A tenth, as 102/1024: 64-bit division needs a library on small processors.
    private static func tenth(of time: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: max(1, (time.nanoseconds >> 10) &* 102))
    }
}
