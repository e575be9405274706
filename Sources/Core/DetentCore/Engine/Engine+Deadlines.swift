import DetentTypes

/// The deadlines of all machines: derived from their states in one place, and fired in order.
extension Engine {
    /// Derives the deadline of a machine from its state. Call it after each change of the machine.
    // Inlined: the machine is known at each call, so only its own arm is left.
    @inline(__always)
    mutating func updateDeadline(of machine: Machine) {
        deadlines.set(machineNumbers.number(of: machine), to: deadline(of: machine))
    }

    /// Derives the deadlines of what every input to a control may change.
    // Written out: the inlined general case is too large beside the rest (Benchmarks/run).
    @inline(__always)
    mutating func updateDeadlines(of control: ControlIndex) {
        deadlines.set(
            machineNumbers.number(of: .decoder(control)), to: controls[control].decoder.deadline)
        deadlines.set(
            machineNumbers.number(of: .value(control)), to: controls[control].workDeadline)
    }

    @inline(__always)
    private func deadline(of machine: Machine) -> Instant {
        switch machine {
        case .line(let line): lines[line].deadline
        case .decoder(let control): controls[control].decoder.deadline
        case .value(let control):
            controls[control].workDeadline
        case .indicator(let control):
            min(controls[control].indicator.deadline, controls[control].dimming.deadline)
        case .interlock(let control): controls[control].interlock.deadline
        case .relations(let relation): relations[relation].deadline
        }
    }

    /// Fires every deadline up to `clock` in the order (deadline, machine), each at its own time.
    mutating func fireDeadlines(_ emit: Emit) {
        let clock = clock
        while let machine = deadlines.machine(dueAt: clock) {
            fire(machineNumbers.machine(Int(machine)), dueAt: max(deadlines.earliest, now), emit)
        }
    }

    // Inlined with the two that it calls for a line: 40 instructions an edge (Benchmarks/run).
    @inline(__always)
    private mutating func fire(_ machine: Machine, dueAt due: Instant, _ emit: Emit) {
        switch machine {
        case .line(let line):
            now = due
            fireLine(line, emit)
        case .decoder(let control):
            fireDecoder(control, dueAt: due, emit)
        case .value(let control):
            now = due
            fireValue(control, emit)
        case .indicator(let control):
            now = due
            fireIndicator(control, emit)
        case .interlock(let control):
            now = due
            fireInterlock(control, emit)
        case .relations(let relation):
            now = due
            fireRelations(relation, emit)
        }
    }

    /// A gesture happened when it was due, but a detent at its own stamp.
    @inline(never)
    private mutating func fireDecoder(
        _ control: ControlIndex, dueAt due: Instant, _ emit: Emit
    ) {
        now = max(controls[control].decoder.moment(dueAt: due), now)
        let decoded = controls[control].decoder.deadlineReached(at: due, settings[control])
        if decoded.gestures.contains(.repeated) {
            controls[control].decoder.boundRepetitions(at: now, clock: clock, settings[control])
        }
        if decoded.isEmpty {
            updateDeadline(of: .decoder(control))
        } else {
            handleGestures(decoded, control, emit)
        }
    }

    private mutating func fireValue(_ control: ControlIndex, _ emit: Emit) {
        if controls[control].startsAt <= now { return applyStartup(control, emit) }
        var context = attemptContext(control)
        controls[control].deadlineReached(&context)
        // A further attempt belongs to the press that began the first.
        if context.changes.startsAttempt, let relation = relationIndex(control),
            relations[relation].sequence.run != RunID(0)
        {
            requestRoot = relations[relation].sequence.root
        }
        applyChanges(of: context, control, .device, emit)
        requestRoot = nil
    }
}
