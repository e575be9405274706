import DetentTypes

/// What controls follow besides their own contacts: conditions, contracts, times, each other.
extension Engine {
    /// The place of a control's rules; nil where it has none.
    func rulesPlace(_ control: Int) -> Int? {
        let id = settings[control].rules
        return id == .none ? nil : Int(id.index)
    }

    /// A gesture of a control with rules.
    @inline(never)
    mutating func act(
        on decoded: Decoded, _ control: Int, _ rule: Int, _ view: ControlView, _ emit: Emit
    ) {
        let wanted: Response
        if let navigation = rulesSettings[rule].navigation {
            wanted = navigate(decoded, control, rule, navigation, view, emit)
        } else {
            wanted = controls[control].kind.respond(to: decoded, view)
        }
        if decoded.gestures.contains(.released) {
            let step = rules[rule].confirmation.release(
                currentContract(rule), at: view.now)
            follow(step, control, rule, at: view.now, emit)
        }
        permit(wanted, control, rule, at: view.now, emit)
    }

    /// Lets a wish from the panel pass where nothing forbids it and nothing is to be confirmed.
    private mutating func permit(
        _ wanted: Response, _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        var value = Value.on
        switch wanted {
        case .nothing:
            return refresh(control, at: now, emit)
        case .refuse:
            _ = carryOut(wanted, control, .panel, at: now, emit)
            return
        case .set(let wish), .fire(let wish), .setMembers(let wish):
            value = wish
        }
        if controls[control].standing.contains(.disabled) {
            _ = refuse(.disabled, control, .panel, at: now, emit)
            return
        }
        if case .member(let form) = rulesSettings[rule].form, case .set = wanted {
            return stage(value, control, form, at: now, emit)
        }
        switch contract(for: value, rule) {
        case .none:
            _ = carryOut(wanted, control, rule, .panel, at: now, emit)
        case .guarded:
            if isGuardOpen(control) {
                _ = carryOut(wanted, control, rule, .panel, at: now, emit)
            } else {
                _ = refuse(.guarded, control, .panel, at: now, emit)
            }
        case .chord:
            reconsiderChord(control, rule, at: now, emit)
            refresh(control, at: now, emit)
        case .hold, .pressTwice, .arm:
            let step = rules[rule].confirmation.press(
                value, contract(for: value, rule), at: now)
            follow(step, control, rule, at: now, emit)
        }
    }

    /// Carries out a wish that was permitted.
    mutating func carryOut(
        _ wanted: Response, _ control: Int, _ rule: Int, _ origin: Origin, at now: Instant,
        _ emit: Emit
    ) -> Bool {
        if case .fire = wanted {
            switch rulesSettings[rule].form {
            case .apply(let form): return apply(form, by: control, at: now, emit)
            case .cancel(let form): return cancel(form, by: control, at: now, emit)
            case .none, .member: break
            }
        }
        let isAccepted = carryOut(wanted, control, origin, at: now, emit)
        if isAccepted { noteIntent(control, rule, at: now) }
        if case .fire = wanted {
            tell(rules[rule].navigator.close(), control, at: now, emit)
            refresh(control, at: now, emit)
        }
        return isAccepted
    }

    // MARK: Contracts

    /// What it takes to make `value` happen: the contract of a menu's item, or the control's.
    func contract(for value: Value, _ rule: Int) -> ConfirmSettings {
        guard let navigation = rulesSettings[rule].navigation, value.raw >= 0,
            value.raw < Int32(navigation.items.count)
        else { return rulesSettings[rule].confirm }
        return items[Int(navigation.items.first) &+ Int(value.raw)].confirm
    }

    /// Whether a value is an item that only opens a submenu.
    func isSubmenu(_ value: Value, _ rule: Int) -> Bool {
        guard let navigation = rulesSettings[rule].navigation, value.raw >= 0,
            value.raw < Int32(navigation.items.count)
        else { return false }
        return items[Int(navigation.items.first) &+ Int(value.raw)].isSubmenu
    }

