import DetentTypes

/// Start, resynchronisation, and lines that come back.
extension Engine {
    /// All lines have been read: every control takes the value of its start-up rule.
    mutating func start(_ emit: Emit) {
        guard !isStarted else { return }
        isStarted = true
        var last: UInt8 = 0
        for control in controls.indices {
            let continuity = controls[control].continuity
            if continuity != .everything { takeContacts(control) }
            if !continuity.contains(.outputs) { controls[control].interlock.start(at: now) }
            last = max(last, settings[control].startRank)
            adjustLamps(control, emit)
        }
        takeChords()
        for rank in 0...last { start(rank: rank, emit) }
        startRelations()
        startAudits()
        startFeedback(emit)
        for control in controls.indices { controls[control].continuity = [] }
    }

    /// Starts the controls of one rank: those that they depend on have started.
    private mutating func start(rank: UInt8, _ emit: Emit) {
        for control in controls.indices where settings[control].startRank == rank {
            let continuity = controls[control].continuity
            if continuity == .everything {
                resume(control, emit)
                continue
            }
            evaluateCondition(control)
            if continuity.contains(.value), !controls[control].nature.isDerived {
                resume(control, emit)
                continue
            }
            let delay = settings[control].startup.delay
            if delay == .zero {
                applyStartup(control, emit)
            } else {
                controls[control].startsAt = now + delay
                refresh(control, emit)
            }
        }
    }

    mutating func applyStartup(_ control: ControlIndex, _ emit: Emit) {
        controls[control].startsAt = .never
        if controls[control].nature.isDerived { return startDerived(control, emit) }
        guard controls[control].nature.hasValue else { return refresh(control, emit) }
        let (value, isRun) = startupValue(control)
        controls[control].state.initial = value
        // While disabled nothing runs, and no device is asked.
        let isDisabled = controls[control].relationFlags.contains(.disabled)
        let runsAction = isRun && !isDisabled
        let hasAction = lookup(control).action(for: value) != nil
        if runsAction, hasAction {
            var context = attemptContext(control)
            _ = controls[control].accept(value, .startup, isForced: true, &context)
            return applyChanges(of: context, control, .startup, emit)
        }
        var asks = false
        if settings[control].startup.rule == .device { asks = settings[control].query != nil }
        let isChange = value != controls[control].state.desired
        controls[control].state.start(
            value, isConfirmed: !hasAction && !asks && !settings[control].isReported)
        if isChange { report(.changed(value, .startup), control, emit) }
        if asks, !isDisabled, queryDevice(control, emit) { return }
        refresh(control, emit)
    }

    /// Asks the device of a control for its value; false where it cannot be asked.
    mutating func queryDevice(_ control: ControlIndex, _ emit: Emit) -> Bool {
        guard let query = settings[control].query else { return false }
        var context = attemptContext(control)
        controls[control].queryDevice(query, &context)
        applyChanges(of: context, control, .device, emit)
        return true
    }

    /// A control that follows others begins as they are.
    private mutating func startDerived(_ control: ControlIndex, _ emit: Emit) {
        guard let relation = relationIndex(control),
            let aggregate = aggregate(of: control, relation)
        else {
            return refresh(control, emit)
        }
        var changes = controls[control].state.mirror(aggregate)
        changes.reports.remove(.confirmed)  // no device has confirmed anything yet
        applyChanges(changes, control, .startup, emit)
    }

    /// The value that the start-up rule gives, and whether its action runs.
    private func startupValue(_ control: ControlIndex) -> (value: Value, runsAction: Bool) {
        let startup = settings[control].startup
        let saved = controls[control].saved
        let isSaved = saved != .unknown
        let kept = isSaved ? saved : acceptable(startup.fallback, control)
        switch startup.rule {
        case .panel:
            let position = controls[control].position
            guard controls[control].nature.accepts(position) else { return (kept, false) }
            return (position, startup.runsAction)
        case .value(let fixed):
            return (acceptable(fixed, control), startup.runsAction)
        case .saved:
            return (kept, isSaved && startup.runsAction)
        case .device:
            return (kept, false)
        }
    }

    /// `value`, or where the control cannot take it the one at which it rests.
    private func acceptable(_ value: Value, _ control: ControlIndex) -> Value {
        controls[control].nature.accepts(value) ? value : settings[control].nature.rest
    }

    /// Sets the state of every control with a position from that position.
    mutating func resync(_ origin: Origin, _ emit: Emit) {
        guard isStarted else { return }
        for control in controls.indices {
            followPosition(control, by: origin, emit)
        }
    }

    /// A line of the control came back: its contacts are taken as they are, and no gesture is made
    /// up.
    ///
    /// Only this is told: the release of a button that was let go meanwhile, since reports
    /// alternate, and a new position.
    mutating func restart(_ line: LineIndex, _ emit: Emit) {
        let control = ControlIndex(lines[line].control)
        let contact = lines[line].contact
        updateDeadline(of: .line(line))
        setContact(contact, lines[line].filter.raw, control)
        let decoded = controls[control].decoder.restart(
            contact, closed: controls[control].partClosed)
        let before = controls[control].position
        controls[control].position = controls[control].decoder.position ?? before
        let position = controls[control].position
        if position != before {
            report(.moved(position: position), control, emit)
            followPosition(control, emit)
        }
        forgetFollowed(contact, control)
        handleGestures(decoded, control, emit)
    }

    mutating func followPosition(
        _ control: ControlIndex, by origin: Origin = .panel, _ emit: Emit
    ) {
        let position = controls[control].position
        guard controls[control].nature.accepts(position), settings[control].mismatch.showsMismatch,
            position != controls[control].state.desired,
            !controls[control].relationFlags.contains(.disabled), !isShut(control)
        else { return }
        let response = controls[control].nature.response(for: position)
        if let relation = relationIndex(control) {
            _ = execute(response, control, relation, origin, emit)
        } else {
            _ = execute(response, control, origin, emit)
        }
    }

    /// Takes the contacts as the lines have them, without a gesture.
    private mutating func takeContacts(_ control: ControlIndex) {
        let contacts = settings[control].contacts
        var closed: UInt32 = 0
        for contact in 0..<contacts.count
        where lines[LineIndex(contacts.first &+ contact)].filter.raw == .active {
            closed |= 1 << UInt32(contact)
        }
        controls[control].closed = closed
        controls[control].decoder.start(controls[control].partClosed)
        controls[control].position = controls[control].decoder.position ?? .unknown
    }
}
