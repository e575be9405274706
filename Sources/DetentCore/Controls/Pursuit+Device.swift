import DetentTypes

/// Questions to the device, and what is made of its word. Nothing else reaches into a pursuit.
extension Pursuit {
    /// At start: asks the device for its value; the shown one stands until it answers.
    mutating func inquire(
        _ query: ActionID, at now: Instant, _ actions: ActionLookup, _ lastRun: inout UInt32
    ) -> Moves {
        var moves = Moves()
        guard activity == .idle else { return moves }
        let nothing = Attempt(
            run: RunID(0), action: query, value: .unknown, timeoutAt: .never, retriesLeft: 0,
            backoff: .zero)
        ask(query, about: nothing, .none, at: now, actions, &lastRun, &moves)
        return moves
    }

    /// The device has answered, nil where that makes no sense; an answer that nobody waits for any
    /// more is ignored.
    mutating func answered(
        _ run: RunID, _ value: Value?, at now: Instant, _ actions: ActionLookup,
        _ lastRun: inout UInt32
    ) -> Moves {
        var moves = Moves()
        guard case .asking(let about, let reason) = activity, about.run == run else {
            return moves
        }
        if let value {
            learn(value, &moves)
            moves.confirmed = true
        }
        conclude(about, reason, at: now, actions, &lastRun, &moves)
        return moves
    }

    /// The device told its value by itself.
    ///
    /// What is in flight goes on: the value that it is to bring about counts only when it has
    /// ended. Where nothing is under way, the shown value follows what is new.
    mutating func told(_ value: Value) -> Moves {
        var moves = Moves()
        switch activity {
        case .running(var attempt, let next):
            attempt.isTold = value == attempt.value
            activity = .running(attempt, next: next)
            if !attempt.isTold { learn(value, &moves) }
        case .backingOff:
            learn(value, &moves)
            guard value == desired else { break }
            activity = .idle  // its last attempt has ended; there is nothing left to try
            show(.idle, &moves)
        case .asking(let about, _):
            learn(value, &moves)
            if about.value == .unknown, !isIntentWaiting { adopt(&moves) }
        case .switching:
            learn(value, &moves)
        case .idle:
            learn(value, &moves)
            // What is known already, such as after a failure under `keep`, changes nothing.
            if moves.confirmed { adopt(&moves) }
        }
        return moves
    }

    /// Whether an intent has been accepted that is not confirmed yet.
    private var isIntentWaiting: Bool {
        switch display {
        case .pending, .loading: true
        case .idle, .failed: false
        }
    }

    /// The device has this value.
    mutating func learn(_ value: Value, _ moves: inout Moves) {
        moves.confirmed = value != actual
        actual = value
        confirmed = value
    }

    /// The shown value becomes the device's; nothing runs.
    private mutating func adopt(_ moves: inout Moves) {
        guard desired != actual else { return }
        desired = actual
        origin = .device
        moves.changed = true
    }

    mutating func ask(
        _ query: ActionID, about attempt: Attempt, _ reason: Reason, at now: Instant,
        _ actions: ActionLookup, _ lastRun: inout UInt32, _ moves: inout Moves
    ) {
        var about = attempt
        lastRun &+= 1
        about.run = RunID(lastRun)
        about.timeoutAt = actions.rules(of: query).timeout.map { now + $0 } ?? .never
        activity = .asking(about: about, reason)
        moves.started = question(about, actions)
    }

    /// The attempt of the query itself, by which it is started and stopped.
    func question(_ about: Attempt, _ actions: ActionLookup) -> Attempt {
        var question = about
        question.action = actions.query ?? about.action
        question.value = .unknown
        return question
    }

    /// The question is over: `actual` is the answer, or unknown if there is none.
    mutating func conclude(
        _ about: Attempt, _ reason: Reason, at now: Instant, _ actions: ActionLookup,
        _ lastRun: inout UInt32, _ moves: inout Moves
    ) {
        activity = .idle
        if desired == actual {
            if isIntentWaiting { show(.idle, &moves) }
        } else if about.value != .unknown {
            if desired == about.value { moves.reason = reason }
            fail(about, at: now, actions, &lastRun, &moves)
        } else if isIntentWaiting {
            begin(desired, at: now, actions, &lastRun, &moves)
        } else if actual != .unknown {
            adopt(&moves)
        }
    }

    /// Waits until the outputs of a value are written; its action has ended, or it has none.
    mutating func switchOutputs(
        to value: Value, _ actions: ActionLookup, _ moves: inout Moves,
        keepsFailureShown: Bool = false
    ) {
        activity = .switching(value)
        guard !keepsFailureShown, !isIntentWaiting else { return }
        let loadingAfter =
            actions.action(for: value).map { actions.rules(of: $0).loadingAfter }
            ?? ActionSettings.usualLoadingAfter
        show(.pending(loadingAt: acceptedAt + loadingAfter), &moves)
    }

    /// The outputs are as the shown value wants them.
    mutating func outputsWritten() -> Moves {
        var moves = Moves()
        guard case .switching(let value) = activity else { return moves }
        activity = .idle
        actual = value
        confirmed = value
        moves.confirmed = true
        if isIntentWaiting { show(.idle, &moves) }
        return moves
    }

    /// An intent came while the device is asked: it is shown, and begins when the question is over.
    @inline(never)
    mutating func waitForAnswer(
        _ value: Value, _ about: Attempt, at now: Instant, _ actions: ActionLookup,
        _ lastRun: inout UInt32, _ moves: inout Moves
    ) {
        guard let action = actions.action(for: value) else {
            // It confirms itself, so there is nothing to ask any more.
            moves.cancelled = question(about, actions)
            begin(value, at: now, actions, &lastRun, &moves)
            return
        }
        guard !isIntentWaiting else { return }
        show(.pending(loadingAt: now + actions.rules(of: action).loadingAfter), &moves)
    }
}
