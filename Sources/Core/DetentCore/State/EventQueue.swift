import DetentTypes

/// Runs the actions of a control without state, one event after another.
///
///     idle ──event──▶ running ──ended──▶ idle, or running for the next pending event
///                      │  ▲
///                      └──failed, retries left──▶ backingOff(until)
struct EventQueue: Equatable, BitwiseCopyable {
    private enum Activity: Equatable, BitwiseCopyable {
        case idle
        case running(Attempt, PendingEvents)
        case backingOff(Attempt, until: Instant)
    }

    private var activity = Activity.idle
    private var acceptedAt = Instant.zero

    var load: ControlWork.Load {
        switch activity {
        case .idle: .idle
        case .running, .backingOff: .busy
        }
    }

    /// Whether an attempt of this run is in flight.
    func owns(_ run: RunID) -> Bool {
        if case .running(let attempt, _) = activity { attempt.run == run } else { false }
    }

    /// The event whose attempt is in flight or will be tried again.
    var attemptValue: Value? {
        switch activity {
        case .idle: nil
        case .running(let attempt, _), .backingOff(let attempt, _): attempt.value
        }
    }

    var deadline: Instant {
        switch activity {
        case .idle: .never
        case .running(let attempt, _): attempt.timeoutAt
        case .backingOff(_, let until): until
        }
    }

    /// An event: runs its action, or waits until the one in flight has ended. Returns false where
    /// the action ignores events while it is busy, or too many wait. What ends a press is never
    /// ignored.
    mutating func fire(
        _ value: Value, _ origin: Origin, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) -> Bool {
        if case .running(let attempt, var pending) = activity {
            switch context.actions.settings(of: attempt.action).supersede {
            case .ignore where value != .released:
                return false
            case .wait, .ignore:
                let isQueued = pending.append(value, origin)
                activity = .running(attempt, pending)
                return isQueued
            case .cancel:
                context.changes.stop(attempt.handle)
            }
        }
        acceptedAt = context.now
        state.origin = origin
        begin(value, PendingEvents(), &state, &context)
        return true
    }

    /// An attempt has left its queue: its timeout counts from here.
    mutating func attemptStarted(_ run: RunID, _ context: borrowing AttemptContext) {
        guard case .running(var attempt, let pending) = activity, attempt.run == run,
            let timeout = context.actions.settings(of: attempt.action).timeout
        else { return }
        attempt.timeoutAt = context.now + timeout
        activity = .running(attempt, pending)
    }

    /// An attempt has ended; one that was given up before is ignored.
    mutating func attemptFinished(
        _ run: RunID, _ outcome: ActionOutcome, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) {
        guard case .running(var attempt, var pending) = activity, attempt.run == run else {
            return
        }
        let reason = Reason(outcome)
        context.changes.reason = reason
        activity = .idle
        if let next = pending.removeFirst() {
            state.origin = next.origin
            // The end of a press hides no failure of its beginning.
            if reason != .none, next.value == .released {
                showFailure(of: attempt, &state, &context)
            }
            begin(next.value, pending, &state, &context)
            // The next event hides the failure, so it is reported now.
            if reason != .none { context.changes.reports.insert(.phase) }
        } else if reason == .none {
            switch state.display {
            case .failed: break
            case .idle, .pending, .loading: state.show(.idle, &context.changes)
            }
        } else if let due = attempt.nextTry(after: context.now) {
            activity = .backingOff(attempt, until: due)
        } else {
            showFailure(of: attempt, &state, &context)
        }
    }

    private func showFailure(
        of attempt: Attempt, _ state: inout ControlState, _ context: inout AttemptContext
    ) {
        let settings = context.actions.settings(of: attempt.action)
        state.showFailure(until: context.now + settings.failedFor, &context.changes)
    }

    /// Does the one thing that is due at `deadline`; returns false where nothing is.
    mutating func deadlineReached(
        _ state: inout ControlState, _ context: inout AttemptContext
    ) -> Bool {
        switch activity {
        case .running(let attempt, _) where attempt.timeoutAt <= context.now:
            attemptFinished(attempt.run, .timedOut, &state, &context)
            context.changes.stop(attempt.handle)
            return true
        case .backingOff(var attempt, let until) where until <= context.now:
            attempt.launch(&context)
            activity = .running(attempt, PendingEvents())
            return true
        case .idle, .running, .backingOff:
            return false
        }
    }

    private mutating func begin(
        _ value: Value, _ pending: PendingEvents, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) {
        guard let action = context.actions.action(for: value) else {
            return state.show(.idle, &context.changes)
        }
        let settings = context.actions.settings(of: action)
        var attempt = Attempt(action, for: value, settings, isRevert: false)
        attempt.launch(&context)
        activity = .running(attempt, pending)
        switch state.display {
        case .failed where value == .released:
            break
        case .idle, .failed, .pending:
            state.show(.pending(loadingAt: acceptedAt + settings.loadingAfter), &context.changes)
        case .loading:
            break  // another event starts: still loading, without a flicker
        }
    }

    /// The actions have other places from now on.
    mutating func move(_ places: Engine.Places) {
        switch activity {
        case .idle:
            break
        case .running(var attempt, let pending):
            attempt.move(places)
            activity = .running(attempt, pending)
        case .backingOff(var attempt, let until):
            attempt.move(places)
            activity = .backingOff(attempt, until: until)
        }
    }
}