    /// The contract of what is being confirmed now.
    private func currentContract(_ rule: Int) -> ConfirmSettings {
        guard let focus = rules[rule].navigator.focus else { return rulesSettings[rule].confirm }
        return contract(for: Value(Int32(focus)), rule)
    }

    private func isGuardOpen(_ control: Int) -> Bool {
        let place = UInt32(settings[control].partContacts)
        guard settings[control].hasGuard, place < 32, controls[control].faultyLines == 0 else {
            return false
        }
        return controls[control].closed & (1 << place) == 0
    }

    /// Tells and does what a confirmation came to.
    mutating func follow(
        _ step: Confirmation.Step, _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        if step.isArmed { report(.armed, control, at: now, emit) }
        if let percent = step.progress {
            report(.progress(percent: percent), control, at: now, emit)
        }
        controls[control].progress = rules[rule].confirmation.tenth
        if step.wantsReading {
            let place = settings[control].contacts.first &+ confirmingContact(rule)
            emit(.readLevel(LineID(place)), now)
        }
        guard let value = step.fires else { return refresh(control, at: now, emit) }
        let wish = Response.fire(value)
        _ = carryOut(wish, control, rule, .panel, at: now, emit)
    }

    /// The contact whose level is read once more before a hold fires: that of the choosing press.
    private func confirmingContact(_ rule: Int) -> UInt16 {
        switch rulesSettings[rule].navigation?.hardware {
        case .none, .oneButton: 0
        case .encoder, .buttons: 2
        }
    }

    /// The level of a contact was read.
    @inline(never)
    mutating func confirmLevel(
        _ contact: UInt8, _ level: Level, _ control: Int, at now: Instant, _ emit: Emit
    ) {
        guard let rule = rulesPlace(control), rules[rule].confirmation.isVerifying,
            UInt16(contact) == confirmingContact(rule)
        else { return }
        let step = rules[rule].confirmation.levelRead(level)
        follow(step, control, rule, at: now, emit)
    }

    /// What was being confirmed is given up.
    mutating func abandonConfirmation(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        let step = rules[rule].confirmation.abandon()
        if step != Confirmation.Step() { follow(step, control, rule, at: now, emit) }
    }

    // MARK: Finding one of several

    private mutating func navigate(
        _ decoded: Decoded, _ control: Int, _ rule: Int, _ navigation: NavigationSettings,
        _ view: ControlView, _ emit: Emit
    ) -> Response {
        let input = rules[rule].navigator.input(decoded, navigation.hardware)
        guard input != .none else { return .nothing }
        // The press that confirms by a hold is no way back.
        if decoded.gestures.contains(.held), rules[rule].confirmation.isHolding { return .nothing }
        if controls[control].standing.contains(.disabled) { return .refuse(.disabled) }
        if input != .select { abandonConfirmation(control, rule, at: view.now, emit) }
        let move = rules[rule].navigator.take(
            input, current: view.desired, navigation, items, at: view.now)
        tell(move, control, at: view.now, emit)
        return choose(move, control, rule, view)
    }

    private mutating func choose(
        _ move: Navigator.Move, _ control: Int, _ rule: Int, _ view: ControlView
    ) -> Response {
        guard let chosen = move.chosen else { return .nothing }
        return controls[control].kind.response(toChosen: chosen, view)
    }

    private mutating func tell(
        _ move: Navigator.Move, _ control: Int, at now: Instant, _ emit: Emit
    ) {
        if move.isOpened { report(.opened, control, at: now, emit) }
        if let focus = move.focus {
            report(.focused(Value(Int32(focus))), control, at: now, emit)
        }
        if move.isClosed { report(.closed, control, at: now, emit) }
    }

    // MARK: Times

