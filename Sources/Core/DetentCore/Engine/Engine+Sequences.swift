import DetentTypes

/// Actions that the core does by itself, step by step.
extension Engine {
    /// Begins the steps of an attempt; false where its action leaves the core.
    mutating func beginSteps(
        of attempt: AttemptHandle, _ control: ControlIndex
    ) -> Bool {
        let steps = actions[attempt.action].steps
        guard !steps.isEmpty, let relation = relationIndex(control) else { return false }
        relations[relation].sequence.begin(
            steps, attempt.run, root: requestRoot ?? relation, isRoot: requestRoot == nil)
        updateDeadline(of: .relations(relation))
        return true
    }

    /// Gives up the steps of an attempt; false where its action has left the core.
    mutating func abandonSteps(
        of attempt: AttemptHandle, _ control: ControlIndex, _ emit: Emit
    ) -> Bool {
        guard !actions[attempt.action].steps.isEmpty, let relation = relationIndex(control)
        else { return false }
        guard relations[relation].sequence.run == attempt.run else { return true }
        let left = relations[relation].sequence.abandon()
        if let line = left.off { drive(line, .inactive, control, emit) }
        if let action = left.stops { emit(.cancel(action, run: attempt.run), now) }
        updateDeadline(of: .relations(relation))
        return true
    }

    /// Does what is due, until something takes time.
    mutating func fireSequence(_ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit) {
        let due = relations[relation].sequence.deadlineReached(at: now)
        if let line = due.off { drive(line, .inactive, control, emit) }
        if let action = due.timedOut {
            emit(.cancel(action, run: relations[relation].sequence.run), now)
            return endSequence(.timedOut, control, relation, emit)
        }
        while let place = relations[relation].sequence.dueStep {
            guard isChainShort() else {
                return endSequence(.failed(.stepFailed), control, relation, emit)
            }
            if let failure = doStep(sequenceSteps[Int(place)], control, relation, emit) {
                return endSequence(.failed(failure), control, relation, emit)
            }
        }
        if relations[relation].sequence.isDone {
            endSequence(.succeeded, control, relation, emit)
        }
    }

    /// Does one step, or begins it.
    ///
    /// - Returns: why it failed; nil where it did not.
    private mutating func doStep(
        _ step: SequenceStep, _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) -> ActionFailure? {
        switch step {
        case .set(let id, let value), .fire(let id, let value):
            return requestStep(id, value, control, relation, emit)
        case .change(let id, let distance):
            let other = ControlIndex(id)
            guard controls.contains(other),
                let value = controls[other].nature.changed(controls[other].shown, by: distance)
            else { return .stepFailed }
            return requestStep(id, value, control, relation, emit)
        case .copy(let id, let source, let factor):
            let number = value(of: source)
            guard number != .unknown else { return .valueUnknown(source.control) }
            let (product, isTooLarge) = number.raw.multipliedReportingOverflow(by: factor)
            guard !isTooLarge else { return .stepFailed }
            return requestStep(id, Value(product), control, relation, emit)
        case .choose(let source, let count):
            let chosen = value(of: source)
            guard chosen != .unknown else { return .valueUnknown(source.control) }
            guard let place = relations[relation].sequence.dueStep, chosen.raw >= 0,
                chosen.raw < Int32(count)
            else { return .stepFailed }
            relations[relation].sequence.skip(count)
            let step = sequenceSteps[Int(place) &+ 1 &+ Int(chosen.raw)]
            return doStep(step, control, relation, emit)
        case .drive(let line, let level):
            relations[relation].sequence.write(line, level)
            drive(line, level, control, emit)
        case .pulse(let line, let span):
            relations[relation].sequence.write(
                line, .active, pulse: max(span, TimeSpan(nanoseconds: 1)))
            drive(line, .active, control, emit)
        case .wait(let span):
            relations[relation].sequence.wait(until: now + span)
        case .run(let action):
            return runStep(action, control, relation, emit)
        }
        return nil
    }

    /// Begins an action of a step that leaves the core.
    private mutating func runStep(
        _ action: ActionID, _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) -> ActionFailure? {
        guard actions.contains(action) else { return .stepFailed }
        if actions[action].values.count != 0, let missing = missingValue(of: action) {
            return .valueUnknown(missing)
        }
        let timeout = actions[action].timeout
        relations[relation].sequence.started(
            action, timeoutAt: timeout.map { now + $0 } ?? .never)
        tellStart(
            of: action, relations[relation].sequence.run,
            controls[control].work.attemptValue ?? .on, control, emit)
        return nil
    }

