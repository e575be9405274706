import DetentTypes

/// Start, deadlines and resynchronisation.
extension Engine {
    /// Fires every deadline up to `clock` in the order (deadline, machine), each at its own time.
    mutating func fireDeadlines(until clock: Instant, _ emit: Emit) {
        while let machine = deadlines.machine(dueAt: clock) {
            fire(Int(machine), at: max(deadlines.earliest, latest), clock: clock, emit)
        }
    }

    // Inlined with the two that it calls for a line: 40 instructions an edge (Benchmarks/run).
    @inline(__always)
    private mutating func fire(
        _ machine: Int, at now: Instant, clock: Instant, _ emit: Emit
    ) {
        if machine >= machines.decoders, machine < machines.pursuits {
            return fireDecoder(machine &- machines.decoders, dueAt: now, clock: clock, emit)
        }
        latest = now
        if machine < machines.decoders {
            fireLine(machine, at: now, emit)
        } else if machine < machines.indicators {
            firePursuit(machine &- machines.pursuits, at: now, emit)
        } else if machine < machines.interlocks {
            fireIndicator(machine &- machines.indicators, at: now, clock: clock, emit)
        } else if machine < machines.rules {
            fireInterlock(machine &- machines.interlocks, at: now, emit)
        } else {
            fireRules(machine &- machines.rules, at: now, clock: clock, emit)
        }
    }

    /// What a decoder finds happened when it was due, but a detent at its own stamp.
    @inline(never)
    private mutating func fireDecoder(
        _ control: Int, dueAt due: Instant, clock: Instant, _ emit: Emit
    ) {
        let now = max(controls[control].decoder.moment(dueAt: due), latest)
        latest = now
        let decoded = controls[control].decoder.deadlineReached(at: due, settings[control])
        if decoded.gestures.contains(.repeated) {
            controls[control].decoder.boundRepetitions(at: now, clock: clock, settings[control])
        }
        if decoded.isEmpty {
            deadlines.set(machines.decoders &+ control, to: controls[control].decoder.deadline)
        } else {
            act(on: decoded, control, at: now, emit)
        }
    }

    private mutating func firePursuit(_ control: Int, at now: Instant, _ emit: Emit) {
        if controls[control].startsAt <= now {
            applyStartup(control, at: now, emit)
            return
        }
        let moves = controls[control].pursuit.deadlineReached(
            at: now, isEvent: !controls[control].kind.hasValue, lookup(control), &lastRun)
        // A further attempt belongs to the press that began the first.
        if moves.started != nil, let rule = rulesPlace(control),
            rules[rule].sequence.run != RunID(0)
        {
            asking = rules[rule].sequence.root
        }
        follow(moves, control, .device, at: now, emit)
        asking = nil
    }

    /// All lines have been read: every control takes the value of its start-up rule.
    mutating func start(at now: Instant, _ emit: Emit) {
        guard !isStarted else { return }
        isStarted = true
        var last: UInt8 = 0
        for control in 0..<controls.count {
            takeContacts(control)
            controls[control].interlock.start(at: now)
            last = max(last, settings[control].startRank)
        }
        takeChords()
        for rank in 0...last { start(rank: rank, at: now, emit) }
        startRules(at: now)
        startAudits(at: now)
    }

    /// Starts the controls of one rank: those that they depend on have started.
    private mutating func start(rank: UInt8, at now: Instant, _ emit: Emit) {
        for control in 0..<controls.count where settings[control].startRank == rank {
            evaluateCondition(control)
            let delay = settings[control].startup.delay
            if delay == .zero {
                applyStartup(control, at: now, emit)
            } else {
                controls[control].startsAt = now + delay
                refresh(control, at: now, emit)
            }
        }
    }

