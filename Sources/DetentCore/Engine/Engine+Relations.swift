import DetentTypes

/// What a control makes of the controls that it looks at: conditions, groups, forms.
extension Engine {
    /// Looks at the others again.
    mutating func reconsider(_ control: Int, _ rule: Int, at now: Instant, _ emit: Emit) {
        let wasDisabled = controls[control].standing.contains(.disabled)
        let standing = controls[control].standing
        let progress = controls[control].progress
        evaluateCondition(control)
        followSum(control, rule, .control, at: now, emit)
        if case .chord = rulesSettings[rule].confirm {
            reconsiderChord(control, rule, at: now, emit)
        }
        reconsiderAwaited(control, rule, at: now, emit)
        guard controls[control].standing != standing || controls[control].progress != progress
        else { return }
        let isDisabled = controls[control].standing.contains(.disabled)
        if !wasDisabled, isDisabled {
            abandonConfirmation(control, rule, at: now, emit)
            closeMenu(control, rule, at: now, emit)
        }
        refresh(control, at: now, emit)
        if wasDisabled, !isDisabled { enabled(control, rule, at: now, emit) }
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

    /// Under `follow` a part that holds a position is believed where its state is to meet it.
    /// Without one, a device that was never heard is asked; where it cannot be asked, the shown
    /// value is made true.
    private mutating func enabled(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        guard rulesSettings[rule].onEnable == .follow, controls[control].kind.hasValue,
            !controls[control].kind.isSum, controls[control].startsAt == .never, !isShut(control)
        else { return }
        let position = controls[control].position
        if controls[control].kind.accepts(position), settings[control].mismatch.showsMismatch {
            _ = carryOut(.set(position), control, rule, .panel, at: now, emit)
            return
        }
        let desired = controls[control].pursuit.desired
        guard controls[control].pursuit.actual != desired, controls[control].kind.accepts(desired)
        else { return }
        if case .device = settings[control].startup.rule,
            controls[control].pursuit.confirmed == .unknown, inquire(control, at: now, emit)
        {
            return
        }
        _ = carryOut(.set(desired), control, rule, .control, at: now, emit)
    }

    // MARK: Sums

    /// Takes over what others say, for a control that follows them, and tells what is new.
    mutating func followSum(
        _ control: Int, _ rule: Int, _ origin: Origin, at now: Instant, _ emit: Emit
    ) {
        guard let sum = sum(control, rule) else { return }
        let before = controls[control].pursuit.actual
        let moves = controls[control].pursuit.mirror(sum)
        guard moves.changed || moves.phaseChanged || sum.actual != before else { return }
        follow(moves, control, origin, at: now, emit)
    }

    /// What others make of a control; nil where it does not follow them.
    ///
    /// An indicator and a group are told like controls without an action, as changed and at once
    /// confirmed: remote listeners have nothing else to show them by.
    mutating func sum(_ control: Int, _ rule: Int) -> Pursuit.Sum? {
        switch controls[control].kind {
        case .mirror: return mirror(control, rule)
        case .group: return sumUp(control, rule)
        case .form: return sumUpForm(rule)
        case .binary, .choice, .dial, .selection: return nil
        case .button, .commands: break
        }
        guard case .apply(let form) = rulesSettings[rule].form, Int(form.index) < controls.count
        else { return nil }
        let pursuit = controls[control].pursuit
        return Pursuit.Sum(
            desired: pursuit.desired, actual: pursuit.actual,
            phase: controls[Int(form.index)].pursuit.phase,
            reason: controls[Int(form.index)].pursuit.failure)
    }

    /// An indicator is lit as the lamp of the other control, but for what is only staged: it may
    /// drive an output.
    private mutating func mirror(_ control: Int, _ rule: Int) -> Pursuit.Sum {
        guard let shown = rulesSettings[rule].shows, Int(shown.index) < controls.count else {
            let value: Value = isTrue(rulesSettings[rule].condition) ? .on : .off
            return Pursuit.Sum(desired: value, actual: value, phase: .idle, reason: .none)
        }
        let source = controls[Int(shown.index)]
        controls[control].standing = source.flags
        controls[control].progress = source.progress
        let value: Value = source.isDriven ? .on : .off
        return Pursuit.Sum(
            desired: value, actual: value, phase: source.pursuit.phase,
            reason: source.pursuit.failure)
    }

    /// A group is what its enabled members are; where all are disabled, what they are all the same.
    private mutating func sumUp(_ control: Int, _ rule: Int) -> Pursuit.Sum {
        let members = rulesSettings[rule].members
        var hasEnabled = false
        for place in members.places {
            guard let member = linked(place) else { continue }
            if !controls[member].flags.contains(.disabled) { hasEnabled = true }
        }
        var desired: Value?
        var actual: Value?
        var worst = (phase: Phase.idle, reason: Reason.none)
        for place in members.places {
            guard let member = linked(place) else { continue }
            worst = Self.worse(worst, controls[member].pursuit)
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
        return Pursuit.Sum(
            desired: desired ?? .off, actual: actual ?? .unknown, phase: worst.phase,
            reason: worst.reason)
    }

    private static func sum(_ sum: Value?, _ next: Value) -> Value {
        guard let sum else { return next }
        if sum == .unknown || next == .unknown { return .unknown }
        return sum == next ? sum : .mixed
    }

    /// The phase that needs more attention, and why it began; of two equal ones the first.
    private static func worse(
        _ one: (phase: Phase, reason: Reason), _ other: Pursuit
    ) -> (phase: Phase, reason: Reason) {
        one.phase.rawValue >= other.phase.rawValue ? one : (other.phase, other.failure)
    }

    private func linked(_ place: Int) -> Int? {
        let index = Int(links[place].index)
        return index < controls.count ? index : nil
    }

    /// Asks all members for a value that were enabled when this began; the answer is the first
    /// refusal of one, if there is any.
    ///
    /// The group is what its members are from this very moment on: whoever asked may look.
    mutating func setMembers(
        of control: Int, to value: Value, _ origin: Origin, at now: Instant, _ emit: Emit
    ) -> Answer {
        guard let rule = rulesPlace(control), depth < EngineLimits.chainDepth else {
            return refuse(.busy, control, origin, at: now, emit)
        }
        depth &+= 1
        defer { depth &-= 1 }
        var answer = Answer.accepted
        for place in rulesSettings[rule].members.places {
            guard let member = linked(place), isChainShort(),
                !controls[member].flags.contains(.disabled)
            else { continue }
            let ofMember = request(value, of: member, .control, at: now, emit)
            if answer.isAccepted { answer = ofMember }
        }
        followSum(control, rule, origin, at: now, emit)
        refresh(control, at: now, emit)
        return answer
    }

    // MARK: Forms

    /// Keeps what a form will ask for; refused where the form is disabled.
    mutating func stage(
        _ value: Value, _ control: Int, _ form: ControlID, _ origin: Origin, at now: Instant,
        _ emit: Emit
    ) -> Answer {
        guard !isDisabled(form) else {
            return refuse(.disabled, control, origin, at: now, emit)
        }
        stage(value == controls[control].pursuit.desired ? .unknown : value, control, at: now, emit)
        refresh(control, at: now, emit)
        return .accepted
    }

    /// Sets what is staged; unknown: nothing any more.
    mutating func stage(_ staged: Value, _ control: Int, at now: Instant, _ emit: Emit) {
        guard staged != controls[control].staged else { return }
        controls[control].staged = staged
        report(.staged(staged), control, at: now, emit)
    }

    private func isDisabled(_ form: ControlID) -> Bool {
        Int(form.index) < controls.count
            && controls[Int(form.index)].standing.contains(.disabled)
    }

    /// Asks every member for what is staged; a member that refuses keeps what is staged for another
    /// try, and the first refusal is the answer.
    mutating func apply(
        _ form: ControlID, by button: Int, _ origin: Origin, at now: Instant, _ emit: Emit
    ) -> Answer {
        guard !isDisabled(form) else {
            return refuse(.disabled, button, origin, at: now, emit)
        }
        guard let rule = formRules(form), depth < EngineLimits.chainDepth else {
            return refuse(.busy, button, origin, at: now, emit)
        }
        depth &+= 1
        defer { depth &-= 1 }
        var answer = Answer.accepted
        for place in rulesSettings[rule].members.places {
            guard let member = linked(place), controls[member].staged != .unknown else { continue }
            let value = controls[member].staged
            let ofMember = request(
                value, of: member, .control, isApplied: true, at: now, emit)
            if ofMember.isAccepted { stage(.unknown, member, at: now, emit) }
            if answer.isAccepted { answer = ofMember }
        }
        // Whoever pressed the button may look at it at once.
        if let place = rulesPlace(Int(form.index)) {
            followSum(Int(form.index), place, origin, at: now, emit)
        }
        if let place = rulesPlace(button) { followSum(button, place, origin, at: now, emit) }
        refresh(button, at: now, emit)
        return answer
    }

    /// Drops what is staged.
    mutating func cancel(
        _ form: ControlID, by button: Int, _ origin: Origin, at now: Instant, _ emit: Emit
    ) -> Answer {
        guard let rule = formRules(form) else {
            return refuse(.busy, button, origin, at: now, emit)
        }
        for place in rulesSettings[rule].members.places {
            guard let member = linked(place), controls[member].staged != .unknown else { continue }
            stage(.unknown, member, at: now, emit)
            refresh(member, at: now, emit)
        }
        refresh(button, at: now, emit)
        return .accepted
    }

    private func formRules(_ form: ControlID) -> Int? {
        Int(form.index) < controls.count ? rulesPlace(Int(form.index)) : nil
    }

    /// A form is on while something is staged, and its phase is the worst of its members'.
    private func sumUpForm(_ rule: Int) -> Pursuit.Sum {
        var worst = (phase: Phase.idle, reason: Reason.none)
        var isStaged = false
        for place in rulesSettings[rule].members.places {
            guard let member = linked(place) else { continue }
            worst = Self.worse(worst, controls[member].pursuit)
            if controls[member].staged != .unknown { isStaged = true }
        }
        let value: Value = isStaged ? .on : .off
        return Pursuit.Sum(
            desired: value, actual: value, phase: worst.phase, reason: worst.reason)
    }
}
