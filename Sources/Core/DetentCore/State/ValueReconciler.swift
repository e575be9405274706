import DetentTypes

/// Brings the device to the last accepted intent: the work of every control that has a value.
///
/// The value that was asked for is shown at once. One attempt is in flight at a time; when it ends
/// and `desired` differs from `actual`, the attempt for `desired` starts: the last intent wins,
/// however many came. Nothing but an outcome or a declared timeout ends an attempt.
///
///     idle ──intent──▶ running ──succeeded──▶ idle, or running for a newer intent
///                       │  ▲ failed, retries left: backingOff(until)
///                       ├──failed──▶ idle and shown as failed; desired returns to confirmed
///                       │  (revert)
///                       └──uncertain──▶ querying ──answer──▶ idle, or as after a failure
///
/// Where outputs take over from one another, a value is confirmed when its output was really
/// written: `switching` waits for that, after the action if there is one.
struct ValueReconciler: Equatable, BitwiseCopyable {
    enum Activity: Equatable, BitwiseCopyable {
        case idle
        case running(Attempt)
        case backingOff(Attempt, until: Instant)
        /// The device is asked for its value.
        case querying(DeviceQuery)
        /// All is done for this value but its outputs, which are on their way.
        case switching(Value)
    }

    var activity = Activity.idle
    private(set) var acceptedAt = Instant.zero
    /// When the last attempt began or ended.
    private(set) var attemptAt = Instant.zero

    /// Remembers when a value that continues was asked for.
    mutating func continues(_ former: ValueReconciler) {
        acceptedAt = former.acceptedAt
        attemptAt = former.attemptAt
    }

    /// What was asked for before this says nothing of the last intent.
    var changedAt: Instant { max(acceptedAt, attemptAt) }

    var load: ControlWork.Load {
        switch activity {
        case .idle: .idle
        case .running, .backingOff, .querying, .switching: .busy
        }
    }

    var isSwitchingOutputs: Bool {
        switch activity {
        case .switching: true
        case .idle, .running, .backingOff, .querying: false
        }
    }

    /// The value of the attempt that is in flight or will be tried again.
    var attemptValue: Value? {
        switch activity {
        case .idle: nil
        case .running(let attempt), .backingOff(let attempt, _): attempt.value
        case .querying(let query): query.attempt?.value ?? .unknown
        case .switching(let value): value
        }
    }

    var deadline: Instant {
        switch activity {
        case .idle, .switching: .never
        case .running(let attempt): attempt.timeoutAt
        case .backingOff(_, let until): until
        case .querying(let query): query.timeoutAt
        }
    }

    /// An intent: shows it at once, and makes it true. Returns false where the action ignores
    /// intents while it is busy; a forced one waits instead.
    @inline(__always)
    mutating func accept(
        _ value: Value, _ origin: Origin, isForced: Bool, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) -> Bool {
        if case .running(let attempt) = activity, value != attempt.value, !isForced,
            context.actions.settings(of: attempt.action).supersede == .ignore
        {
            return false
        }
        let isNew = value != state.desired
        if isNew { context.changes.reports.insert(.value) }
        state.desired = value
        state.origin = origin
        acceptedAt = context.now
        switch activity {
        case .running(let attempt):
            acceptWhileRunning(value, attempt, &state, &context)
        case .querying(let query):
            acceptWhileQuerying(value, query, &state, &context)
        case .idle, .backingOff, .switching:
            if value != state.actual {
                begin(value, &state, &context)
            } else if context.actions.areOutputsLate {
                switchOutputs(to: value, &state, &context)
            } else {
                activity = .idle
                state.show(.idle, &context.changes)
                if isNew { context.changes.reports.insert(.confirmed) }
            }
        }
        return true
    }

    private mutating func acceptWhileRunning(
        _ value: Value, _ attempt: Attempt, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) {
        let settings = context.actions.settings(of: attempt.action)
        switch state.display {
        case .failed:
            // A touch ends the show of a failure, and an intent that waits is pending.
            state.show(.pending(loadingAt: context.now + settings.loadingAfter), &context.changes)
        case .idle, .pending, .loading:
            break
        }
        guard value != attempt.value else {
            var joined = attempt
            joined.join(settings)
            activity = .running(joined)
            return
        }
        guard settings.supersede == .cancel else { return }
        context.changes.stop(attempt.handle)
        state.actual = .unknown
        begin(value, &state, &context)
    }

    /// An attempt has left its queue: its timeout counts from here.
    mutating func attemptStarted(_ run: RunID, _ context: borrowing AttemptContext) {
        switch activity {
        case .running(var attempt) where attempt.run == run:
            guard let timeout = context.actions.settings(of: attempt.action).timeout else {
                return
            }
            attempt.timeoutAt = context.now + timeout
            activity = .running(attempt)
        case .querying(var query) where query.run == run:
            guard let timeout = context.actions.settings(of: query.action).timeout else { return }
            query.timeoutAt = context.now + timeout
            activity = .querying(query)
        case .idle, .running, .backingOff, .querying, .switching:
            return  // given up before
        }
    }

    /// An attempt that goes on has done part of its work, so the state of the device is unknown.
    mutating func markUncertain(_ run: RunID, _ state: inout ControlState) {
        guard case .running(var attempt) = activity, attempt.run == run else { return }
        attempt.isPartlyDone = true
        activity = .running(attempt)
        state.actual = .unknown
    }

    /// An attempt has ended; one that was given up before is ignored.
    mutating func attemptFinished(
        _ run: RunID, _ outcome: ActionOutcome, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) {
        switch activity {
        case .querying(let query) where query.run == run:
            conclude(query, &state, &context)
        case .running(let attempt) where attempt.run == run:
            activity = .idle
            attemptAt = context.now
            // What the device reported outweighs an uncertain outcome.
            if outcome == .succeeded || attempt.isReportedByDevice && outcome.isUncertain {
                succeed(attempt, &state, &context)
            } else {
                context.changes.reason = Reason(outcome)
                resolveFailure(attempt, outcome, &state, &context)
            }
        case .idle, .running, .backingOff, .querying, .switching:
            return  // given up before
        }
    }

    /// Does the one thing that is due at `deadline`; returns false where nothing is.
    mutating func deadlineReached(
        _ state: inout ControlState, _ context: inout AttemptContext
    ) -> Bool {
        switch activity {
        case .running(let attempt) where attempt.timeoutAt <= context.now:
            attemptFinished(attempt.run, .timedOut, &state, &context)
            context.changes.stop(attempt.handle)
            return true
        case .backingOff(var attempt, let until) where until <= context.now:
            launch(&attempt, &context)
            return true
        case .querying(let query) where query.timeoutAt <= context.now:
            conclude(query, &state, &context)
            context.changes.stop(query.handle)
            return true
        case .idle, .running, .backingOff, .querying, .switching:
            return false
        }
    }

    /// Starts the action of an attempt.
    mutating func launch(_ attempt: inout Attempt, _ context: inout AttemptContext) {
        attempt.launch(&context)
        activity = .running(attempt)
        attemptAt = context.now
    }

    /// The actions have other places from now on.
    mutating func move(_ places: Engine.Places) {
        switch activity {
        case .idle, .switching:
            break
        case .running(var attempt):
            attempt.move(places)
            activity = .running(attempt)
        case .backingOff(var attempt, let until):
            attempt.move(places)
            activity = .backingOff(attempt, until: until)
        case .querying(var query):
            query.action = places.action(query.action) ?? query.action
            query.attempt?.move(places)
            activity = .querying(query)
        }
    }
}
