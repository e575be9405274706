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
        let contact = contact(of: decoded, control)
        if decoded.gestures.contains(.pressed) { rules[rule].isPressAccepted = false }
        if decoded.gestures.contains(.released), contact == rules[rule].confirmingContact {
            let step = rules[rule].confirmation.release(currentContract(rule), at: view.now)
            follow(step, control, rule, at: view.now, emit)
        }
        permit(wanted, by: contact, control, rule, at: view.now, emit)
    }

    /// The contact that a gesture came from.
    private func contact(of decoded: Decoded, _ control: Int) -> UInt8 {
        if decoded.button != Decoded.noButton { return decoded.button }
        return UInt8(truncatingIfNeeded: controls[control].decoder.verifiedContact)
    }

    /// Lets a wish from the panel pass where nothing forbids it and nothing is to be confirmed.
    ///
    /// - Parameter contact: whose press it is; nil where there was none to be confirmed.
    mutating func permit(
        _ wanted: Response, by contact: UInt8?, _ control: Int, _ rule: Int, at now: Instant,
        _ emit: Emit
    ) {
        var value = Value.on
        switch wanted {
        case .nothing:
            return refresh(control, at: now, emit)
        case .refuse:
            _ = carryOut(wanted, control, .panel, at: now, emit)
            return
        case .end(let wish):
            // It ends what its press began, whatever has changed since, and else means nothing.
            guard rules[rule].isPressAccepted else { return refresh(control, at: now, emit) }
            if case .member(let form) = rulesSettings[rule].form {
                _ = stage(wish, control, form, .panel, at: now, emit)
                return
            }
            return accept(wanted, control, rule, at: now, emit)
        case .set(let wish), .fire(let wish), .setMembers(let wish):
            value = wish
        }
        if controls[control].standing.contains(.disabled) {
            _ = refuse(.disabled, control, .panel, at: now, emit)
            return
        }
        if case .member(let form) = rulesSettings[rule].form, case .set = wanted {
            _ = stage(value, control, form, .panel, at: now, emit)
            return chose(control, rule, at: now, emit)
        }
        let contract = contract(for: value, rule)
        switch contract {
        case .none:
            accept(wanted, control, rule, at: now, emit)
        case .guarded:
            if isGuardOpen(control) {
                accept(wanted, control, rule, at: now, emit)
            } else {
                _ = refuse(.guarded, control, .panel, at: now, emit)
            }
        case .chord:
            reconsiderChord(control, rule, at: now, emit)
            refresh(control, at: now, emit)
        case .hold, .pressTwice, .arm:
            confirm(value, contract, by: contact, control, rule, at: now, emit)
        }
    }

    /// Carries out a wish of somebody at the panel.
    mutating func accept(
        _ wanted: Response, _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        rules[rule].isPressAccepted =
            carryOut(wanted, control, rule, .panel, at: now, emit).isAccepted
        chose(control, rule, at: now, emit)
    }

    /// Carries out a wish that was permitted.
    mutating func carryOut(
        _ wanted: Response, _ control: Int, _ rule: Int, _ origin: Origin, at now: Instant,
        _ emit: Emit
    ) -> Answer {
        if case .fire = wanted {
            switch rulesSettings[rule].form {
            case .apply(let form): return apply(form, by: control, origin, at: now, emit)
            case .cancel(let form): return cancel(form, by: control, origin, at: now, emit)
            case .none, .member: break
            }
        }
        let answer = carryOut(wanted, control, origin, at: now, emit)
        if answer.isAccepted { noteIntent(control, rule, at: now) }
        return answer
    }

    // MARK: Times

    /// An intent was accepted: the time of an override begins anew.
    mutating func noteIntent(_ control: Int, _ rule: Int, at now: Instant) {
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
        // What is true already is not to be applied any more.
        if controls[control].staged == controls[control].pursuit.desired {
            stage(.unknown, control, at: now, emit)
        }
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
        for place in rulesSettings[rule].listeners.places { mark(links[place]) }
    }

    /// Something that a control looks at may have changed.
    private mutating func mark(_ id: ControlID) {
        guard Int(id.index) < controls.count, let rule = rulesPlace(Int(id.index)), isStarted,
            !rules[rule].isDirty, isChainShort()
        else { return }
        rules[rule].isDirty = true
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
    }

    /// The panel starts: everybody looks at the others, and a device may be silent from here on.
    mutating func startRules(at now: Instant) {
        for rule in 0..<rules.count where Int(rules[rule].control) < controls.count {
            heard(Int(rules[rule].control), at: now)
            mark(ControlID(rules[rule].control))
        }
    }

    /// Counts what controls ask of each other because of one event; false where that goes on for
    /// ever.
    mutating func isChainShort() -> Bool {
        guard chained < EngineLimits.chainLength else {
            counters.cutChains &+= 1
            return false
        }
        chained &+= 1
        return true
    }

    /// Does what is due of one control's rules.
    @inline(never)
    mutating func fireRules(_ rule: Int, at now: Instant, clock: Instant, _ emit: Emit) {
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
        if rules[rule].navigatorDeadline <= now { fireNavigator(control, rule, at: now, emit) }
        if rules[rule].returnsAt <= now {
            fireReturn(control, rule, at: now, clock: clock, emit)
        }
        if rules[rule].staleAt <= now {
            rules[rule].staleAt = .never
            controls[control].standing.insert(.stale)
            refresh(control, at: now, emit)
        }
        if rules[rule].auditAt <= now { audit(control, rule, at: now, clock: clock, emit) }
        if rules[rule].sequence.deadline <= now { fireSequence(control, rule, at: now, emit) }
        deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
    }

    private mutating func fireReturn(
        _ control: Int, _ rule: Int, at now: Instant, clock: Instant, _ emit: Emit
    ) {
        rules[rule].returnsAt = .never
        guard let returning = rulesSettings[rule].returning else { return }
        guard returned < EngineLimits.returnsBehind else {
            counters.cutReturns &+= 1
            rules[rule].returnsAt = clock + max(returning.after, TimeSpan(nanoseconds: 1))
            return
        }
        returned &+= 1
        // A group that refuses, or an action that fails, has the other value for as long again.
        _ = request(
            returning.value, of: control, .control, isForced: true, at: now, emit)
    }
}
