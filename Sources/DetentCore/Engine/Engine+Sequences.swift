import DetentTypes

/// Actions that the core does by itself, step by step.
extension Engine {
    /// Begins the steps of an attempt; false where its action leaves the core.
    mutating func beginSteps(
        of attempt: Pursuit.Attempt, _ control: Int, at now: Instant
    ) -> Bool {
        let steps = actions[Int(attempt.action.index)].steps
        guard !steps.isEmpty, let rule = rulesPlace(control) else { return false }
        rules[rule].sequence.begin(
            steps, attempt.run, root: asking ?? rule, isRoot: asking == nil)
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
        return true
    }

    /// Gives up the steps of an attempt; false where its action has left the core.
    mutating func abandonSteps(
        of attempt: Pursuit.Attempt, _ control: Int, at now: Instant, _ emit: Emit
    ) -> Bool {
        guard !actions[Int(attempt.action.index)].steps.isEmpty, let rule = rulesPlace(control)
        else { return false }
        guard rules[rule].sequence.run == attempt.run else { return true }
        let left = rules[rule].sequence.abandon()
        if let line = left.off { drive(line, .inactive, control, at: now, emit) }
        if let action = left.stops { emit(.cancel(action, run: attempt.run), now) }
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
        return true
    }

    /// Does what is due, until something takes time.
    mutating func fireSequence(_ control: Int, _ rule: Int, at now: Instant, _ emit: Emit) {
        let due = rules[rule].sequence.deadlineReached(at: now)
        if let line = due.off { drive(line, .inactive, control, at: now, emit) }
        if let action = due.timedOut {
            emit(.cancel(action, run: rules[rule].sequence.run), now)
            return endSequence(.timedOut, control, rule, at: now, emit)
        }
        while let place = rules[rule].sequence.dueStep {
            guard isChainShort() else {
                return endSequence(.failed(.stepFailed), control, rule, at: now, emit)
            }
            guard doStep(sequenceSteps[Int(place)], control, rule, at: now, emit) else {
                return endSequence(.failed(.stepFailed), control, rule, at: now, emit)
            }
        }
        if rules[rule].sequence.isDone {
            endSequence(.succeeded, control, rule, at: now, emit)
        }
    }

    /// Does one step, or begins it; false where it failed.
    private mutating func doStep(
        _ step: SequenceStep, _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) -> Bool {
        switch step {
        case .set(let id, let value):
            rules[rule].sequence.await(id, value)
            return ask(id, value, control, rule, at: now, emit)
        case .fire(let id, let value):
            rules[rule].sequence.await(id, value)
            return ask(id, value, control, rule, at: now, emit)
        case .drive(let line, let level):
            rules[rule].sequence.write(line, level)
            drive(line, level, control, at: now, emit)
            return true
        case .pulse(let line, let span):
            rules[rule].sequence.write(
                line, .active, pulse: max(span, TimeSpan(nanoseconds: 1)))
            drive(line, .active, control, at: now, emit)
            return true
        case .wait(let span):
            rules[rule].sequence.wait(until: now + span)
            return true
        case .run(let action):
            guard Int(action.index) < actions.count else { return false }
            let timeout = actions[Int(action.index)].timeout
            rules[rule].sequence.started(
                action, timeoutAt: timeout.map { now + $0 } ?? .never)
            emit(
                .start(
                    action, run: rules[rule].sequence.run,
                    control: ControlID(UInt16(truncatingIfNeeded: control)),
                    value: controls[control].pursuit.attemptValue ?? .on,
                    previous: controls[control].pursuit.confirmed,
                    origin: controls[control].pursuit.origin),
                now)
            return true
        }
    }

