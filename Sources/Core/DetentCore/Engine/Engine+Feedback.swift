import DetentTypes

/// What is known from elsewhere than the panel: saved values, answers and the word of devices.
extension Engine {
    mutating func handleSaved(_ id: ControlID, _ value: Value) {
        guard let control = existing(id) else { return }
        guard !isStarted, controls[control].nature.accepts(value) else {
            counters.ignoredEvents &+= 1
            return
        }
        controls[control].saved = value
    }

    /// A question has been answered; a value that the control cannot take is no answer.
    @inline(never)
    mutating func handleAnswered(
        _ id: ControlID, _ run: RunID, _ value: Value, _ emit: Emit
    ) {
        guard let control = existing(id) else { return }
        let isPossible = controls[control].nature.accepts(value)
        if !isPossible { counters.ignoredEvents &+= 1 }
        var context = attemptContext(control)
        controls[control].answered(run, isPossible ? value : nil, &context)
        applyChanges(of: context, control, .device, emit)
    }

    /// A device reported a value. The answer to a question from before the last intent, or from
    /// before its attempt began or ended, is out of date.
    @inline(never)
    mutating func handleFeedback(
        _ id: ControlID, _ value: Value, asked: Instant, _ emit: Emit
    ) {
        guard let control = existing(id) else { return }
        guard isStarted, controls[control].nature.accepts(value),
            !controls[control].nature.isDerived,
            asked >= controls[control].work.changedAt
        else {
            counters.ignoredEvents &+= 1
            return
        }
        controls[control].relationFlags.remove(.stale)
        resetStaleTimer(control)
        switch settings[control].startup.rule {
        case .saved, .device: controls[control].startsAt = .never  // there is nothing left to find
        case .panel, .value: break
        }
        if holdReport(control, value, isAnswer: asked != .never) { return refresh(control, emit) }
        applyChanges(
            controls[control].deviceReported(value), control, .device, emit)
    }

    /// Puts off a report that differs from what was just brought about, while the device may lag
    /// behind; whether it did. An answer is dropped instead: the device is asked again.
    private mutating func holdReport(
        _ control: ControlIndex, _ value: Value, isAnswer: Bool
    ) -> Bool {
        guard let relation = relationIndex(control) else { return false }
        forgetHeld(relation)
        let work = controls[control].work
        let until = work.changedAt + relationSettings[relation].lag
        let actual = controls[control].state.actual
        guard now < until, work.changedAt != .zero, work.load == .idle, actual != .unknown,
            value != actual
        else { return false }
        if isAnswer { return true }
        relations[relation].held = value
        relations[relation].heldUntil = until
        updateDeadline(of: .relations(relation))
        return true
    }

    private mutating func forgetHeld(_ relation: RelationIndex) {
        relations[relation].held = .unknown
        relations[relation].heldUntil = .never
        updateDeadline(of: .relations(relation))
    }

    /// The device says the same for too long to mean an old value: it counts, unless something
    /// newer was asked for.
    @inline(never)
    mutating func releaseReport(
        _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        let value = relations[relation].held
        let until = controls[control].work.changedAt + relationSettings[relation].lag
        forgetHeld(relation)
        // At the end of time everything is due, also what is not held.
        guard until <= now, value != .unknown else { return }
        applyChanges(
            controls[control].deviceReported(value), control, .device, emit)
    }

    /// Nothing is heard of a device any more: what it said last may be wrong by now.
    @inline(never)
    mutating func handleFeedbackLost(_ id: ControlID, _ emit: Emit) {
        guard let control = existing(id) else { return }
        guard isStarted, controls[control].nature.hasValue, !controls[control].nature.isDerived
        else {
            counters.ignoredEvents &+= 1
            return
        }
        if let relation = relationIndex(control) {
            relations[relation].staleAt = .never
            // It may be wrong by now, too.
            forgetHeld(relation)
        }
        controls[control].relationFlags.insert(.stale)
        refresh(control, emit)
    }

    /// The value that the line of a device's feedback says, after debounce; nil without a line, and
    /// while the line cannot be used.
    @inline(__always)
    func reportedByLine(_ control: ControlIndex) -> Value? {
        guard let line = settings[control].feedbackLine else { return nil }
        let input = lines[LineIndex(line.index)]
        return input.isFaulty || input.reported == .unknown ? nil : input.reported
    }

    /// The line of a device's feedback has another level, or is first known.
    @inline(never)
    mutating func feedbackLineChanged(_ line: LineIndex, _ level: Level, _ emit: Emit) {
        let value: Value = level == .active ? .on : .off
        lines[line].reported = value
        handleFeedback(ControlIndex(lines[line].control).id, value, asked: .never, emit)
    }

    /// Takes the lines of feedback as they are, after the controls have started.
    mutating func startFeedback(_ emit: Emit) {
        for control in controls.indices where controls[control].continuity != .everything {
            guard let line = settings[control].feedbackLine else { continue }
            let index = LineIndex(line.index)
            if !lines[index].isFaulty { feedbackLineChanged(index, lines[index].filter.raw, emit) }
        }
    }
}
