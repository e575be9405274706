import DetentTypes

/// Follows the last accepted intent until the device confirms it: the state model of every control.
///
/// `desired` is shown at once. One attempt is in flight at a time; when it ends and `desired`
/// differs from `actual`, the attempt for `desired` starts: the last intent wins, however many
/// came. Nothing but an outcome or a declared timeout ends an attempt.
///
///     idle ──intent──▶ running ──succeeded──▶ idle, or running for a newer intent
///                       │  ▲ failed, retries left: backingOff(until)
///                       ├──failed──▶ idle and shown as failed; desired returns to confirmed
///                       │  (revert)
///                       └──nobody knows──▶ asking ──answer──▶ idle, or as after a failure
///
/// Where outputs take over from one another, a value is confirmed when its output was really
/// written: `switching` waits for that, after the action if there is one.
///
/// Where the device can be asked, it is asked before anything is made of an uncertain outcome. An
/// intent that comes meanwhile waits for the answer, which may already confirm it.
struct Pursuit: Equatable, BitwiseCopyable {
    struct Attempt: Equatable, BitwiseCopyable {
        var run: RunID
        var action: ActionID
        var value: Value
        var timeoutAt: Instant
        var retriesLeft: UInt8
        /// The last that the device told by itself meanwhile was this value.
        var isTold = false
        /// Some of its steps are done: what the device does now is unknown.
        var isPartlyDone = false
        var backoff: TimeSpan
    }

    enum Activity: Equatable, BitwiseCopyable {
        case idle
        /// `next`: events that came while in flight; each runs once more.
        case running(Attempt, next: WaitingEvents)
        case backingOff(Attempt, until: Instant)
        /// The device is asked for its value. `about` is the attempt of which nobody knows how it
        /// ended and why, with the run and the timeout of the question; at start-up there was none,
        /// and its value is unknown.
        case asking(about: Attempt, Reason)
        /// All is done for this value but its outputs, which are on their way.
        case switching(Value)
    }

    enum Display: Equatable, BitwiseCopyable {
        case idle
        case pending(loadingAt: Instant)
        case loading
        /// The last attempt failed, for this reason.
        case failed(until: Instant, Reason)
    }

    /// What happened at one input, for the engine to tell in the contract's order.
    struct Moves: BitwiseCopyable {
        var changed = false
        var phaseChanged = false
        var confirmed = false
        var refused = false
        var reason = Reason.none
        /// The attempt to begin.
        var started: Attempt?
        /// The attempt to stop.
        var cancelled: Attempt?

        /// What to say to the request that these moves come from.
        var answer: Answer { refused ? .refused(.busy) : .accepted }
    }

    /// The last accepted intent: the shown value.
    var desired: Value
    /// The last value that was confirmed, or unknown.
    var actual: Value = .unknown
    /// The last value that was ever confirmed, also after `actual` became unknown.
    var confirmed: Value = .unknown
    var activity = Activity.idle
    var display = Display.idle
    private(set) var acceptedAt = Instant.zero
    /// What `startup` gave: where a failure leads back to before anything was confirmed.
    var initial: Value
    /// Who asked for `desired`.
    var origin = Origin.startup

    init(initial: Value) {
        desired = initial
        self.initial = initial
    }

    var phase: Phase {
        switch display {
        case .idle: .idle
        case .pending: .pending
        case .loading: .loading
        case .failed: .failed
        }
    }

    /// Why the phase is `failed`; none in every other phase.
    var failure: Reason {
        switch display {
        case .failed(_, let reason): reason
        case .idle, .pending, .loading: .none
        }
    }

    /// The device is known to have another value than the shown one, and nothing is under way that
    /// would change that.
    var isAmiss: Bool {
        guard desired != actual, actual != .unknown, activity == .idle else { return false }
        switch display {
        case .idle, .failed: return true
        case .pending, .loading: return false
        }
    }

    /// The value of the attempt that is in flight or will be tried again.
    var attemptValue: Value? {
        switch activity {
        case .idle: nil
        case .running(let attempt, _), .backingOff(let attempt, _), .asking(let attempt, _):
            attempt.value
        case .switching(let value): value
        }
    }

    var deadline: Instant {
        let attempt: Instant =
            switch activity {
            case .idle, .switching: .never
            case .running(let attempt, _), .asking(let attempt, _): attempt.timeoutAt
            case .backingOff(_, let until): until
            }
        switch display {
        case .idle, .loading: return attempt
        case .pending(let until), .failed(let until, _): return min(attempt, until)
        }
    }

    /// Sets the value at start without running anything; `isConfirmed` where no action could
    /// confirm it.
    mutating func start(_ value: Value, isConfirmed: Bool) {
        desired = value
        guard isConfirmed else { return }
        actual = value
        confirmed = value
    }

