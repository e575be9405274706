import DetentTypes

/// Conditions: what disables a control, and what happens when it is enabled again.
extension Engine {
    /// Looks at the others again.
    mutating func reevaluate(_ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit) {
        let wasDisabled = controls[control].relationFlags.contains(.disabled)
        let flags = controls[control].relationFlags
        let progress = controls[control].progress
        evaluateCondition(control)
        updateAggregate(control, relation, .control, emit)
        if case .chord = relationSettings[relation].confirm {
            reevaluateChord(control, relation, emit)
        }
        reevaluateAwaited(control, relation, emit)
        guard controls[control].relationFlags != flags || controls[control].progress != progress
        else { return }
        let isDisabled = controls[control].relationFlags.contains(.disabled)
        if !wasDisabled, isDisabled {
            abandonConfirmation(control, relation, emit)
            closeMenu(control, relation, by: .panel, emit)
        }
        refresh(control, emit)
        if wasDisabled, !isDisabled { enabled(control, relation, emit) }
    }

    /// Sets whether a control is disabled by its condition.
    mutating func evaluateCondition(_ control: ControlIndex) {
        guard let relation = relationIndex(control), !relationSettings[relation].condition.isEmpty
        else { return }
        if controls[control].nature.role == .mirror { return }
        if isTrue(relationSettings[relation].condition, for: control) {
            controls[control].relationFlags.remove(.disabled)
        } else {
            controls[control].relationFlags.insert(.disabled)
        }
    }

    /// Works out the condition of a control.
    func isTrue(_ condition: PlanRange, for control: ControlIndex) -> Bool {
        var truths = TruthStack()
        for place in condition.places {
            switch conditionSteps[place] {
            case .compare(let id, let comparison, let value):
                let isThere = controls.contains(ControlIndex(id))
                truths.push(
                    isThere
                        && comparison.holds(controls[ControlIndex(id)].state.actual, value))
            case .any(let trouble): truths.push(hasOther(than: control, trouble))
            case .brokerIsOffline: truths.push(isBrokerOffline)
            case .and: truths.and()
            case .or: truths.or()
            case .not: truths.not()
            }
        }
        return truths.result
    }

    /// Under `follow` a part that holds a position is believed where its state is to meet it.
    /// Without one, a device that was never heard is asked; where it cannot be asked, the shown
    /// value is made true.
    private mutating func enabled(
        _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        guard relationSettings[relation].onEnable == .follow, controls[control].nature.hasValue,
            controls[control].startsAt == .never, !isShut(control)
        else { return }
        let position = controls[control].position
        if controls[control].nature.accepts(position), settings[control].mismatch.showsMismatch {
            let response = controls[control].nature.response(for: position)
            _ = execute(response, control, relation, .panel, emit)
            return
        }
        guard !controls[control].nature.isDerived else { return }
        let desired = controls[control].state.desired
        guard controls[control].state.actual != desired, controls[control].nature.accepts(desired)
        else { return }
        if case .device = settings[control].startup.rule,
            controls[control].state.confirmed == .unknown, queryDevice(control, emit)
        {
            return
        }
        _ = execute(.set(desired), control, relation, .control, emit)
    }
}
