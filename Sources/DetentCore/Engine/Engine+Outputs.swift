import DetentTypes

/// Flags, outputs and deadlines: what follows from the state of a control.
extension Engine {
    /// Brings everything that shows a control up to its state.
    mutating func refresh(_ control: Int, at now: Instant, _ emit: Emit) {
        refreshFlags(control, at: now, emit)
        showIndicator(control, at: now, emit)
        driveOutputs(control, at: now, emit)
        deadlines.set(machines.decoders &+ control, to: controls[control].decoder.deadline)
        deadlines.set(machines.pursuits &+ control, to: pursuitDeadline(control))
        if settings[control].rules != .none { refreshRules(control, at: now, emit) }
    }

    private mutating func refreshFlags(_ control: Int, at now: Instant, _ emit: Emit) {
        let position = controls[control].position
        var flags = controls[control].standing
        if position != .unknown, position != controls[control].pursuit.desired,
            settings[control].mismatch.showsMismatch
        {
            flags.insert(.mismatch)
        }
        let actual = controls[control].pursuit.actual
        if actual != controls[control].pursuit.desired, isStarted, controls[control].kind.hasValue {
            if actual == .unknown {
                flags.insert(.unconfirmed)
            } else if controls[control].pursuit.isAmiss {
                flags.insert(.mismatch)
            }
        }
        if controls[control].faultyLines != 0 { flags.insert(.fault) }
        var changed = flags.symmetricDifference(controls[control].flags).rawValue
        controls[control].flags = flags
        while changed != 0 {
            let bit = Flag(rawValue: changed & (~changed &+ 1))
            changed &= changed &- 1
            // Faults have an event of their own.
            if bit != .fault {
                report(.flag(bit, isSet: flags.contains(bit)), control, at: now, emit)
            }
        }
    }

    private mutating func driveOutputs(_ control: Int, at now: Instant, _ emit: Emit) {
        if settings[control].outputs.count != 0, isStarted { interlock(control, at: now, emit) }
    }

    // Kept out of the way of panels without outputs, as are the two after it.
    @inline(never)
    private mutating func interlock(_ control: Int, at now: Instant, _ emit: Emit) {
        let wanted = wantedOutputs(control, at: controls[control].pursuit.desired)
        carryOut(controls[control].interlock.request(wanted, at: now), control, at: now, emit)
    }

    /// The outputs of a value, a bit for each line.
    mutating func wantedOutputs(_ control: Int, at value: Value) -> UInt32 {
        let present = settings[control].outputsPresent
        guard present != 0 else {
            let isPressed = controls[control].pressedButtons != 0
            return controls[control].kind.isLit(at: value, isPressed: isPressed) ? 1 : 0
        }
        var options = optionBits(value, control) & present
        var wanted: UInt32 = 0
        while options != 0 {
            let option = options & (~options &+ 1)
            options &= options &- 1
            wanted |= 1 << UInt32((present & (option &- 1)).nonzeroBitCount)
        }
        return wanted
    }

    /// An output of a control was really written.
    @inline(never)
    mutating func handleWritten(
        _ line: LineID, _ level: Level, at now: Instant, _ emit: Emit
    ) {
        let index = Int(line.index)
        guard index < lines.count, Int(lines[index].control) < controls.count else {
            counters.ignoredEvents &+= 1
            return
        }
        let control = Int(lines[index].control)
        let outputs = settings[control].outputs
        let place = line.index &- outputs.first
        guard line.index >= outputs.first, place < outputs.count else {
            return stepWritten(line, level, control, at: now)
        }
        let drive = controls[control].interlock.written(1 << UInt32(place), level, at: now)
        carryOut(drive, control, at: now, emit)
    }

    /// The dead time of a control's outputs is over.
    @inline(never)
    mutating func fireInterlock(_ control: Int, at now: Instant, _ emit: Emit) {
        carryOut(controls[control].interlock.deadlineReached(at: now), control, at: now, emit)
    }

    private mutating func carryOut(
        _ drive: Interlock.Drive, _ control: Int, at now: Instant, _ emit: Emit
    ) {
        deadlines.set(
            machines.interlocks &+ control, to: controls[control].interlock.deadline)
        if !drive.isEmpty {
            let outputs = settings[control].outputs
            self.drive(drive.off, .inactive, outputs, control, at: now, emit)
            self.drive(drive.on, .active, outputs, control, at: now, emit)
        }
        guard case .switching = controls[control].pursuit.activity,
            !lookup(control).areOutputsLate
        else { return }
        // What the action wanted is done, and so is what the outputs had to do.
        follow(controls[control].pursuit.outputsWritten(), control, .device, at: now, emit)
    }

    private mutating func drive(
        _ bits: UInt32, _ level: Level, _ outputs: LineRange, _ control: Int, at now: Instant,
        _ emit: Emit
    ) {
        var rest = bits
        while rest != 0 {
            let place = UInt16(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
            guard place < outputs.count else { continue }
            let line = LineID(outputs.first &+ place)
            emit(.drive(line, level), now)
            report(.output(line, level), control, at: now, emit)
        }
    }

    /// The options that a value means, a bit for each.
    mutating func optionBits(_ value: Value, _ control: Int) -> UInt32 {
        if case .selection = controls[control].kind {
            return UInt32(truncatingIfNeeded: max(0, value.raw))
        }
        return value.raw >= 0 && value.raw < 32 ? 1 << UInt32(value.raw) : 0
    }
}
