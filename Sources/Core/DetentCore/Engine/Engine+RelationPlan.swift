public import DetentTypes

/// The rules of a plan: what controls have to do with each other.
extension Engine {
    /// Adds rules; the links, steps and items that they name have been added before, and
    /// `addControl` gives them to a control. Controls that they name may follow.
    ///
    /// - Returns: their place, counted from 0 in the order of these calls.
    public mutating func addRelations(_ settings: RelationSettings) throws(EngineError)
        -> RelationID
    {
        let place = relations.count
        try check(settings.members, within: links.count)
        try check(settings.listeners, within: links.count)
        try check(settings.condition, within: conditionSteps.count)
        try checkTruths(of: settings.condition)
        if let navigation = settings.navigation {
            guard navigation.count > 0, navigation.count <= EngineLimits.options else {
                throw .outOfRange
            }
            try check(navigation.items, within: items.count)
            guard navigation.items.isEmpty || navigation.items.count == UInt16(navigation.count)
            else { throw .outOfRange }
            for place in navigation.items.places {
                let parent = UInt16(items[place].parent)
                guard
                    parent == UInt16(MenuItem.topLevel)
                        || parent < navigation.items.count
                            && items[Int(navigation.items.first) + Int(parent)].isSubmenu
                else { throw .noSuchRelation }
            }
        }
        var relation = Relations()
        for step in settings.condition.places where conditionSteps[step].isOfPanel {
            relation.looksAtPanel = true
            isLookedAt = true
        }
        guard place < EngineLimits.identifiers, relations.append(relation),
            relationSettings.append(settings)
        else { throw .capacityExceeded }
        return RelationID(UInt16(place))
    }

    /// Adds a link to a control, which need not have been added yet.
    public mutating func addLink(_ control: ControlID) throws(EngineError) {
        guard Int(control.index) < controls.capacity else { throw .noSuchRelation }
        guard links.append(control) else { throw .capacityExceeded }
    }

    /// Adds a step of a condition.
    public mutating func addConditionStep(_ step: ConditionStep) throws(EngineError) {
        guard conditionSteps.append(step) else { throw .capacityExceeded }
    }

    /// Adds a step of an action.
    public mutating func addSequenceStep(_ step: SequenceStep) throws(EngineError) {
        guard sequenceSteps.append(step) else { throw .capacityExceeded }
    }

    /// Adds an item of a menu; a chord is the contract of a whole control only.
    public mutating func addItem(_ item: MenuItem) throws(EngineError) {
        if case .chord = item.confirm { throw .outOfRange }
        guard items.append(item) else { throw .capacityExceeded }
    }

    func checkRelation(of control: ControlSettings) throws(EngineError) {
        if control.hasGuard, control.contacts.count == 0 { throw .outOfRange }
        guard control.relation != .none else { return }
        guard relations.contains(RelationIndex(control.relation.index)),
            relations[RelationIndex(control.relation.index)].control == .max
        else { throw .noSuchRelation }
        let settings = relationSettings[RelationIndex(control.relation.index)]
        guard control.hasGuard || !needsGuard(settings) else { throw .outOfRange }
        if let returning = settings.returning {
            guard returning.after > .zero, control.nature.accepts(returning.value) else {
                throw .outOfRange
            }
        }
    }

    private func needsGuard(_ settings: RelationSettings) -> Bool {
        if settings.confirm == .guarded { return true }
        for place in (settings.navigation?.items ?? .none).places
        where items[place].confirm == .guarded {
            return true
        }
        return false
    }

    /// Steps drive the control's own lines, begin actions that leave the core, and need rules to
    /// be counted in.
    func checkSteps(of action: ActionID, _ control: ControlSettings) throws(EngineError) {
        let steps = actions[action].steps
        guard !steps.isEmpty else { return }
        guard control.relation != .none else { throw .noSuchRelation }
        for place in steps.places {
            switch sequenceSteps[place] {
            case .drive(let line, _), .pulse(let line, _):
                let place = line.index &- control.stepOutputs.first
                guard line.index >= control.stepOutputs.first, place < control.stepOutputs.count
                else { throw .noSuchLine }
            case .run(let other):
                guard actions.contains(other), actions[other].steps.isEmpty
                else { throw .noSuchAction }
            case .choose(_, let count):
                guard count > 0, place + Int(count) < steps.places.upperBound else {
                    throw .noSuchRelation
                }
                for next in (place + 1)...(place + Int(count)) {
                    guard case .set = sequenceSteps[next] else { throw .noSuchRelation }
                }
            case .set, .change, .copy, .fire, .wait:
                break  // controls may follow, and any time may pass
            }
        }
    }

    /// A condition combines only truths that it has, of which 64 may wait, and ends with one.
    private func checkTruths(of condition: PlanRange) throws(EngineError) {
        var truths = 0
        for place in condition.places {
            switch conditionSteps[place] {
            case .compare, .any, .brokerIsOffline: truths &+= 1
            case .and, .or:
                guard truths >= 2 else { throw .outOfRange }
                truths &-= 1
            case .not:
                guard truths >= 1 else { throw .outOfRange }
            }
            guard truths <= TruthStack.capacity else { throw .outOfRange }
        }
        guard truths == 1 || condition.isEmpty else { throw .outOfRange }
    }

    private func check(_ range: PlanRange, within count: Int) throws(EngineError) {
        guard range.places.upperBound <= count || range.isEmpty else { throw .noSuchRelation }
    }
}