    /// Asks another control, which may answer at once.
    private mutating func ask(
        _ id: ControlID, _ value: Value, _ control: Int, _ rule: Int, at now: Instant,
        _ emit: Emit
    ) -> Bool {
        let other = Int(id.index)
        guard other < controls.count, other != control, depth < EngineLimits.chainDepth else {
            return false
        }
        let root = rules[rule].sequence.root
        guard rules[root].sequence.countRequest() else {
            counters.cutRequests &+= 1
            _ = refuse(.busy, other, .control, at: now, emit)
            return false
        }
        depth &+= 1
        let outer = asking
        asking = root
        defer { asking = outer }
        let answer =
            controls[other].kind.hasValue
            ? request(value, of: other, .control, at: now, emit)
            : fire(value, of: other, .control, isConfirmed: false, at: now, emit)
        depth &-= 1
        guard answer.isAccepted else { return false }
        reconsiderAwaited(control, rule, at: now, emit)
        return true
    }

    /// Looks at the control whose end the sequence awaits.
    mutating func reconsiderAwaited(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        guard let awaited = rules[rule].sequence.awaited,
            Int(awaited.control.index) < controls.count
        else { return }
        let other = controls[Int(awaited.control.index)]
        // Somebody asks for another value meanwhile: this one is not to stay.
        let isWanted = !other.kind.hasValue || other.pursuit.desired == awaited.value
        switch other.pursuit.phase {
        case .pending, .loading:
            if isWanted { return }
            return endSequence(.failed(.stepFailed), control, rule, at: now, emit)
        case .failed:
            return endSequence(.failed(.stepFailed), control, rule, at: now, emit)
        case .idle:
            let isDone = !other.kind.hasValue || other.pursuit.actual == awaited.value
            guard isWanted, isDone else {
                // Its device is being asked, or it is over without having come true.
                if isWanted, other.pursuit.attemptValue != nil { return }
                return endSequence(.failed(.stepFailed), control, rule, at: now, emit)
            }
            rules[rule].sequence.stepDone()
            deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
        }
    }

    /// An action that left the core has left its queue: the step's own timeout counts from here,
    /// that of all steps does not.
    mutating func stepStarted(_ rule: Int, at now: Instant) {
        guard let action = rules[rule].sequence.runningAction else { return }
        guard let timeout = actions[Int(action.index)].timeout else { return }
        rules[rule].sequence.started(action, timeoutAt: now + timeout)
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
    }

    /// An action that left the core has ended.
    mutating func stepEnded(
        _ outcome: ActionOutcome, _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        guard rules[rule].sequence.runningAction != nil else {
            counters.ignoredEvents &+= 1  // nobody outside has a part in this step
            return
        }
        guard outcome == .succeeded else {
            return endSequence(outcome, control, rule, at: now, emit)
        }
        rules[rule].sequence.stepDone()
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
    }

    /// An output that a step drives was really written.
    mutating func stepWritten(_ line: LineID, _ level: Level, _ control: Int, at now: Instant) {
        guard let rule = rulesPlace(control) else { return }
        rules[rule].sequence.written(line, level, at: now)
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
    }

    /// A line cannot be used: a step that drives it has failed.
    mutating func stepLineFailed(
        _ line: LineID, _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        guard rules[rule].sequence.drivenLine == line else { return }
        endSequence(.failed(.stepFailed), control, rule, at: now, emit)
    }

    /// The steps are over.
    ///
    /// Where one failed after others were done, nobody knows what the device does now: the actual
    /// value is unknown, and a revert runs the action of the value that it returns to.
    private mutating func endSequence(
        _ outcome: ActionOutcome, _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        let run = rules[rule].sequence.run
        if outcome != .succeeded, rules[rule].sequence.hasActed {
            controls[control].pursuit.doubt(run)
        }
        let left = rules[rule].sequence.abandon()
        if let line = left.off { drive(line, .inactive, control, at: now, emit) }
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
        finishAttempt(run, outcome, control, at: now, emit)
    }

    private mutating func drive(
        _ line: LineID, _ level: Level, _ control: Int, at now: Instant, _ emit: Emit
    ) {
        emit(.drive(line, level), now)
        report(.output(line, level), control, at: now, emit)
    }
}
