import DetentTypes

/// What the lamps of a control show, and those of the panel together.
extension Engine {
    /// Names the controls that dim and test all lamps; they have been added before.
    public mutating func setPanel(_ panel: PanelSettings) throws(EngineError) {
        if let dimmer = panel.dimmer {
            guard settings.contains(ControlIndex(dimmer)) else { throw .noSuchControl }
            guard settings[ControlIndex(dimmer)].nature.range != nil else { throw .noSuchControl }
        }
        if let tester = panel.lampTest {
            guard settings.contains(ControlIndex(tester)) else { throw .noSuchControl }
            let nature = settings[ControlIndex(tester)].nature
            guard nature.latch != nil || nature.isButton else { throw .noSuchControl }
        }
        lights = PanelLights(panel)
    }

    /// A lamp has a line for each of its colours, and can only be dimmed.
    func check(_ indicator: IndicatorSettings) throws(EngineError) {
        guard (1...100).contains(indicator.brightness) else { throw .outOfRange }
        switch indicator.style {
        case .single, .perOption: break
        case .twoColor: guard indicator.lines.count == 2 else { throw .outOfRange }
        case .rgb: guard indicator.lines.count == 3 else { throw .outOfRange }
        }
    }

    mutating func showIndicator(_ control: ControlIndex, _ emit: Emit) {
        let isLit = controls[control].isLit
        let progress = controls[control].progress
        let condition = LampCondition(
            flags: settings[control].indicator.patterns.told(of: controls[control].flags),
            phase: settings[control].relation == .none
                ? controls[control].state.phase : shownPhase(control).phase,
            progress: progress, isLit: isLit)
        let next = controls[control].indicator.accept(
            condition, isLit: isLit, progress: progress, at: now)
        if let next,
            controls[control].indicator.turn(
                to: next, isLit: isLit, settings[control].indicator.patterns[next], at: now)
        {
            if condition == .loading {
                controls[control].indicator.hold(until: now + loadingMinimum(control))
            }
            reportPattern(control, emit)
        }
        writeLamps(control, drawnAt: now, emit)
        if lights.depend(on: control) { steerLights(control, emit) }
    }

    /// A lamp has something new to show, which is what is due at `clock`.
    mutating func fireIndicator(
        _ control: ControlIndex, _ emit: Emit
    ) {
        let isHoldOver = controls[control].indicator.isHoldOver(at: now)
        let isNew = controls[control].indicator.deadlineReached(
            settings[control].indicator.patterns, at: isHoldOver ? now : clock)
        if isNew { reportPattern(control, emit) }
        writeLamps(control, drawnAt: clock, emit)
    }

    @inline(never)
    private mutating func steerLights(_ control: ControlIndex, _ emit: Emit) {
        if lights.isDimmed(by: control) { dim(by: control, emit) }
        if lights.isTested(by: control) {
            test(.control, isOn: controls[control].isLit, emit)
        }
    }

    /// A lamp test begins or ends.
    @inline(never)
    mutating func test(
        _ tester: PanelLights.Tester, isOn: Bool, _ emit: Emit
    ) {
        if lights.test(tester, isOn: isOn) { relight(emit) }
    }

    /// The dial that dims all lamps may have turned.
    private mutating func dim(by control: ControlIndex, _ emit: Emit) {
        guard let range = settings[control].nature.range else { return }
        let hundredths = Dimming.hundredths(
            of: controls[control].shown.raw, from: range.minimum, to: range.maximum)
        guard hundredths != lights.hundredths else { return }
        lights.hundredths = hundredths
        relight(emit)
    }

    private mutating func relight(_ emit: Emit) {
        for control in controls.indices {
            controls[control].dimming =
                lights.isTesting
                ? .test : Dimming(settings[control].indicator, dimmer: lights.hundredths)
            adjustLamps(control, emit)
            writeLamps(control, drawnAt: now, emit)
        }
    }

    /// Says how bright the lamps of a control are, where their lines have levels.
    mutating func adjustLamps(_ control: ControlIndex, _ emit: Emit) {
        let indicator = settings[control].indicator
        guard indicator.hasLevels else { return }
        let strength =
            lights.isTesting
            ? .full : Dimming.strength(of: indicator, dimmer: lights.hundredths)
        for offset in 0..<indicator.lines.count {
            emit(.adjust(LineID(indicator.lines.first &+ offset), strength), now)
        }
    }

    @inline(__always)
    private mutating func reportPattern(_ control: ControlIndex, _ emit: Emit) {
        guard settings[control].indicator.lines.count != 0 else { return }
        report(.indicator(controls[control].indicator.pattern), control, emit)
    }

    /// How long the loading pattern is held; a control without a lamp has nothing to hold. One
    /// without an action is loading only where it follows others, whose actions may differ.
    private mutating func loadingMinimum(_ control: ControlIndex) -> TimeSpan {
        guard settings[control].indicator.lines.count != 0 else { return .zero }
        switch settings[control].actions {
        case .none, .perValue(_, present: 0): return ActionSettings.defaultLoadingMinimum
        case .any(let action), .perValue(let action, _):
            return actions[action].loadingMinimum
        }
    }

    /// Writes the lines that are due at `moment`. The effects are stamped `now`.
    private mutating func writeLamps(
        _ control: ControlIndex, drawnAt moment: Instant, _ emit: Emit
    ) {
        let lines = settings[control].indicator.lines
        guard lines.count != 0 else { return }
        var lit = litLamps(control)
        controls[control].lamps = lit
        if !controls[control].dimming.isFull {
            lit = controls[control].dimming.draw(lit, count: lines.count, at: moment)
        }
        var rest = lit ^ controls[control].litLamps
        controls[control].litLamps = lit
        while rest != 0 {
            let place = UInt16(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
            guard place < lines.count else { continue }
            emit(
                .indicate(
                    LineID(lines.first &+ place), Level(lit & (1 << UInt32(place)) != 0)), now)
        }
        updateDeadline(of: .indicator(control))
    }

    /// The lines that are lit as far as pattern and value go, a bit for each.
    @inline(__always)
    private mutating func litLamps(_ control: ControlIndex) -> UInt32 {
        let isLit = controls[control].indicator.level == .active
        switch settings[control].indicator.style {
        case .single: return isLit ? 1 : 0
        case .perOption: return isLit ? shownOptions(control) : 0
        case .twoColor: return color(control, isLit: isLit) & 0b11
        case .rgb: return color(control, isLit: isLit)
        }
    }

    @inline(never)
    private func color(_ control: ControlIndex, isLit: Bool) -> UInt32 {
        let condition = controls[control].indicator.condition
        // Off may have a colour of its own, which is no pattern's.
        guard isLit || condition == .off else { return 0 }
        return UInt32(settings[control].indicator.colors[condition].rawValue)
    }

    /// The options whose lamps are lit: what has the focus, else the shown value, or the command
    /// that runs.
    @inline(never)
    private mutating func shownOptions(_ control: ControlIndex) -> UInt32 {
        if let relation = relationIndex(control), let focus = relations[relation].navigator.focus {
            return Value(Int32(focus)).optionBit
        }
        if controls[control].nature.hasCommands {
            let running = controls[control].work.attemptValue.map { optionBits($0, control) }
            return pressedOptions(control) | (running ?? 0)
        }
        return optionBits(controls[control].shown, control)
    }
    /// The options whose own buttons are down.
    private func pressedOptions(_ control: ControlIndex) -> UInt32 {
        guard case .buttonRow = settings[control].decoder else { return 0 }
        if let relation = relationIndex(control), relationSettings[relation].navigation != nil {
            return 0
        }
        return controls[control].pressedButtons
    }
}
