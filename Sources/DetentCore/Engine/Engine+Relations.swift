import DetentTypes

/// What a control makes of the controls that it looks at: conditions, groups, forms.
extension Engine {
    /// Looks at the others again.
    mutating func reconsider(_ control: Int, _ rule: Int, at now: Instant, _ emit: Emit) {
        let wasDisabled = controls[control].standing.contains(.disabled)
        let standing = controls[control].standing
        evaluateCondition(control)
        switch controls[control].kind {
        case .mirror: mirror(control, rule, at: now, emit)
        case .group: sumUp(control, rule, at: now, emit)
        case .form: sumUpForm(control, rule, at: now, emit)
        case .binary, .button, .choice, .dial, .selection, .commands: break
        }
        if case .apply(let form) = rulesSettings[rule].form, Int(form.index) < controls.count {
            let phase = controls[Int(form.index)].pursuit.phase
            followSum(.off, actual: .off, phase, control, at: now, emit)
        }
        if case .chord = rulesSettings[rule].confirm {
            reconsiderChord(control, rule, at: now, emit)
        }
        reconsiderAwaited(control, rule, at: now, emit)
        guard controls[control].standing != standing else { return }
        if !wasDisabled, controls[control].standing.contains(.disabled) {
            abandonConfirmation(control, rule, at: now, emit)
            closeMenu(control, rule, at: now, emit)
        }
        refresh(control, at: now, emit)
        if wasDisabled, !controls[control].standing.contains(.disabled) {
            enabled(control, rule, at: now, emit)
        }
    }

    /// Sets whether a control is disabled by its condition.
    mutating func evaluateCondition(_ control: Int) {
        guard let rule = rulesPlace(control), !rulesSettings[rule].condition.isEmpty else { return }
        if case .mirror = controls[control].kind { return }
        if isTrue(rulesSettings[rule].condition) {
            controls[control].standing.remove(.disabled)
        } else {
            controls[control].standing.insert(.disabled)
        }
    }

    private func isTrue(_ condition: PlanRange) -> Bool {
        var truths = TruthStack()
        for place in condition.places {
            switch conditionSteps[place] {
            case .compare(let id, let comparison, let value):
                let isThere = Int(id.index) < controls.count
                truths.push(
                    isThere
                        && comparison.holds(controls[Int(id.index)].pursuit.actual, value))
            case .and: truths.and()
            case .or: truths.or()
            case .not: truths.not()
            }
        }
        return truths.result
    }

    private mutating func enabled(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        guard rulesSettings[rule].onEnable == .follow, !isShut(control) else { return }
        let position = controls[control].position
        let value =
            controls[control].kind.accepts(position)
            ? position : controls[control].pursuit.desired
        guard controls[control].kind.hasValue, controls[control].kind.accepts(value) else {
            return
        }
        _ = carryOut(.set(value), control, .panel, at: now, emit)
    }

    // MARK: Sums

    /// Takes over what others say, and tells what is new.
    private mutating func followSum(
        _ desired: Value, actual: Value, _ phase: Phase, _ control: Int, at now: Instant,
        _ emit: Emit
    ) {
        let moves = controls[control].pursuit.mirror(desired, actual: actual, phase)
        guard moves.changed || moves.phaseChanged || moves.confirmed else { return }
        follow(moves, control, .control, at: now, emit)
    }

    private mutating func mirror(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        guard let shown = rulesSettings[rule].shows, Int(shown.index) < controls.count else {
            let value: Value = isTrue(rulesSettings[rule].condition) ? .on : .off
            return followSum(value, actual: value, .idle, control, at: now, emit)
        }
        let source = controls[Int(shown.index)]
        controls[control].standing = source.flags
        let value: Value = source.isLit ? .on : .off
        followSum(value, actual: value, source.pursuit.phase, control, at: now, emit)
    }

