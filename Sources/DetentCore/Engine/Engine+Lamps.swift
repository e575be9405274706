import DetentTypes

/// What the lamps of a control show.
extension Engine {
    mutating func showIndicator(_ control: Int, at now: Instant, _ emit: Emit) {
        let isNew = controls[control].indicator.show(
            flags: controls[control].flags, phase: controls[control].pursuit.phase,
            isLit: controls[control].isLit, settings[control].indicator.patterns,
            loadingMinimum: loadingMinimum(control), at: now)
        if isNew { reportPattern(control, at: now, emit) }
        writeLamps(control, at: now, emit)
    }

    /// A lamp's pattern has something new to show, which is what is due at `clock`.
    mutating func fireIndicator(
        _ control: Int, at now: Instant, clock: Instant, _ emit: Emit
    ) {
        let isHoldOver = controls[control].indicator.isHoldOver(at: now)
        if controls[control].indicator.deadlineReached(at: isHoldOver ? now : clock) {
            reportPattern(control, at: now, emit)
        }
        writeLamps(control, at: now, emit)
    }

    private mutating func reportPattern(_ control: Int, at now: Instant, _ emit: Emit) {
        guard settings[control].indicator.lines.count != 0 else { return }
        report(.indicator(controls[control].indicator.pattern), control, at: now, emit)
    }

    /// How long the loading pattern is held; a control without a lamp has nothing to hold.
    private mutating func loadingMinimum(_ control: Int) -> TimeSpan {
        guard settings[control].indicator.lines.count != 0 else { return .zero }
        switch settings[control].actions {
        case .none, .perValue(_, present: 0): return .zero
        case .any(let action), .perValue(let action, _):
            return actions[Int(action.index)].loadingMinimum
        }
    }

    private mutating func writeLamps(_ control: Int, at now: Instant, _ emit: Emit) {
        let indicator = settings[control].indicator
        guard indicator.lines.count != 0 else { return }
        let level = controls[control].indicator.level
        var wanted: UInt32 = 0
        if level == .active {
            switch indicator.style {
            case .single: wanted = 1
            case .perOption: wanted = shownOptions(control)
            }
        }
        let changed = wanted ^ controls[control].lamps
        controls[control].lamps = wanted
        var rest = changed
        while rest != 0 {
            let place = UInt16(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
            guard place < indicator.lines.count else { continue }
            emit(
                .indicate(
                    LineID(indicator.lines.first &+ place),
                    Level(wanted & (1 << UInt32(place)) != 0)), now)
        }
        deadlines.set(
            machines.indicators &+ control, to: controls[control].indicator.deadline)
    }

    /// The options whose lamps are lit: what has the focus, else the shown value, or the command
    /// that runs.
    private mutating func shownOptions(_ control: Int) -> UInt32 {
        if let rule = rulesPlace(control), let focus = rules[rule].navigator.focus {
            return focus < 32 ? 1 << UInt32(focus) : 0
        }
        if case .commands = controls[control].kind {
            let running = controls[control].pursuit.attemptValue.map { optionBits($0, control) }
            return controls[control].pressedButtons | (running ?? 0)
        }
        return optionBits(controls[control].shown, control)
    }
}