    private mutating func applyStartup(_ control: Int, at now: Instant, _ emit: Emit) {
        controls[control].startsAt = .never
        if controls[control].kind.isSum { return startSum(control, at: now, emit) }
        guard controls[control].kind.hasValue else { return refresh(control, at: now, emit) }
        let (value, isRun) = startupValue(control)
        controls[control].pursuit.initial = value
        // Nothing runs while disabled, and nobody is asked.
        let isDisabled = controls[control].standing.contains(.disabled)
        let runsAction = isRun && !isDisabled
        let hasAction = lookup(control).action(for: value) != nil
        if runsAction, hasAction {
            let moves = controls[control].pursuit.accept(
                value, .startup, at: now, lookup(control), &lastRun)
            return follow(moves, control, .startup, at: now, emit)
        }
        var asks = false
        if settings[control].startup.rule == .device { asks = settings[control].query != nil }
        let isChange = value != controls[control].pursuit.desired
        controls[control].pursuit.start(value, isConfirmed: !hasAction && !asks)
        if isChange { report(.changed(value, .startup), control, at: now, emit) }
        if asks, !isDisabled, inquire(control, at: now, emit) { return }
        refresh(control, at: now, emit)
    }

    /// Asks the device of a control for its value; false where it cannot be asked.
    mutating func inquire(_ control: Int, at now: Instant, _ emit: Emit) -> Bool {
        guard let query = settings[control].query else { return false }
        let moves = controls[control].pursuit.inquire(query, at: now, lookup(control), &lastRun)
        follow(moves, control, .device, at: now, emit)
        return true
    }

    /// A control that follows others begins as they are.
    private mutating func startSum(_ control: Int, at now: Instant, _ emit: Emit) {
        guard let rule = rulesPlace(control), let sum = sum(control, rule) else {
            return refresh(control, at: now, emit)
        }
        var moves = controls[control].pursuit.mirror(sum)
        moves.confirmed = false  // nobody confirmed anything yet
        follow(moves, control, .startup, at: now, emit)
    }

    /// The value that the start-up rule gives, and whether its action runs.
    private func startupValue(_ control: Int) -> (value: Value, runsAction: Bool) {
        let startup = settings[control].startup
        let saved = controls[control].saved
        let isSaved = saved != .unknown
        let kept = isSaved ? saved : acceptable(startup.fallback, control)
        switch startup.rule {
        case .panel:
            let position = controls[control].position
            guard controls[control].kind.accepts(position) else { return (kept, false) }
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
    private func acceptable(_ value: Value, _ control: Int) -> Value {
        controls[control].kind.accepts(value) ? value : settings[control].kind.rest
    }

    /// Sets the state of every control with a position from that position.
    mutating func resync(at now: Instant, _ emit: Emit) {
        guard isStarted else { return }
        for control in 0..<controls.count {
            followPosition(control, at: now, emit)
        }
    }

    /// A line of the control came back: its contacts are taken as they are, and no gesture is made
    /// up.
    ///
    /// Only this is told: the release of a button that was let go meanwhile, since reports
    /// alternate, and a new position.
    mutating func restart(_ line: Int, at now: Instant, _ emit: Emit) {
        let control = Int(lines[line].control)
        let contact = lines[line].contact
        deadlines.set(line, to: lines[line].filter.deadline)
        setContact(contact, lines[line].filter.raw, control)
        let decoded = controls[control].decoder.restart(
            contact, closed: controls[control].partClosed, settings[control])
        let before = controls[control].position
        controls[control].position = controls[control].decoder.position ?? before
        let position = controls[control].position
        if position != before {
            report(.moved(position: position), control, at: now, emit)
            followPosition(control, at: now, emit)
        }
        act(on: decoded, control, at: now, emit)
    }

    mutating func followPosition(_ control: Int, at now: Instant, _ emit: Emit) {
        let position = controls[control].position
        guard controls[control].kind.accepts(position), settings[control].mismatch.showsMismatch,
            position != controls[control].pursuit.desired,
            !controls[control].standing.contains(.disabled), !isShut(control)
        else { return }
        if let rule = rulesPlace(control) {
            _ = carryOut(.set(position), control, rule, .panel, at: now, emit)
        } else {
            _ = carryOut(.set(position), control, .panel, at: now, emit)
        }
    }

    /// Takes the contacts as the lines have them, without a gesture.
    private mutating func takeContacts(_ control: Int) {
        let contacts = settings[control].contacts
        var closed: UInt32 = 0
        for contact in 0..<contacts.count
        where lines[Int(contacts.first) + Int(contact)].filter.raw == .active {
            closed |= 1 << UInt32(contact)
        }
        controls[control].closed = closed
        controls[control].decoder.start(controls[control].partClosed, settings[control])
        controls[control].position = controls[control].decoder.position ?? .unknown
    }
}
