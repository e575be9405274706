import DetentTypes

/// Press, release, click, double and multi click, hold and repeat of one momentary contact.
///
///     up ──press──▶ down ──release──▶ up, or between(until) if another click may follow
///     between ──press──▶ down            between ──until──▶ up: the clicks so far are told
///     down ──hold time──▶ the level is read ──still closed──▶ held
///     heldAtStart ──release──▶ up: a button held at start is no press
struct ButtonDecoder: Equatable, BitwiseCopyable {
    private enum Hold: Equatable, BitwiseCopyable {
        case none
        case waiting(until: Instant)
        /// The level is being read once more.
        case verifying
        case told
    }

    private enum State: Equatable, BitwiseCopyable {
        case up
        case down(since: Instant, clicks: UInt8, hold: Hold, nextRepeat: Instant)
        case between(until: Instant, clicks: UInt8)
        case heldAtStart
    }

    private var state = State.up

    var deadline: Instant {
        switch state {
        case .up, .heldAtStart: .never
        case .between(let until, _): until
        case .down(_, _, .waiting(let until), let nextRepeat): min(until, nextRepeat)
        case .down(_, _, .none, let nextRepeat), .down(_, _, .verifying, let nextRepeat),
            .down(_, _, .told, let nextRepeat):
            nextRepeat
        }
    }

    /// A press was told whose release has not come.
    var isDown: Bool {
        if case .down = state { true } else { false }
    }

    mutating func start(_ level: Level) {
        state = level == .active ? .heldAtStart : .up
    }

    /// The contact is back after a fault: no press and no click is made up, but a press that was
    /// told has its release told, now or when it comes.
    mutating func restart(_ level: Level) -> DecoderOutput {
        switch (state, level) {
        case (.down(let since, _, _, _), .active):
            state = .down(since: since, clicks: 0, hold: .told, nextRepeat: .never)
            return .nothing
        case (.down, .inactive):
            state = .up
            return DecoderOutput(gestures: .released)
        case (.up, .active), (.between, .active), (.heldAtStart, .active):
            state = .heldAtStart
            return .nothing
        case (.up, .inactive), (.between, .inactive), (.heldAtStart, .inactive):
            state = .up
            return .nothing
        }
    }

    // Inlined: a call would copy all times (Benchmarks/run).
    @inline(__always)
    mutating func contact(
        _ level: Level, at now: Instant, _ settings: ButtonSettings
    ) -> DecoderOutput {
        switch (state, level) {
        case (.up, .active):
            return press(clicks: 0, at: now, settings)
        case (.between(_, let clicks), .active):
            return press(clicks: clicks, at: now, settings)
        case (.down(let since, let clicks, let hold, _), .inactive):
            return release(since: since, clicks: clicks, hold: hold, at: now, settings)
        case (.heldAtStart, .inactive):
            state = .up
            return .nothing
        case (.up, .inactive), (.between, .inactive), (.down, .active), (.heldAtStart, .active):
            return .nothing  // contacts alternate; a repaired reading may agree
        }
    }

    /// The level was read: a hold that waited for it is told if the contact is still closed.
    mutating func levelRead(_ level: Level, _ settings: ButtonSettings) -> DecoderOutput {
        guard case .down(let since, let clicks, .verifying, let nextRepeat) = state,
            level == .active
        else { return .nothing }
        state = .down(since: since, clicks: 0, hold: .told, nextRepeat: nextRepeat)
        var decoded = Self.told(clicks: clicks, isPostponed: settings.isClickPostponed)
        decoded.gestures.insert(.held)
        decoded.settle(clicks, settings)
        return decoded
    }

    mutating func deadlineReached(at now: Instant, _ settings: ButtonSettings) -> DecoderOutput {
        switch state {
        case .between(_, let clicks):
            state = .up
            var decoded = Self.told(clicks: clicks, isPostponed: settings.isClickPostponed)
            decoded.settle(clicks, settings)
            return decoded
        case .down(let since, let clicks, .waiting(let until), let nextRepeat) where until <= now:
            state = .down(since: since, clicks: clicks, hold: .verifying, nextRepeat: nextRepeat)
            return DecoderOutput(gestures: .verify)
        case .down(let since, let clicks, let hold, let nextRepeat) where nextRepeat <= now:
            let next = settings.repeatEvery == .zero ? Instant.never : now + settings.repeatEvery
            state = .down(since: since, clicks: clicks, hold: hold, nextRepeat: next)
            return DecoderOutput(gestures: .repeated)
        case .down, .up, .heldAtStart:
            return .nothing  // not due
        }
    }

    /// Leaves out the repetitions that are more than the bound behind `clock`, and goes on from
    /// there.
    mutating func boundRepetitions(
        at now: Instant, clock: Instant, _ settings: ButtonSettings
    ) {
        guard case .down(let since, let clicks, let hold, let next) = state, next <= clock else {
            return
        }
        let bound = settings.repeatEvery * UInt64(EngineLimits.repetitionsBehind)
        guard clock - now > bound else { return }
        let resumed = Instant(nanoseconds: clock.nanoseconds &- bound.nanoseconds)
        state = .down(since: since, clicks: clicks, hold: hold, nextRepeat: resumed)
    }

    private mutating func press(
        clicks: UInt8, at now: Instant, _ settings: ButtonSettings
    ) -> DecoderOutput {
        state = .down(
            since: now, clicks: clicks,
            hold: settings.hold == .zero ? .none : .waiting(until: now + settings.hold),
            nextRepeat: settings.repeatAfter == .zero ? .never : now + settings.repeatAfter)
        return DecoderOutput(gestures: .pressed)
    }

    private mutating func release(
        since: Instant, clicks before: UInt8, hold: Hold, at now: Instant,
        _ settings: ButtonSettings
    ) -> DecoderOutput {
        state = .up
        guard hold != .told, now - since <= settings.clickWithin else {
            var decoded = Self.told(clicks: before, isPostponed: settings.isClickPostponed)
            decoded.gestures.insert(.released)
            // Too long for a click and too short for a hold, it is a press still.
            if hold != .told { decoded.settle(before &+ 1, settings) }
            return decoded
        }
        let clicks = before == .max ? before : before &+ 1
        if settings.multiClickGap == .zero {
            var decoded = DecoderOutput(gestures: [.released, .clicked])
            decoded.settle(1, settings)
            return decoded
        }
        if clicks >= settings.multiClickCount {
            var decoded = Self.told(clicks: clicks)
            decoded.gestures.formUnion(
                settings.isClickPostponed ? .released : [.released, .clicked])
            return decoded
        }
        state = .between(until: now + settings.multiClickGap, clicks: clicks)
        return DecoderOutput(
            gestures: settings.isClickPostponed ? .released : [.released, .clicked])
    }

    /// What a finished series of clicks is: nothing more if a single click was told at once.
    private static func told(clicks: UInt8, isPostponed: Bool = false) -> DecoderOutput {
        if clicks >= 2 { return DecoderOutput(gestures: .multiClicked, clicks: clicks) }
        return clicks == 1 && isPostponed ? DecoderOutput(gestures: .clicked) : .nothing
    }
}
