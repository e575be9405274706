import DetentTypes

/// What is made of an attempt that did not bring about what it was to.
extension Pursuit {
    /// The attempt for `attempt.value` has failed; `actual` is already what is known.
    mutating func fail(
        _ attempt: Attempt, at now: Instant, _ actions: ActionLookup, _ lastRun: inout UInt32,
        _ moves: inout Moves
    ) {
        if desired != attempt.value {
            if desired == actual {
                show(.idle, &moves)
            } else {
                begin(desired, at: now, actions, &lastRun, &moves)
            }
            return
        }
        if desired != actual, backOff(attempt, at: now) { return }
        let rules = actions.rules(of: attempt.action)
        show(.failed(until: now + rules.failedFor, moves.reason), &moves)
        moves.phaseChanged = true  // a second failure is told again
        switch rules.onFailure {
        case .keep, .retry(_, _, thenKeep: true):
            return
        case .revert, .retry(_, _, thenKeep: false):
            // A revert that failed itself has that value already: it is tried once.
            let mayHaveActed = attempt.isPartlyDone || moves.reason.isUncertain
            let last = confirmed == .unknown ? initial : confirmed
            guard last != attempt.value else { return }
            desired = last
            origin = .device
            moves.changed = true
            // After a certain failure the device is as it was before, even where nobody knows how.
            guard actual != last, confirmed != .unknown || mayHaveActed else { return }
            begin(last, at: now, actions, &lastRun, &moves, keepsFailureShown: true)
        }
    }

    mutating func endEvent(
        _ attempt: Attempt, next waiting: WaitingEvents, at now: Instant, _ actions: ActionLookup,
        _ lastRun: inout UInt32, _ moves: inout Moves
    ) {
        var waiting = waiting
        if let next = waiting.removeFirst() {
            origin = next.origin
            begin(next.value, at: now, actions, &lastRun, &moves)
            if case .running(let begun, _) = activity {
                activity = .running(begun, next: waiting)
            }
            // The next one hides the failure, but nobody shall miss it.
            if moves.reason != .none { moves.phaseChanged = true }
        } else if moves.reason != .none, !backOff(attempt, at: now) {
            let rules = actions.rules(of: attempt.action)
            show(.failed(until: now + rules.failedFor, moves.reason), &moves)
            moves.phaseChanged = true
        }
    }

    /// Waits for the next attempt if there is one left.
    private mutating func backOff(_ attempt: Attempt, at now: Instant) -> Bool {
        guard attempt.retriesLeft > 0 else { return false }
        var next = attempt
        next.retriesLeft &-= 1
        next.backoff = attempt.backoff + attempt.backoff
        activity = .backingOff(next, until: now + attempt.backoff)
        return true
    }
}

extension Reason {
    /// Makes the reason for the outcome of an attempt; `none` if it succeeded.
    public init(_ outcome: ActionOutcome) {
        switch outcome {
        case .succeeded: self = .none
        case .failed(let failure): self = .failed(failure)
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .killed(let signal): self = .killed(signal: signal)
        case .lost: self = .lost
        }
    }

    /// Whether it is unknown what the device did.
    var isUncertain: Bool {
        switch self {
        case .none, .failed: false
        case .timedOut, .cancelled, .killed, .lost: true
        }
    }
}

extension ActionOutcome {
    /// Whether it is unknown what the device did.
    var isUncertain: Bool {
        switch self {
        case .succeeded, .failed: false
        case .timedOut, .cancelled, .killed, .lost: true
        }
    }
}