    /// Asks another control, which may answer at once.
    private mutating func requestStep(
        _ id: ControlID, _ value: Value, _ control: ControlIndex, _ relation: RelationIndex,
        _ emit: Emit
    ) -> ActionFailure? {
        relations[relation].sequence.await(id, value)
        let other = ControlIndex(id)
        guard controls.contains(other), other != control, depth < EngineLimits.chainDepth else {
            return .stepFailed
        }
        let root = relations[relation].sequence.root
        guard relations[root].sequence.countRequest() else {
            counters.cutRequests &+= 1
            _ = refuse(.busy, other, .control, emit)
            return .stepFailed
        }
        depth &+= 1
        let outer = requestRoot
        requestRoot = root
        defer { requestRoot = outer }
        let answer =
            controls[other].nature.hasValue
            ? request(value, of: other, .control, emit)
            : fire(value, of: other, .control, isConfirmed: false, emit)
        depth &-= 1
        guard answer.isAccepted else { return .stepFailed }
        reevaluateAwaited(control, relation, emit)
        return nil
    }

    /// Looks at the control whose end the sequence awaits.
    mutating func reevaluateAwaited(
        _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        guard let awaited = relations[relation].sequence.awaited,
            controls.contains(ControlIndex(awaited.control))
        else { return }
        let other = controls[ControlIndex(awaited.control)]
        // Another value was asked for meanwhile: this one is not to stay.
        let isWanted = !other.nature.hasValue || other.state.desired == awaited.value
        switch other.state.phase {
        case .pending, .loading:
            if isWanted { return }
            return endSequence(.failed(.stepFailed), control, relation, emit)
        case .failed:
            return endSequence(.failed(.stepFailed), control, relation, emit)
        case .idle:
            let isDone = !other.nature.hasValue || other.state.actual == awaited.value
            guard isWanted, isDone else {
                // Its device is being asked, or it is over without having come true.
                if isWanted, other.work.attemptValue != nil { return }
                return endSequence(.failed(.stepFailed), control, relation, emit)
            }
            relations[relation].sequence.stepDone()
            updateDeadline(of: .relations(relation))
        }
    }

    /// An action that left the core has left its queue: the step's own timeout counts from here,
    /// that of all steps does not.
    mutating func stepStarted(_ relation: RelationIndex) {
        guard let action = relations[relation].sequence.runningAction else { return }
        guard let timeout = actions[action].timeout else { return }
        relations[relation].sequence.started(action, timeoutAt: now + timeout)
        updateDeadline(of: .relations(relation))
    }

    /// An action that left the core has ended.
    mutating func stepEnded(
        _ outcome: ActionOutcome, _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        guard relations[relation].sequence.runningAction != nil else {
            counters.ignoredEvents &+= 1  // this step has left nothing outside
            return
        }
        guard outcome == .succeeded else {
            return endSequence(outcome, control, relation, emit)
        }
        relations[relation].sequence.stepDone()
        updateDeadline(of: .relations(relation))
    }

    /// An output that a step drives was really written.
    mutating func stepWritten(_ line: LineID, _ level: Level, _ control: ControlIndex) {
        guard let relation = relationIndex(control) else { return }
        relations[relation].sequence.written(line, level, at: now)
        updateDeadline(of: .relations(relation))
    }

    /// A line cannot be used: a step that drives it has failed.
    mutating func stepLineFailed(
        _ line: LineID, _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        guard relations[relation].sequence.drivenLine == line else { return }
        endSequence(.failed(.stepFailed), control, relation, emit)
    }

    /// The steps are over.
    ///
    /// Where one failed after others were done, the state of the device is unknown: the actual
    /// value is unknown, and a revert runs the action of the value that it returns to.
    private mutating func endSequence(
        _ outcome: ActionOutcome, _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        let run = relations[relation].sequence.run
        if outcome != .succeeded, relations[relation].sequence.hasActed {
            controls[control].markUncertain(run)
        }
        let left = relations[relation].sequence.abandon()
        if let line = left.off { drive(line, .inactive, control, emit) }
        updateDeadline(of: .relations(relation))
        finishAttempt(run, outcome, control, emit)
    }
}