    /// A group is what its enabled members are; where all are disabled, what they are all the same.
    private mutating func sumUp(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        let members = rulesSettings[rule].members
        var hasEnabled = false
        for place in members.places {
            guard let member = linked(place) else { continue }
            if !controls[member].flags.contains(.disabled) { hasEnabled = true }
        }
        var desired: Value?
        var actual: Value?
        var phase = Phase.idle
        for place in members.places {
            guard let member = linked(place) else { continue }
            phase = Self.worse(phase, controls[member].pursuit.phase)
            if hasEnabled, controls[member].flags.contains(.disabled) { continue }
            desired = Self.sum(desired, controls[member].pursuit.desired)
            actual = Self.sum(actual, controls[member].pursuit.actual)
        }
        if desired == .mixed {
            controls[control].standing.insert(.mixed)
        } else {
            controls[control].standing.remove(.mixed)
        }
        if !hasEnabled { controls[control].standing.insert(.disabled) }
        if hasEnabled, rulesSettings[rule].condition.isEmpty {
            controls[control].standing.remove(.disabled)
        }
        followSum(
            desired ?? .off, actual: actual ?? .unknown, phase, control, at: now, emit)
    }

    private static func sum(_ sum: Value?, _ next: Value) -> Value {
        guard let sum else { return next }
        if sum == .unknown || next == .unknown { return .unknown }
        return sum == next ? sum : .mixed
    }

    /// The one that is more in need of somebody's eyes.
    private static func worse(_ one: Phase, _ other: Phase) -> Phase {
        one.rawValue >= other.rawValue ? one : other
    }

    private func linked(_ place: Int) -> Int? {
        let index = Int(links[place].index)
        return index < controls.count ? index : nil
    }

    /// Asks all enabled members for a value; false where one refused.
    mutating func setMembers(
        of control: Int, to value: Value, at now: Instant, _ emit: Emit
    ) -> Bool {
        guard let rule = rulesPlace(control), depth < EngineLimits.chainDepth else {
            return refuse(.busy, control, .control, at: now, emit)
        }
        depth &+= 1
        defer { depth &-= 1 }
        var isAccepted = true
        for place in rulesSettings[rule].members.places {
            guard let member = linked(place), isChainShort(at: now),
                !controls[member].flags.contains(.disabled)
            else { continue }
            if !request(value, of: member, .control, at: now, emit) { isAccepted = false }
        }
        refresh(control, at: now, emit)
        return isAccepted
    }

    // MARK: Forms

    /// Keeps what a form will ask for.
    mutating func stage(
        _ value: Value, _ control: Int, _ form: ControlID, at now: Instant, _ emit: Emit
    ) {
        let staged: Value = value == controls[control].pursuit.desired ? .unknown : value
        if staged != controls[control].staged {
            controls[control].staged = staged
            report(.staged(staged), control, at: now, emit)
        }
        refresh(control, at: now, emit)
    }

    /// Asks every member for what is staged; false where one refused.
    mutating func apply(
        _ form: ControlID, by button: Int, at now: Instant, _ emit: Emit
    ) -> Bool {
        guard let rule = formRules(form), depth < EngineLimits.chainDepth else {
            return refuse(.busy, button, .control, at: now, emit)
        }
        depth &+= 1
        defer { depth &-= 1 }
        var isAccepted = true
        for place in rulesSettings[rule].members.places {
            guard let member = linked(place), controls[member].staged != .unknown else { continue }
            let value = controls[member].staged
            controls[member].staged = .unknown
            report(.staged(.unknown), member, at: now, emit)
            if !request(value, of: member, .control, isApplied: true, at: now, emit) {
                isAccepted = false
            }
        }
        refresh(button, at: now, emit)
        return isAccepted
    }

    /// Drops what is staged.
    mutating func cancel(
        _ form: ControlID, by button: Int, at now: Instant, _ emit: Emit
    ) -> Bool {
        guard let rule = formRules(form) else {
            return refuse(.busy, button, .control, at: now, emit)
        }
        for place in rulesSettings[rule].members.places {
            guard let member = linked(place), controls[member].staged != .unknown else { continue }
            controls[member].staged = .unknown
            report(.staged(.unknown), member, at: now, emit)
            refresh(member, at: now, emit)
        }
        refresh(button, at: now, emit)
        return true
    }

    private func formRules(_ form: ControlID) -> Int? {
        Int(form.index) < controls.count ? rulesPlace(Int(form.index)) : nil
    }

    /// A form is on while something is staged, and its phase is the worst of its members'.
    private mutating func sumUpForm(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        var phase = Phase.idle
        var isStaged = false
        for place in rulesSettings[rule].members.places {
            guard let member = linked(place) else { continue }
            phase = Self.worse(phase, controls[member].pursuit.phase)
            if controls[member].staged != .unknown { isStaged = true }
        }
        let value: Value = isStaged ? .on : .off
        followSum(value, actual: value, phase, control, at: now, emit)
    }
}
