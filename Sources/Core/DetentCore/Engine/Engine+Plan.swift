public import DetentTypes

extension Engine {
    /// Adds a line; `debounce` only where it is a contact.
    ///
    /// - Returns: the line's place, counted from 0 in the order of these calls.
    public mutating func addLine(
        _ debounce: DebounceSettings? = nil
    ) throws(EngineError) -> LineID {
        let place = lines.count
        if case .integrator(let sample, let samples) = debounce?.algorithm,
            samples == 0 || sample == .zero
        {
            throw .outOfRange
        }
        guard place < EngineLimits.identifiers, lines.append(LineState(debounce ?? .none)) else {
            throw .capacityExceeded
        }
        return LineID(UInt16(place))
    }

    /// Adds an action.
    ///
    /// - Returns: the action's place, counted from 0 in the order of these calls.
    public mutating func addAction(_ action: ActionSettings) throws(EngineError) -> ActionID {
        let place = actions.count
        if !action.steps.isEmpty, action.steps.places.upperBound > sequenceSteps.count {
            throw .noSuchRelation
        }
        guard action.values.count <= EngineLimits.valuesPerAction else { throw .outOfRange }
        if !action.values.isEmpty, action.values.places.upperBound > links.count {
            throw .noSuchRelation
        }
        guard place < EngineLimits.identifiers, actions.append(action) else {
            throw .capacityExceeded
        }
        return ActionID(UInt16(place))
    }

    /// Adds a control whose lines and actions have been added before.
    ///
    /// - Returns: the control's place, counted from 0 in the order of these calls.
    public mutating func addControl(
        _ control: ControlSettings
    ) throws(EngineError) -> ControlID {
        let index = ControlIndex(offset: controls.count)
        guard index.offset < EngineLimits.identifiers, index.offset < controls.capacity else {
            throw .capacityExceeded
        }
        try check(control)
        guard controls.append(Control(control)), settings.append(control) else {
            throw .capacityExceeded
        }
        for contact in 0..<control.contacts.count {
            let line = LineIndex(control.contacts.first + contact)
            lines[line].control = index.id.index
            lines[line].contact = UInt8(contact)
            lines[line].isContact = true
        }
        own(control.indicator.lines, by: index)
        own(control.outputs, by: index)
        own(control.stepOutputs, by: index)
        own(control.feedbackLines, by: index)
        for place in control.feedbackLines.places {
            lines[LineIndex(UInt16(place))].isContact = true
            lines[LineIndex(UInt16(place))].isFeedback = true
        }
        if control.relation != .none {
            relations[RelationIndex(control.relation.index)].control = index.id.index
        }
        return index.id
    }

    private func own(_ range: PlanRange, by control: ControlIndex) {
        for offset in 0..<range.count {
            lines[LineIndex(range.first + offset)].control = control.id.index
        }
    }

    private func check(_ control: ControlSettings) throws(EngineError) {
        try check(control.contacts)
        try check(control.indicator.lines)
        try check(control.outputs)
        try check(control.indicator)
        for contact in 0..<control.contacts.count
        where lines[LineIndex(control.contacts.first + contact)].control != LineState.noControl {
            throw .noSuchLine
        }
        try checkDriven(control.indicator.lines, apartFrom: control.contacts)
        try checkDriven(control.outputs, apartFrom: control.contacts)
        try check(control.stepOutputs)
        try checkDriven(control.stepOutputs, apartFrom: control.contacts)
        try check(control.feedbackLines)
        try checkDriven(control.feedbackLines, apartFrom: control.contacts)
        guard control.feedbackLine == nil || control.nature.latch != nil else { throw .outOfRange }
        try checkRelation(of: control)
        let named = control.outputsPresent.nonzeroBitCount
        guard named == Int(control.outputs.count) || (named == 0 && control.outputs.count == 1)
        else { throw .outOfRange }
        let own = control.actions.indices
        guard own.upperBound <= actions.count else { throw .noSuchAction }
        for index in own { try checkSteps(of: ActionID(UInt16(index)), control) }
        if let query = control.query {
            guard actions.contains(query), actions[query].steps.isEmpty
            else { throw .noSuchAction }
        }
        switch control.decoder {
        case .selector(let selector):
            guard selector.positions <= EngineLimits.selectorPositions else { throw .outOfRange }
        case .encoder(let encoder):
            let transitions = encoder.transitions
            guard transitions == 1 || transitions == 2 || transitions == 4 else {
                throw .outOfRange
            }
        case .analog(let analog):
            guard analog.scale.first != analog.scale.last, analog.step > 0,
                analog.minimum < analog.maximum, analog.hysteresis <= EngineLimits.hysteresis,
                analog.positions <= EngineLimits.analogPositions,
                analog.levels == nil || analog.positions <= UInt32(AnalogLevels.maximum),
                control.partContacts == 1
            else { throw .outOfRange }
        case .none, .button, .lever, .buttonRow: break
        }
        try control.nature.check()
    }

    /// A lamp, an output or a line of feedback is no contact, neither of this control nor of
    /// another.
    private func checkDriven(
        _ range: PlanRange, apartFrom contacts: PlanRange
    ) throws(EngineError) {
        for offset in 0..<range.count {
            let line = LineIndex(range.first + offset)
            let isOwnContact =
                line.offset >= Int(contacts.first)
                && line.offset < Int(contacts.first) + Int(contacts.count)
            guard !lines[line].isContact, !isOwnContact else { throw .noSuchLine }
        }
    }

    private func check(_ range: PlanRange) throws(EngineError) {
        guard range.count <= EngineLimits.linesPerControl else { throw .outOfRange }
        guard Int(range.first) + Int(range.count) <= lines.count || range.count == 0 else {
            throw .noSuchLine
        }
    }
}
