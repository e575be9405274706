import DetentTypes

/// Actions: attempts that start and end, and what follows from them.
extension Engine {
    mutating func handleActionStarted(_ id: ControlID, _ run: RunID) {
        guard let control = existing(id) else { return }
        if let relation = relationIndex(control), relations[relation].sequence.owns(run) {
            return stepStarted(relation)
        }
        controls[control].pursuit.attemptStarted(run, at: now, lookup(control))
        updateDeadline(of: .value(control))
    }

    mutating func handleActionFinished(
        _ id: ControlID, _ run: RunID, _ outcome: ActionOutcome, _ emit: Emit
    ) {
        guard let control = existing(id) else { return }
        if let relation = relationIndex(control), relations[relation].sequence.owns(run) {
            return stepEnded(outcome, control, relation, emit)
        }
        finishAttempt(run, outcome, control, emit)
    }

    mutating func finishAttempt(
        _ run: RunID, _ outcome: ActionOutcome, _ control: ControlIndex, _ emit: Emit
    ) {
        let moves = controls[control].pursuit.attemptFinished(
            run, outcome, at: now, isEvent: !controls[control].kind.hasValue, lookup(control),
            &lastRun)
        applyChanges(moves, control, .device, emit)
    }

    /// Tells what a pursuit did, in the contract's order, and does what it wants done.
    mutating func applyChanges(
        _ moves: Pursuit.Moves, _ control: ControlIndex, _ origin: Origin, _ emit: Emit
    ) {
        if moves.refused {
            _ = refuse(.busy, control, origin, emit)
            return
        }
        if moves.changed {
            let desired = controls[control].pursuit.desired
            report(.changed(desired, origin), control, emit)
        }
        if moves.phaseChanged {
            let phase = controls[control].pursuit.phase
            report(.phase(phase, moves.reason), control, emit)
        }
        if moves.confirmed {
            let confirmed = controls[control].pursuit.confirmed
            report(.confirmed(confirmed), control, emit)
            if settings[control].relation != .none { resetStaleTimer(control) }
        }
        refresh(control, emit)
        if let attempt = moves.cancelled, !abandonSteps(of: attempt, control, emit) {
            emit(.cancel(attempt.action, run: attempt.run), now)
        }
        if let attempt = moves.started, !beginSteps(of: attempt, control) {
            emit(
                .start(
                    attempt.action, run: attempt.run,
                    control: control.id,
                    value: attempt.value, previous: controls[control].pursuit.confirmed,
                    origin: controls[control].pursuit.origin),
                now)
        }
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
            isStarted, controls[control].kind.hasValue, !controls[control].kind.isDerived
        else { return false }
        let outputs = wantedOutputs(control, at: value ?? controls[control].pursuit.desired)
        return !controls[control].interlock.isWritten(outputs)
    }
}
