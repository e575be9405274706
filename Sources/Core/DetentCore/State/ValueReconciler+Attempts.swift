import DetentTypes

/// How attempts begin and end, and when their outputs are written.
extension ValueReconciler {
    /// Makes a value true: by its action, by its outputs, or at once where it has neither. A
    /// revert keeps the failure shown, and is tried once.
    mutating func begin(
        _ value: Value, _ state: inout ControlState, _ context: inout AttemptContext,
        isRevert: Bool = false
    ) {
        guard let action = context.actions.action(for: value) else {
            if context.actions.areOutputsLate {
                return switchOutputs(to: value, &state, &context, isRevert: isRevert)
            }
            activity = .idle
            state.confirm(value)
            context.changes.reports.insert(.confirmed)
            if !isRevert { state.show(.idle, &context.changes) }
            return
        }
        let settings = context.actions.settings(of: action)
        var attempt = Attempt(action, for: value, settings, isRevert: isRevert)
        launch(&attempt, &context)
        if isRevert { return }
        switch state.display {
        case .idle, .failed, .pending:
            state.show(.pending(loadingAt: acceptedAt + settings.loadingAfter), &context.changes)
        case .loading:
            break  // a newer intent starts: still loading, without a flicker
        }
    }

    /// The attempt brought about its value. A newer intent begins now.
    mutating func succeed(
        _ attempt: Attempt, _ state: inout ControlState, _ context: inout AttemptContext
    ) {
        if state.desired == attempt.value, context.actions.areOutputsLate {
            activity = .switching(attempt.value)
            return
        }
        state.confirm(attempt.value)
        context.changes.reports.insert(.confirmed)
        guard state.desired == attempt.value else {
            return begin(state.desired, &state, &context)
        }
        switch state.display {
        case .failed: break  // a revert has succeeded; what failed before it still shows
        case .idle, .pending, .loading: state.show(.idle, &context.changes)
        }
    }

    /// The attempt did not bring about its value, or nothing is known about that.
    mutating func resolveFailure(
        _ attempt: Attempt, _ outcome: ActionOutcome, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) {
        if outcome.isUncertain { state.actual = .unknown }
        if attempt.isReportedByDevice { state.recordActual(attempt.value, &context.changes) }
        if outcome.isUncertain, state.desired == attempt.value, let query = context.actions.query {
            ask(query, about: attempt, context.changes.reason, &context)
            context.changes.reason = .none
        } else {
            fail(attempt, &state, &context)
        }
    }

    /// The attempt has failed for `changes.reason`; `actual` is already what is known.
    mutating func fail(
        _ attempt: Attempt, _ state: inout ControlState, _ context: inout AttemptContext
    ) {
        if state.desired != attempt.value {
            if state.desired == state.actual {
                state.show(.idle, &context.changes)
            } else {
                begin(state.desired, &state, &context)
            }
            return
        }
        var next = attempt
        if state.desired != state.actual, let due = next.nextTry(after: context.now) {
            activity = .backingOff(next, until: due)
            return
        }
        let settings = context.actions.settings(of: attempt.action)
        state.showFailure(until: context.now + settings.failedFor, &context.changes)
        switch settings.onFailure {
        case .keep, .retry(_, _, thenKeep: true):
            return
        case .revert, .retry(_, _, thenKeep: false):
            revert(attempt, &state, &context)
        }
    }

    /// Returns to the last confirmed value. A revert that failed itself has that value already, or
    /// the one that the device reported meanwhile, and starts nothing.
    private mutating func revert(
        _ attempt: Attempt, _ state: inout ControlState, _ context: inout AttemptContext
    ) {
        let mayHaveActed = attempt.isPartlyDone || context.changes.reason.isUncertain
        let last = state.confirmed == .unknown ? state.initial : state.confirmed
        guard last != attempt.value else { return }
        state.returnTo(last, &context.changes)
        guard !attempt.isRevert else { return }
        // After a certain failure the device is as it was before, even where that is unknown.
        guard state.actual != last, state.confirmed != .unknown || mayHaveActed else { return }
        begin(last, &state, &context, isRevert: true)
    }

    /// Waits until the outputs of a value are written; its action has ended, or it has none.
    mutating func switchOutputs(
        to value: Value, _ state: inout ControlState, _ context: inout AttemptContext,
        isRevert: Bool = false
    ) {
        activity = .switching(value)
        guard !isRevert, !state.isIntentWaiting else { return }
        let loadingAfter =
            context.actions.action(for: value).map {
                context.actions.settings(of: $0).loadingAfter
            } ?? ActionSettings.defaultLoadingAfter
        state.show(.pending(loadingAt: acceptedAt + loadingAfter), &context.changes)
    }

    /// The outputs are as the shown value wants them.
    mutating func outputsWritten(_ state: inout ControlState, _ changes: inout Changes) {
        guard case .switching(let value) = activity else { return }
        activity = .idle
        state.confirm(value)
        changes.reports.insert(.confirmed)
        if state.isIntentWaiting { state.show(.idle, &changes) }
    }
}

extension Reason {
    /// Makes the reason for the outcome of an attempt; `none` if it succeeded.
    public init(_ outcome: ActionOutcome) {
        switch outcome {
        case .succeeded: self = .none
        case .failed(let failure): self = .failed(failure)
        case .killed(let signal): self = .killed(signal: signal)
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .lost: self = .lost
        }
    }

    /// Whether it is unknown what the device did.
    var isUncertain: Bool {
        switch cause {
        case .none, .failed: false
        case .timedOut, .cancelled, .killed, .lost: true
        }
    }
}

extension ActionOutcome {
    /// Whether it is unknown what the device did.
    var isUncertain: Bool { Reason(self).isUncertain }
}
