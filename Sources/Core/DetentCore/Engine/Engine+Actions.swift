import DetentTypes

/// Actions: attempts that start and end, and what follows from them.
extension Engine {
    mutating func handleActionStarted(_ id: ControlID, _ run: RunID) {
        guard let named = existing(id) else { return }
        let control = performer(of: run, named)
        if let relation = relationIndex(control), relations[relation].sequence.owns(run) {
            return stepStarted(relation)
        }
        controls[control].work.attemptStarted(run, attemptContext(control))
        updateDeadline(of: .value(control))
    }

    mutating func handleActionFinished(
        _ id: ControlID, _ run: RunID, _ outcome: ActionOutcome, _ emit: Emit
    ) {
        guard let named = existing(id) else { return }
        let control = performer(of: run, named)
        if let relation = relationIndex(control), relations[relation].sequence.owns(run) {
            return stepEnded(outcome, control, relation, emit)
        }
        finishAttempt(run, outcome, control, emit)
    }

    mutating func finishAttempt(
        _ run: RunID, _ outcome: ActionOutcome, _ control: ControlIndex, _ emit: Emit
    ) {
        var context = attemptContext(control)
        controls[control].attemptFinished(run, outcome, &context)
        applyChanges(of: context, control, .device, emit)
    }

    /// What a control needs to start attempts; `value` is what it is about to show, if not what it
    /// shows.
    @inline(__always)
    mutating func attemptContext(
        _ control: ControlIndex, for value: Value? = nil
    ) -> AttemptContext {
        AttemptContext(now: now, actions: lookup(control, for: value), lastRun: lastRun)
    }

    /// Takes over what was started and changed in a context of `attemptContext`.
    @inline(__always)
    mutating func applyChanges(
        of context: AttemptContext, _ control: ControlIndex, _ origin: Origin, _ emit: Emit
    ) {
        lastRun = context.lastRun
        applyChanges(context.changes, control, origin, emit)
    }

    /// Reports what an input changed, in the contract's order, and starts and stops attempts.
    mutating func applyChanges(
        _ changes: Changes, _ control: ControlIndex, _ origin: Origin, _ emit: Emit
    ) {
        if changes.reports.contains(.value) {
            report(.changed(controls[control].state.desired, origin), control, emit)
        }
        if changes.reports.contains(.phase) {
            reportPhase(control, changes.reason, emit)
            if isLookedAt { markForTrouble() }
        }
        if changes.reports.contains(.confirmed) {
            report(.confirmed(controls[control].state.confirmed), control, emit)
            if settings[control].relation != .none { resetStaleTimer(control) }
        }
        refresh(control, emit)
        switch changes.order {
        case .none:
            break
        case .start(let attempt):
            start(attempt, control, emit)
        case .stop(let attempt):
            stop(attempt, control, emit)
        case .replace(let former, let attempt):
            stop(former, control, emit)
            start(attempt, control, emit)
        }
        if let acting = acting(control) { gestureChanged(control, acting, emit) }
    }

    @inline(never)
    private mutating func reportPhase(
        _ control: ControlIndex, _ reason: Reason, _ emit: Emit
    ) {
        guard let relation = relationIndex(control),
            relationSettings[relation].acting != nil
                || relationSettings[relation].gestures.count > 0
        else { return report(.phase(controls[control].state.phase, reason), control, emit) }
        reportShownPhase(control, reason, emit)
    }

    private mutating func start(
        _ attempt: AttemptHandle, _ control: ControlIndex, _ emit: Emit
    ) {
        if needsValues(attempt.action), let missing = missingValue(of: attempt.action) {
            return finishAttempt(attempt.run, .failed(.valueUnknown(missing)), control, emit)
        }
        if beginSteps(of: attempt, control) { return }
        tellStart(of: attempt.action, attempt.run, attempt.value, control, emit)
    }

    /// An action leaves the core; that of a gesture is told as one of its owner.
    @inline(never)
    mutating func tellStart(
        of action: ActionID, _ run: RunID, _ value: Value, _ control: ControlIndex, _ emit: Emit
    ) {
        let acting = acting(control)
        let owner = acting.map { ControlIndex($0.owner) } ?? control
        guard controls.contains(owner) else { return }
        if actions[action].values.count != 0 { provideValues(of: action, emit) }
        emit(
            .start(
                action, run: run, control: owner.id,
                value: acting.map { attemptValue($0, control, event: value) } ?? value,
                previous: controls[owner].state.confirmed, origin: controls[control].state.origin),
            now)
    }

    private mutating func stop(
        _ attempt: AttemptHandle, _ control: ControlIndex, _ emit: Emit
    ) {
        if abandonSteps(of: attempt, control, emit) { return }
        emit(.cancel(attempt.action, run: attempt.run), now)
    }

    /// The actions of a control, for what it shows or is about to show.
    mutating func lookup(_ control: ControlIndex, for value: Value? = nil) -> ActionLookup {
        ActionLookup(
            map: settings[control].actions, table: actions, query: settings[control].query,
            areOutputsLate: areOutputsLate(value, control))
    }

    /// Whether the outputs of a value, else of the shown one, are still to be written.
    private mutating func areOutputsLate(_ value: Value?, _ control: ControlIndex) -> Bool {
        guard settings[control].outputs.count != 0, settings[control].transition != .none,
            isStarted, controls[control].nature.hasValue, !controls[control].nature.isDerived
        else { return false }
        let outputs = wantedOutputs(control, at: value ?? controls[control].state.desired)
        return !controls[control].interlock.isWritten(outputs)
    }
}
