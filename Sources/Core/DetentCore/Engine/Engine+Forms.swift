import DetentTypes

/// Forms: values that are staged first, and applied or dropped together.
extension Engine {
    /// Keeps what a form will ask for; refused where the form is disabled.
    mutating func stage(
        _ value: Value, _ control: ControlIndex, _ form: ControlID, _ origin: Origin, _ emit: Emit
    ) -> Answer {
        guard !isDisabled(form) else {
            return refuse(.disabled, control, origin, emit)
        }
        stage(value == controls[control].state.desired ? .unknown : value, control, emit)
        refresh(control, emit)
        return .accepted
    }

    /// Sets what is staged; unknown: nothing any more.
    mutating func stage(_ staged: Value, _ control: ControlIndex, _ emit: Emit) {
        guard staged != controls[control].staged else { return }
        controls[control].staged = staged
        report(.staged(staged), control, emit)
    }

    private func isDisabled(_ form: ControlID) -> Bool {
        controls.contains(ControlIndex(form))
            && controls[ControlIndex(form)].relationFlags.contains(.disabled)
    }

    /// Asks every member for what is staged; a member that refuses keeps what is staged for another
    /// try, and the first refusal is the answer.
    mutating func apply(
        _ form: ControlID, by button: ControlIndex, _ origin: Origin, _ emit: Emit
    ) -> Answer {
        guard !isDisabled(form) else {
            return refuse(.disabled, button, origin, emit)
        }
        guard let relation = formRelation(form), depth < EngineLimits.chainDepth else {
            return refuse(.busy, button, origin, emit)
        }
        depth &+= 1
        defer { depth &-= 1 }
        tellFired(button, origin, emit)
        var answer = Answer.accepted
        for place in relationSettings[relation].members.places {
            guard let member = linked(place), controls[member].staged != .unknown else { continue }
            let value = controls[member].staged
            let ofMember = request(
                value, of: member, .control, isApplied: true, emit)
            if ofMember.isAccepted { stage(.unknown, member, emit) }
            if answer.isAccepted { answer = ofMember }
        }
        // The form and the button show their new state with the answer.
        if let place = relationIndex(ControlIndex(form)) {
            updateAggregate(ControlIndex(form), place, origin, emit)
        }
        if let place = relationIndex(button) { updateAggregate(button, place, origin, emit) }
        refresh(button, emit)
        return answer
    }

    /// Drops what is staged.
    mutating func cancel(
        _ form: ControlID, by button: ControlIndex, _ origin: Origin, _ emit: Emit
    ) -> Answer {
        guard let relation = formRelation(form) else {
            return refuse(.busy, button, origin, emit)
        }
        tellFired(button, origin, emit)
        for place in relationSettings[relation].members.places {
            guard let member = linked(place), controls[member].staged != .unknown else { continue }
            stage(.unknown, member, emit)
            refresh(member, emit)
        }
        refresh(button, emit)
        return .accepted
    }

    private func formRelation(_ form: ControlID) -> RelationIndex? {
        controls.contains(ControlIndex(form)) ? relationIndex(ControlIndex(form)) : nil
    }

    /// A form is on while something is staged, and its phase is the worst of its members'.
    func formAggregate(_ relation: RelationIndex) -> Aggregate {
        var worst = (phase: Phase.idle, reason: Reason.none)
        var isStaged = false
        for place in relationSettings[relation].members.places {
            guard let member = linked(place) else { continue }
            worst = Self.worse(worst, shownPhase(member))
            if controls[member].staged != .unknown { isStaged = true }
        }
        let value: Value = isStaged ? .on : .off
        return Aggregate(
            desired: value, actual: value, phase: worst.phase, reason: worst.reason)
    }
}
