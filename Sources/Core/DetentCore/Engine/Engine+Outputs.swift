import DetentTypes

/// Flags, outputs and deadlines: what follows from the state of a control.
extension Engine {
    mutating func driveOutputs(_ control: ControlIndex, _ emit: Emit) {
        if settings[control].outputs.count != 0, isStarted { interlock(control, emit) }
    }

    // Kept out of the way of panels without outputs, as are the two after it.
    @inline(never)
    private mutating func interlock(_ control: ControlIndex, _ emit: Emit) {
        if let range = settings[control].nature.range { adjustOutput(control, range, emit) }
        let wanted = wantedOutputs(control, at: controls[control].state.desired)
        execute(controls[control].interlock.request(wanted, at: now), control, emit)
    }

    /// The output of a number is as strong as the number is high in its range.
    private mutating func adjustOutput(
        _ control: ControlIndex, _ range: NumberRange, _ emit: Emit
    ) {
        let strength = Dimming.strength(
            of: controls[control].state.desired.raw, from: range.minimum, to: range.maximum)
        guard strength != controls[control].outputStrength else { return }
        controls[control].outputStrength = strength
        emit(.adjust(LineID(settings[control].outputs.first), strength), now)
    }

    /// The outputs of a value, a bit for each line.
    mutating func wantedOutputs(_ control: ControlIndex, at value: Value) -> UInt32 {
        let present = settings[control].outputsPresent
        guard present != 0 else {
            let isPressed = controls[control].pressedButtons != 0
            return controls[control].nature.isLit(at: value, isPressed: isPressed) ? 1 : 0
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
        _ line: LineID, _ level: Level, _ emit: Emit
    ) {
        let index = LineIndex(line.index)
        guard lines.contains(index), controls.contains(ControlIndex(lines[index].control)) else {
            counters.ignoredEvents &+= 1
            return
        }
        let control = ControlIndex(lines[index].control)
        let outputs = settings[control].outputs
        let place = line.index &- outputs.first
        guard line.index >= outputs.first, place < outputs.count else {
            return stepWritten(line, level, control)
        }
        let drive = controls[control].interlock.written(1 << UInt32(place), level, at: now)
        execute(drive, control, emit)
    }

    /// The dead time of a control's outputs is over.
    @inline(never)
    mutating func fireInterlock(_ control: ControlIndex, _ emit: Emit) {
        execute(controls[control].interlock.deadlineReached(at: now), control, emit)
    }

    private mutating func execute(
        _ drive: Interlock.Drive, _ control: ControlIndex, _ emit: Emit
    ) {
        updateDeadline(of: .interlock(control))
        if !drive.isEmpty {
            let outputs = settings[control].outputs
            self.drive(drive.off, .inactive, outputs, control, emit)
            self.drive(drive.on, .active, outputs, control, emit)
        }
        guard controls[control].work.isSwitchingOutputs, !lookup(control).areOutputsLate
        else { return }
        // What the action wanted is done, and so is what the outputs had to do.
        applyChanges(controls[control].outputsWritten(), control, .device, emit)
    }

    private mutating func drive(
        _ bits: UInt32, _ level: Level, _ outputs: PlanRange, _ control: ControlIndex, _ emit: Emit
    ) {
        var rest = bits
        while rest != 0 {
            let place = UInt16(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
            guard place < outputs.count else { continue }
            drive(LineID(outputs.first &+ place), level, control, emit)
        }
    }

    /// Drives one output, and reports it.
    mutating func drive(
        _ line: LineID, _ level: Level, _ control: ControlIndex, _ emit: Emit
    ) {
        emit(.drive(line, level), now)
        report(
            .output(line, level), acting(control).map { ControlIndex($0.owner) } ?? control, emit)
    }

    /// The options that a value means, a bit for each.
    mutating func optionBits(_ value: Value, _ control: ControlIndex) -> UInt32 {
        if case .subset = controls[control].nature.domain {
            return UInt32(truncatingIfNeeded: max(0, value.raw))
        }
        return value.optionBit
    }
}