    /// An intent: show it at once, and make it true. One that is forced waits even where others
    /// are ignored.
    mutating func accept(
        _ value: Value, _ origin: Origin, at now: Instant, _ actions: ActionLookup,
        _ lastRun: inout UInt32, isForced: Bool = false
    ) -> Moves {
        var moves = Moves()
        if case .running(let attempt, _) = activity, value != attempt.value, !isForced,
            actions.rules(of: attempt.action).supersede == .ignore
        {
            moves.refused = true
            return moves
        }
        moves.changed = value != desired
        desired = value
        self.origin = origin
        acceptedAt = now
        switch activity {
        case .running(let attempt, _):
            touch(actions.rules(of: attempt.action), at: now, &moves)
            guard actions.rules(of: attempt.action).supersede == .cancel, value != attempt.value
            else { break }
            moves.cancelled = attempt
            actual = .unknown
            begin(value, at: now, actions, &lastRun, &moves)
        case .idle, .backingOff, .switching:
            if value == actual, actions.areOutputsLate {
                switchOutputs(to: value, actions, &moves)
            } else if value == actual {
                activity = .idle
                show(.idle, &moves)
                moves.confirmed = moves.changed
            } else {
                begin(value, at: now, actions, &lastRun, &moves)
            }
        case .asking(let about, _):
            waitForAnswer(value, about, at: now, actions, &lastRun, &moves)
        }
        return moves
    }

    /// An event of a control without state: run the action of `value`, once more if one is in
    /// flight.
    mutating func fire(
        _ value: Value, _ origin: Origin, at now: Instant, _ actions: ActionLookup,
        _ lastRun: inout UInt32
    ) -> Moves {
        var moves = Moves()
        if case .running(let attempt, var next) = activity {
            switch actions.rules(of: attempt.action).supersede {
            case .ignore:
                moves.refused = true
                return moves
            case .wait:
                moves.refused = !next.append(value, origin)
                activity = .running(attempt, next: next)
                return moves
            case .cancel:
                moves.cancelled = attempt
            }
        }
        acceptedAt = now
        self.origin = origin
        begin(value, at: now, actions, &lastRun, &moves)
        return moves
    }

    /// Somebody touches the control without asking for anything yet: a failure has been seen.
    mutating func touched() -> Moves {
        var moves = Moves()
        if case .failed = display, activity == .idle { show(.idle, &moves) }
        return moves
    }

    /// Takes over what other controls say, for a control that only sums them up.
    mutating func mirror(_ sum: Aggregate) -> Moves {
        var moves = Moves()
        moves.changed = sum.desired != desired
        moves.confirmed = sum.actual != actual && sum.actual != .unknown
        desired = sum.desired
        actual = sum.actual
        if actual != .unknown { confirmed = actual }
        guard sum.phase != phase else { return moves }
        moves.reason = sum.reason
        switch sum.phase {
        case .idle: show(.idle, &moves)
        case .pending: show(.pending(loadingAt: .never), &moves)
        case .loading: show(.loading, &moves)
        case .failed: show(.failed(until: .never, sum.reason), &moves)
        }
        return moves
    }

    /// An attempt has left its queue: its timeout counts from here.
    mutating func attemptStarted(_ run: RunID, at now: Instant, _ actions: ActionLookup) {
        switch activity {
        case .running(var attempt, let next) where attempt.run == run:
            guard let timeout = actions.rules(of: attempt.action).timeout else { return }
            attempt.timeoutAt = now + timeout
            activity = .running(attempt, next: next)
        case .asking(var about, let reason) where about.run == run:
            guard let query = actions.query, let timeout = actions.rules(of: query).timeout
            else { return }
            about.timeoutAt = now + timeout
            activity = .asking(about: about, reason)
        case .idle, .running, .backingOff, .asking, .switching:
            return  // given up before
        }
    }

    /// An attempt that goes on has done part of its work: what the device does now is unknown.
    mutating func doubt(_ run: RunID) {
        guard case .running(var attempt, let next) = activity, attempt.run == run else { return }
        attempt.isPartlyDone = true
        activity = .running(attempt, next: next)
        actual = .unknown
    }

    /// An attempt has ended; one that was given up before is ignored.
    mutating func attemptFinished(
        _ run: RunID, _ outcome: ActionOutcome, at now: Instant, isEvent: Bool,
        _ actions: ActionLookup, _ lastRun: inout UInt32
    ) -> Moves {
        var moves = Moves()
        if case .asking(let about, let reason) = activity, about.run == run {
            conclude(about, reason, at: now, actions, &lastRun, &moves)
            return moves
        }
        guard case .running(let attempt, let next) = activity, attempt.run == run else {
            return moves
        }
        activity = .idle
        moves.reason = Reason(outcome)
        // What the device told outweighs that nobody knows how the action ended.
        if attempt.isTold, outcome.isUncertain { moves.reason = .none }
        if moves.reason == .none, !isEvent || next.isEmpty {
            succeed(attempt, isEvent: isEvent, actions, &moves)
        }
        if isEvent {
            endEvent(attempt, next: next, at: now, actions, &lastRun, &moves)
        } else if moves.reason == .none {
            if desired != actual, activity == .idle {
                begin(desired, at: now, actions, &lastRun, &moves)
            }
        } else {
            if outcome.isUncertain { actual = .unknown }
            if attempt.isTold { learn(attempt.value, &moves) }
            if outcome.isUncertain, desired == attempt.value, let query = actions.query {
                ask(query, about: attempt, moves.reason, at: now, actions, &lastRun, &moves)
                moves.reason = .none
            } else {
                fail(attempt, at: now, actions, &lastRun, &moves)
            }
        }
        return moves
    }

