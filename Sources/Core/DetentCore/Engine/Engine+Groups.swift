import DetentTypes

/// Controls whose state is derived from others: groups, indicators, and the buttons of forms.
extension Engine {
    /// Takes over what others say, for a control that follows them, and tells what is new.
    mutating func updateAggregate(
        _ control: ControlIndex, _ relation: RelationIndex, _ origin: Origin, _ emit: Emit
    ) {
        guard let aggregate = aggregate(of: control, relation) else { return }
        let before = controls[control].state.actual
        let changes = controls[control].state.mirror(aggregate)
        guard !changes.reports.isEmpty || aggregate.actual != before else { return }
        applyChanges(changes, control, origin, emit)
    }

    /// What others make of a control; nil where it does not follow them.
    ///
    /// An indicator and a group are told like controls without an action, as changed and at once
    /// confirmed: remote listeners have nothing else to show them by.
    mutating func aggregate(of control: ControlIndex, _ relation: RelationIndex) -> Aggregate? {
        switch controls[control].nature.role {
        case .mirror: return mirrorAggregate(control, relation)
        case .group: return groupAggregate(control, relation)
        case .form: return formAggregate(relation)
        case .device: return nil
        case .events: break
        }
        guard case .apply(let form) = relationSettings[relation].form,
            controls.contains(ControlIndex(form))
        else { return nil }
        let state = controls[control].state
        return Aggregate(
            desired: state.desired, actual: state.actual,
            phase: controls[ControlIndex(form)].state.phase,
            reason: controls[ControlIndex(form)].state.failure)
    }

    /// An indicator is lit as the lamp of the other control, but for what is only staged: it may
    /// drive an output.
    private mutating func mirrorAggregate(_ control: ControlIndex, _ relation: RelationIndex)
        -> Aggregate
    {
        guard let shown = relationSettings[relation].shows, controls.contains(ControlIndex(shown))
        else {
            let isOn = isTrue(relationSettings[relation].condition, for: control)
            let value: Value = isOn ? .on : .off
            return Aggregate(desired: value, actual: value, phase: .idle, reason: .none)
        }
        let source = controls[ControlIndex(shown)]
        controls[control].relationFlags = source.flags
        controls[control].progress = source.progress
        let value: Value = source.isDriven ? .on : .off
        let worst = shownPhase(ControlIndex(shown))
        return Aggregate(
            desired: value, actual: value, phase: worst.phase, reason: worst.reason)
    }

    /// A group is what its enabled members are; where all are disabled, what they are all the same.
    private mutating func groupAggregate(_ control: ControlIndex, _ relation: RelationIndex)
        -> Aggregate
    {
        let members = relationSettings[relation].members
        var hasEnabled = false
        for place in members.places {
            guard let member = linked(place) else { continue }
            if !controls[member].flags.contains(.disabled) { hasEnabled = true }
        }
        var desired: Value?
        var actual: Value?
        var worst = (phase: Phase.idle, reason: Reason.none)
        for place in members.places {
            guard let member = linked(place) else { continue }
            worst = Self.worse(worst, shownPhase(member))
            if hasEnabled, controls[member].flags.contains(.disabled) { continue }
            desired = Self.sum(desired, controls[member].state.desired)
            actual = Self.sum(actual, controls[member].state.actual)
        }
        if desired == .mixed {
            controls[control].relationFlags.insert(.mixed)
        } else {
            controls[control].relationFlags.remove(.mixed)
        }
        if !hasEnabled { controls[control].relationFlags.insert(.disabled) }
        if hasEnabled, relationSettings[relation].condition.isEmpty {
            controls[control].relationFlags.remove(.disabled)
        }
        return Aggregate(
            desired: desired ?? .off, actual: actual ?? .unknown, phase: worst.phase,
            reason: worst.reason)
    }

    private static func sum(_ sum: Value?, _ next: Value) -> Value {
        guard let sum else { return next }
        if sum == .unknown || next == .unknown { return .unknown }
        return sum == next ? sum : .mixed
    }

    /// The phase that needs more attention, and why it began; of two equal ones the first.
    static func worse(
        _ one: (phase: Phase, reason: Reason), _ other: (phase: Phase, reason: Reason)
    ) -> (phase: Phase, reason: Reason) {
        one.phase.rawValue >= other.phase.rawValue ? one : other
    }

    /// The control that a link names; nil if there is no such control.
    func linked(_ place: Int) -> ControlIndex? {
        let control = ControlIndex(links[place])
        return controls.contains(control) ? control : nil
    }

    /// Asks all members for a value that were enabled when this began; the answer is the first
    /// refusal of one, if there is any.
    ///
    /// The group is what its members are from now on, so a request that follows sees its new state.
    mutating func setMembers(
        of control: ControlIndex, to value: Value, _ origin: Origin, _ emit: Emit
    ) -> Answer {
        guard let relation = relationIndex(control), depth < EngineLimits.chainDepth else {
            return refuse(.busy, control, origin, emit)
        }
        depth &+= 1
        defer { depth &-= 1 }
        var answer = Answer.accepted
        for place in relationSettings[relation].members.places {
            guard let member = linked(place), isChainShort(),
                !controls[member].flags.contains(.disabled)
            else { continue }
            let ofMember = request(value, of: member, .control, emit)
            if answer.isAccepted { answer = ofMember }
        }
        updateAggregate(control, relation, origin, emit)
        refresh(control, emit)
        return answer
    }

}
