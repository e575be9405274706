import DetentTypes

/// The inputs of a control's work, which changes the state that the control shows.
extension Control {
    /// When the work or the display of the state is due, or the start-up rule applies.
    @inline(__always)
    var workDeadline: Instant { min(min(work.deadline, state.deadline), startsAt) }

    /// An intent; false where the control is busy and ignores it.
    @inline(__always)
    mutating func accept(
        _ value: Value, _ origin: Origin, isForced: Bool, _ context: inout AttemptContext
    ) -> Bool {
        work.accept(value, origin, isForced: isForced, &state, &context)
    }

    /// An event of a control without state; false where the control is busy and ignores it.
    mutating func fire(
        _ value: Value, _ origin: Origin, _ context: inout AttemptContext
    ) -> Bool {
        work.fire(value, origin, &state, &context)
    }

    mutating func attemptFinished(
        _ run: RunID, _ outcome: ActionOutcome, _ context: inout AttemptContext
    ) {
        work.attemptFinished(run, outcome, &state, &context)
    }

    mutating func deadlineReached(_ context: inout AttemptContext) {
        work.deadlineReached(&state, &context)
    }

    /// Some steps of an attempt that goes on are done: the state of the device is unknown.
    mutating func markUncertain(_ run: RunID) {
        work.withReconciler { $0.markUncertain(run, &state) }
    }

    mutating func queryDevice(_ query: ActionID, _ context: inout AttemptContext) {
        work.withReconciler { $0.queryDevice(query, &context) }
    }

    /// The device has answered; nil where the answer does not fit the control.
    mutating func answered(_ run: RunID, _ value: Value?, _ context: inout AttemptContext) {
        work.withReconciler { $0.answered(run, value, &state, &context) }
    }

    /// The device reported its value without a question.
    mutating func deviceReported(_ value: Value) -> Changes {
        var changes = Changes()
        work.withReconciler { $0.deviceReported(value, &state, &changes) }
        return changes
    }

    /// The outputs are as the shown value wants them.
    mutating func outputsWritten() -> Changes {
        var changes = Changes()
        work.withReconciler { $0.outputsWritten(&state, &changes) }
        return changes
    }

    /// Ends the show of a failure where nothing is under way.
    mutating func acknowledgeFailure() -> Changes {
        var changes = Changes()
        switch (state.display, work.load) {
        case (.failed, .idle): state.show(.idle, &changes)
        case (.failed, .busy), (.idle, _), (.pending, _), (.loading, _): break
        }
        return changes
    }

    /// The device is known to have another value than the shown one, and nothing is under way that
    /// would change that.
    var isAmiss: Bool {
        guard state.desired != state.actual, state.actual != .unknown else { return false }
        switch work.load {
        case .idle: return !state.isIntentWaiting
        case .busy: return false
        }
    }
}