    /// Does the one thing that is due at `deadline`.
    mutating func deadlineReached(
        at now: Instant, isEvent: Bool, _ actions: ActionLookup, _ lastRun: inout UInt32
    ) -> Moves {
        var moves = Moves()
        switch activity {
        case .running(let attempt, _) where attempt.timeoutAt <= now:
            moves = attemptFinished(
                attempt.run, .timedOut, at: now, isEvent: isEvent, actions, &lastRun)
            moves.cancelled = attempt
            return moves
        case .backingOff(let attempt, let until) where until <= now:
            retry(attempt, at: now, actions, &lastRun, &moves)
            return moves
        case .asking(let about, let reason) where about.timeoutAt <= now:
            conclude(about, reason, at: now, actions, &lastRun, &moves)
            moves.cancelled = question(about, actions)
            return moves
        case .idle, .running, .backingOff, .asking, .switching:
            break
        }
        switch display {
        case .pending(let until) where until <= now:
            show(.loading, &moves)
        case .failed(let until, _) where until <= now:
            show(activity == .idle ? .idle : .loading, &moves)
        case .idle, .pending, .loading, .failed:
            break  // not due
        }
        return moves
    }
}

extension Pursuit {
    mutating func show(_ display: Display, _ moves: inout Moves) {
        let before = phase
        self.display = display
        if phase != before { moves.phaseChanged = true }
    }

    /// A touch ends the show of a failure, and an intent that waits is pending.
    private mutating func touch(_ rules: ActionSettings, at now: Instant, _ moves: inout Moves) {
        guard case .failed = display else { return }
        show(.pending(loadingAt: now + rules.loadingAfter), &moves)
    }

    mutating func begin(
        _ value: Value, at now: Instant, _ actions: ActionLookup, _ lastRun: inout UInt32,
        _ moves: inout Moves, keepsFailureShown: Bool = false
    ) {
        guard let action = actions.action(for: value) else {
            if actions.areOutputsLate {
                return switchOutputs(
                    to: value, actions, &moves, keepsFailureShown: keepsFailureShown)
            }
            activity = .idle
            actual = value
            confirmed = value
            moves.confirmed = true
            if !keepsFailureShown { show(.idle, &moves) }
            return
        }
        let rules = actions.rules(of: action)
        var retries: UInt8 = 0
        var backoff = TimeSpan.zero
        // A revert is tried once.
        if !keepsFailureShown, case .retry(let count, let first, _) = rules.onFailure {
            retries = count
            backoff = first
        }
        launch(
            Attempt(
                run: RunID(0), action: action, value: value, timeoutAt: .never,
                retriesLeft: retries, backoff: backoff),
            rules, at: now, &lastRun, &moves)
        if keepsFailureShown { return }
        switch display {
        case .idle, .failed, .pending:
            show(.pending(loadingAt: acceptedAt + rules.loadingAfter), &moves)
        case .loading:
            break  // a newer intent starts: still loading, without a flicker
        }
    }

    private mutating func launch(
        _ attempt: Attempt, _ rules: ActionSettings, at now: Instant, _ lastRun: inout UInt32,
        _ moves: inout Moves
    ) {
        var attempt = attempt
        lastRun &+= 1
        attempt.run = RunID(lastRun)
        attempt.timeoutAt = rules.timeout.map { now + $0 } ?? .never
        activity = .running(attempt, next: WaitingEvents())
        moves.started = attempt
    }

    private mutating func retry(
        _ attempt: Attempt, at now: Instant, _ actions: ActionLookup, _ lastRun: inout UInt32,
        _ moves: inout Moves
    ) {
        launch(attempt, actions.rules(of: attempt.action), at: now, &lastRun, &moves)
    }

    private mutating func succeed(
        _ attempt: Attempt, isEvent: Bool, _ actions: ActionLookup, _ moves: inout Moves
    ) {
        if !isEvent {
            if desired == attempt.value, actions.areOutputsLate {
                activity = .switching(attempt.value)
                return
            }
            actual = attempt.value
            confirmed = attempt.value
            moves.confirmed = true
            guard desired == actual else { return }
        }
        switch display {
        case .failed: break  // a revert has succeeded; what failed before it still shows
        case .idle, .pending, .loading: show(.idle, &moves)
        }
    }
}
