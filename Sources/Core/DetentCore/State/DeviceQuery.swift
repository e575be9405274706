import DetentTypes

/// A question to the device for its value.
struct DeviceQuery: Equatable, BitwiseCopyable {
    /// The action that asks.
    var action: ActionID
    let run: RunID
    var timeoutAt: Instant
    /// The attempt with the uncertain outcome; nil at start and where a control is enabled.
    var attempt: Attempt?
    /// Why the outcome is uncertain.
    let reason: Reason

    /// What the engine needs to start or stop it.
    var handle: AttemptHandle { AttemptHandle(run: run, action: action, value: .unknown) }
}

/// Questions to the device, and values that it reports without a question.
///
/// Where the device can be asked, it is asked before anything follows from an uncertain outcome.
/// An intent that comes meanwhile waits for the answer, which may already confirm it.
extension ValueReconciler {
    /// Asks the device for its value; the shown one stays until it answers.
    mutating func queryDevice(_ query: ActionID, _ context: inout AttemptContext) {
        switch activity {
        case .idle: ask(query, about: nil, .none, &context)
        case .running, .backingOff, .querying, .switching: break
        }
    }

    mutating func ask(
        _ query: ActionID, about attempt: Attempt?, _ reason: Reason,
        _ context: inout AttemptContext
    ) {
        let question = DeviceQuery(
            action: query, run: context.nextRun(), timeoutAt: context.timeout(of: query),
            attempt: attempt, reason: reason)
        activity = .querying(question)
        context.changes.start(question.handle)
    }

    /// The device has answered, nil where the answer does not fit the control. Only the answer
    /// to the present question counts.
    mutating func answered(
        _ run: RunID, _ value: Value?, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) {
        guard case .querying(let query) = activity, query.run == run else { return }
        if let value {
            state.confirm(value)
            context.changes.reports.insert(.confirmed)
        }
        conclude(query, &state, &context)
    }

    /// The question is over: `actual` is the answer, or unknown if there is none.
    mutating func conclude(
        _ query: DeviceQuery, _ state: inout ControlState, _ context: inout AttemptContext
    ) {
        activity = .idle
        if state.desired == state.actual {
            if state.isIntentWaiting { state.show(.idle, &context.changes) }
        } else if let attempt = query.attempt, !(attempt.isRevert && state.isIntentWaiting) {
            if state.desired == attempt.value { context.changes.reason = query.reason }
            fail(attempt, &state, &context)
        } else if state.isIntentWaiting {
            begin(state.desired, &state, &context)
        } else if state.actual != .unknown {
            state.adoptActual(&context.changes)
        }
    }

    /// An intent came while the device is asked: it is shown, and begins when the question is over.
    @inline(never)
    mutating func acceptWhileQuerying(
        _ value: Value, _ query: DeviceQuery, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) {
        guard let action = context.actions.action(for: value) else {
            // It confirms itself, so no question is left.
            context.changes.stop(query.handle)
            return begin(value, &state, &context)
        }
        guard !state.isIntentWaiting else { return }
        let loadingAfter = context.actions.settings(of: action).loadingAfter
        state.show(.pending(loadingAt: context.now + loadingAfter), &context.changes)
    }

    /// The device reported its value without a question.
    ///
    /// What is in flight goes on: the value that it is to bring about counts only when it has
    /// ended. Where nothing is under way, the shown value follows what is new.
    mutating func deviceReported(
        _ value: Value, _ state: inout ControlState, _ changes: inout Changes
    ) {
        switch activity {
        case .running(var attempt):
            attempt.isReportedByDevice = value == attempt.value
            activity = .running(attempt)
            if value != attempt.value { state.recordActual(value, &changes) }
        case .backingOff:
            state.recordActual(value, &changes)
            guard value == state.desired else { break }
            activity = .idle  // its last attempt has ended; there is nothing left to try
            state.show(.idle, &changes)
        case .querying(let query):
            state.recordActual(value, &changes)
            if query.attempt == nil, !state.isIntentWaiting { state.adoptActual(&changes) }
        case .switching:
            state.recordActual(value, &changes)
        case .idle:
            let isNew = value != state.actual
            state.recordActual(value, &changes)
            // A known value, such as after a failure under `keep`, changes nothing.
            if isNew { state.adoptActual(&changes) }
        }
    }
}
