import DetentTypes

/// Requests: a control is asked for a value, or to run the action of an event.
extension Engine {
    mutating func handleIntent(
        _ id: ControlID, _ value: Value, _ origin: Origin, _ request: RequestID, _ emit: Emit
    ) {
        var answer = Answer.noControl
        if let control = existing(id) {
            answer = self.request(value, of: control, origin, emit)
        }
        if request != .none { emit(.answer(request, id, answer), now) }
    }

    mutating func handleFire(
        _ id: ControlID, _ value: Value, _ origin: Origin, _ isConfirmed: Bool,
        _ request: RequestID, _ emit: Emit
    ) {
        var answer = Answer.noControl
        if let control = existing(id) {
            answer = fire(value, of: control, origin, isConfirmed: isConfirmed, emit)
        }
        if request != .none { emit(.answer(request, id, answer), now) }
    }

    /// Closes the list of a control: nothing is chosen, and what is being confirmed is given up.
    mutating func handleClose(_ id: ControlID, _ origin: Origin, _ emit: Emit) {
        guard let control = existing(id), let relation = relationIndex(control) else { return }
        abandonConfirmation(control, relation, emit)
        closeMenu(control, relation, by: origin, emit)
    }

    /// Asks a control for a value.
    ///
    /// - Parameters:
    ///   - isApplied: a form is being applied: its members take the value rather than stage it.
    ///   - isForced: a time is over: neither disabled, busy nor staging stands in the way.
    mutating func request(
        _ value: Value, of control: ControlIndex, _ origin: Origin, isApplied: Bool = false,
        isForced: Bool = false, _ emit: Emit
    ) -> Answer {
        let nature = controls[control].nature
        guard nature.hasValue, !settings[control].isReported else {
            return refuse(.unsupported, control, origin, emit)
        }
        guard nature.accepts(value) else {
            return refuse(.outOfRange, control, origin, emit)
        }
        var response = isForced ? Response.end(value) : .set(value)
        if nature.role == .group { response = .setMembers(value) }
        guard let relation = relationIndex(control) else {
            return execute(response, control, origin, emit)
        }
        if controls[control].relationFlags.contains(.disabled), !isForced {
            return refuse(.disabled, control, origin, emit)
        }
        if !relationSettings[relation].confirm.allowsRemote, !isForced {
            return refuse(.guarded, control, origin, emit)
        }
        if case .member(let form) = relationSettings[relation].form, !isApplied, !isForced {
            return stage(value, control, form, origin, emit)
        }
        return execute(response, control, relation, origin, emit)
    }

    /// Asks a control to run the action of an event.
    mutating func fire(
        _ value: Value, of control: ControlIndex, _ origin: Origin, isConfirmed: Bool, _ emit: Emit
    ) -> Answer {
        guard controls[control].nature.fires(value) else {
            let isOutOfRange = controls[control].nature.fires(.off)
            return refuse(
                isOutOfRange ? .outOfRange : .unsupported, control, origin, emit)
        }
        guard let relation = relationIndex(control) else {
            return execute(.fire(value), control, origin, emit)
        }
        if controls[control].relationFlags.contains(.disabled) {
            return refuse(.disabled, control, origin, emit)
        }
        guard !isSubmenu(value, relation) else {
            return refuse(.outOfRange, control, origin, emit)
        }
        let contract = confirmation(for: value, relation)
        guard contract.allowsRemote else {
            return refuse(.guarded, control, origin, emit)
        }
        guard contract == .none || isConfirmed else {
            return refuse(.needsConfirmation, control, origin, emit)
        }
        return execute(.fire(value), control, relation, origin, emit)
    }

    /// Tells that an intent was refused; gives the answer to it.
    mutating func refuse(
        _ refusal: Refusal, _ control: ControlIndex, _ origin: Origin, _ emit: Emit
    ) -> Answer {
        counters.refusedIntents &+= 1
        let owner = acting(control).map { ControlIndex($0.owner) } ?? control
        report(.refused(refusal, origin), owner, emit)
        refresh(control, emit)
        return .refused(refusal)
    }

    mutating func existing(_ id: ControlID) -> ControlIndex? {
        guard controls.contains(ControlIndex(id)) else {
            counters.ignoredEvents &+= 1
            return nil
        }
        return ControlIndex(id)
    }
}