    /// An intent was accepted: the time of an override begins anew.
    private mutating func noteIntent(_ control: Int, _ rule: Int, at now: Instant) {
        guard let returning = rulesSettings[rule].returning, returning.start == .lastIntent,
            controls[control].pursuit.desired != returning.value
        else { return }
        rules[rule].returnsAt = now + returning.after
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
    }

    /// The device of a control was heard: it is not stale.
    @inline(never)
    mutating func heard(_ control: Int, at now: Instant) {
        guard let rule = rulesPlace(control), rulesSettings[rule].staleAfter != .zero else {
            return
        }
        rules[rule].staleAt = now + rulesSettings[rule].staleAfter
        controls[control].standing.remove(.stale)
    }

    /// The state of a control with rules may be another one: times begin or end, and whoever looks
    /// at it is told.
    @inline(never)
    mutating func refreshRules(_ control: Int, at now: Instant, _ emit: Emit) {
        guard let rule = rulesPlace(control) else { return }
        if let returning = rulesSettings[rule].returning {
            if controls[control].pursuit.desired == returning.value {
                rules[rule].returnsAt = .never
            } else if rules[rule].returnsAt == .never, isStarted {
                rules[rule].returnsAt = now + returning.after
            }
        }
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
        for place in rulesSettings[rule].listeners.places { mark(links[place], at: now) }
    }

    /// Something that a control looks at may have changed.
    private mutating func mark(_ id: ControlID, at now: Instant) {
        guard Int(id.index) < controls.count, let rule = rulesPlace(Int(id.index)), isStarted,
            !rules[rule].isDirty, isChainShort(at: now)
        else { return }
        rules[rule].isDirty = true
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
    }

    mutating func markAllRules(at now: Instant) {
        for rule in 0..<rules.count where Int(rules[rule].control) < controls.count {
            mark(ControlID(rules[rule].control), at: now)
        }
    }

    /// Counts what controls ask of each other at one instant; false where that goes on for ever.
    mutating func isChainShort(at now: Instant) -> Bool {
        if chainedAt != now {
            chainedAt = now
            chained = 0
        }
        guard chained < EngineLimits.chainLength else {
            counters.cutChains &+= 1
            return false
        }
        chained &+= 1
        return true
    }

    /// Does what is due of one control's rules.
    @inline(never)
    mutating func fireRules(_ rule: Int, at now: Instant, _ emit: Emit) {
        let control = Int(rules[rule].control)
        guard control < controls.count else {
            return deadlines.set(machines.rules &+ rule, to: .never)
        }
        if rules[rule].isDirty {
            rules[rule].isDirty = false
            reconsider(control, rule, at: now, emit)
        }
        if rules[rule].confirmation.deadline <= now {
            let step = rules[rule].confirmation.deadlineReached(currentContract(rule), at: now)
            follow(step, control, rule, at: now, emit)
        }
        if rules[rule].navigator.deadline <= now { fireNavigator(control, rule, at: now, emit) }
        if rules[rule].returnsAt <= now { fireReturn(control, rule, at: now, emit) }
        if rules[rule].staleAt <= now {
            rules[rule].staleAt = .never
            controls[control].standing.insert(.stale)
            refresh(control, at: now, emit)
        }
        if rules[rule].sequence.deadline <= now { fireSequence(control, rule, at: now, emit) }
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
    }

    private mutating func fireNavigator(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        guard let navigation = rulesSettings[rule].navigation else { return }
        abandonConfirmation(control, rule, at: now, emit)
        let move = rules[rule].navigator.deadlineReached(navigation, at: now)
        tell(move, control, at: now, emit)
        let view = ControlView(
            desired: controls[control].shown, positionBefore: .unknown,
            mismatch: settings[control].mismatch, now: now)
        permit(choose(move, control, rule, view), control, rule, at: now, emit)
    }

    private mutating func fireReturn(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        rules[rule].returnsAt = .never
        guard let returning = rulesSettings[rule].returning else { return }
        _ = request(
            returning.value, of: control, .control, isApplied: true, isForced: true, at: now, emit)
    }
}
