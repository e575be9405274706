import DetentTypes

/// What besides a press it takes to make something happen: contracts, guards and chords.
extension Engine {
    /// What it takes to make `value` happen: the contract of a menu's item, or the control's.
    func contract(for value: Value, _ rule: Int) -> ConfirmSettings {
        guard let item = menuItem(value, rule), item.confirm != .none else {
            return rulesSettings[rule].confirm
        }
        return item.confirm
    }

    /// The contract of what has the focus or is being confirmed now.
    func currentContract(_ rule: Int) -> ConfirmSettings {
        guard let focus = rules[rule].navigator.focus else { return rulesSettings[rule].confirm }
        return contract(for: Value(Int32(focus)), rule)
    }

    /// Whether a control has a guard that is known to be open.
    func isGuardOpen(_ control: Int) -> Bool {
        let place = UInt32(settings[control].partContacts)
        guard settings[control].hasGuard, place < 32, controls[control].faultyLines == 0 else {
            return false
        }
        return controls[control].closed & (1 << place) == 0
    }

    /// Whether its guard keeps the part's position from counting.
    func isShut(_ control: Int) -> Bool {
        guard let rule = rulesPlace(control) else { return false }
        return rulesSettings[rule].confirm == .guarded && !isGuardOpen(control)
    }

    /// A press, the first of what it takes.
    mutating func confirm(
        _ value: Value, _ contract: ConfirmSettings, by contact: UInt8?, _ control: Int,
        _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        guard let contact else {
            _ = refuse(.needsConfirmation, control, .panel, at: now, emit)
            return
        }
        touch(control, at: now, emit)
        if rules[rule].confirmation.value != value {
            abandonConfirmation(control, rule, at: now, emit)
        }
        rules[rule].confirmingContact = contact
        let step = rules[rule].confirmation.press(value, contract, at: now)
        follow(step, control, rule, at: now, emit)
    }

    /// A touch ends the show of a failure, also where it asks for nothing yet.
    mutating func touch(_ control: Int, at now: Instant, _ emit: Emit) {
        let moves = controls[control].pursuit.touched()
        if moves.phaseChanged { follow(moves, control, .panel, at: now, emit) }
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
            if case .chord = rulesSettings[rule].confirm {
                return readChord(control, rule, at: now, emit)
            }
            let contact = UInt16(rules[rule].confirmingContact)
            emit(.readLevel(LineID(settings[control].contacts.first &+ contact)), now)
        }
        if step != Confirmation.Step(), let navigation = rulesSettings[rule].navigation {
            rules[rule].navigator.touch(navigation, at: now)
        }
        guard let value = step.fires else { return refresh(control, at: now, emit) }
        accept(controls[control].kind.wish(for: value), control, rule, at: now, emit)
    }

    /// The level of a contact was read.
    @inline(never)
    mutating func confirmLevel(
        _ contact: UInt8, _ level: Level, _ control: Int, at now: Instant, _ emit: Emit
    ) {
        guard let rule = rulesPlace(control), rules[rule].confirmation.isVerifying,
            contact == rules[rule].confirmingContact
        else { return }
        if case .chord = rulesSettings[rule].confirm { return }  // `confirmChords` looks at all
        let step = rules[rule].confirmation.levelRead(level)
        follow(step, control, rule, at: now, emit)
    }

    /// What was being confirmed is given up.
    mutating func abandonConfirmation(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        guard rules[rule].confirmation.value != nil else { return }
        let step = rules[rule].confirmation.abandon()
        follow(step, control, rule, at: now, emit)
    }

    // MARK: Chords

    /// Takes the buttons of all chords as they are, without a press.
    mutating func takeChords() {
        for rule in 0..<rules.count where Int(rules[rule].control) < controls.count {
            rules[rule].isChordDown = buttons(of: rule).areDown
        }
    }

    /// Looks whether all buttons of a chord are down: together they are one button.
    mutating func reconsiderChord(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        guard case .chord(let hold) = rulesSettings[rule].confirm else { return }
        let (areDown, areFaulty) = buttons(of: rule)
        // What cannot be trusted holds nothing, and is no press when it is back.
        if areFaulty { abandonConfirmation(control, rule, at: now, emit) }
        guard areDown != rules[rule].isChordDown else { return }
        rules[rule].isChordDown = areDown
        if !areDown { abandonConfirmation(control, rule, at: now, emit) }
        let view = ControlView(
            desired: controls[control].shown, positionBefore: .unknown,
            mismatch: settings[control].mismatch, now: now)
        let gesture = Decoded(gestures: areDown ? .pressed : .released)
        switch controls[control].kind.respond(to: gesture, view) {
        case .nothing, .refuse:
            break
        case .end(let value):
            permit(.end(value), by: nil, control, rule, at: now, emit)
        case .set(let value), .fire(let value), .setMembers(let value):
            if controls[control].standing.contains(.disabled) {
                _ = refuse(.disabled, control, .panel, at: now, emit)
            } else if !areDown {
                accept(.set(value), control, rule, at: now, emit)
            } else if !areFaulty {
                let step = rules[rule].confirmation.chord(value, hold, at: now)
                follow(step, control, rule, at: now, emit)
            }
        }
    }

    /// Reads the levels of all buttons of a chord once more.
    private mutating func readChord(
        _ control: Int, _ rule: Int, at now: Instant, _ emit: Emit
    ) {
        var awaited: UInt32 = 0
        if let contact = downContact(control) {
            awaited |= 1
            emit(.readLevel(LineID(settings[control].contacts.first &+ contact)), now)
        }
        var bit: UInt32 = 2
        for place in rulesSettings[rule].members.places where bit != 0 {
            defer { bit <<= 1 }
            let member = Int(links[place].index)
            guard member < controls.count, let contact = downContact(member) else { continue }
            awaited |= bit
            emit(.readLevel(LineID(settings[member].contacts.first &+ contact)), now)
        }
        let step = rules[rule].confirmation.await(awaited)
        follow(step, control, rule, at: now, emit)
    }

    /// The contact that makes a button count as down; nil where none is closed.
    private func downContact(_ control: Int) -> UInt16? {
        if case .encoder = settings[control].decoder {
            return controls[control].decoder.verifiedContact
        }
        let closed = controls[control].partClosed
        return closed == 0 ? nil : UInt16(truncatingIfNeeded: closed.trailingZeroBitCount)
    }

    /// The level of a contact was read: the chords that its control belongs to may wait for it.
    @inline(never)
    mutating func confirmChords(
        _ contact: UInt8, _ level: Level, _ control: Int, at now: Instant, _ emit: Emit
    ) {
        guard let own = rulesPlace(control), downContact(control) == UInt16(contact) else { return }
        confirmChord(control, of: control, own, level, at: now, emit)
        for place in rulesSettings[own].listeners.places {
            let chord = Int(links[place].index)
            guard chord < controls.count, chord != control, let rule = rulesPlace(chord) else {
                continue
            }
            confirmChord(control, of: chord, rule, level, at: now, emit)
        }
    }

    private mutating func confirmChord(
        _ button: Int, of chord: Int, _ rule: Int, _ level: Level, at now: Instant, _ emit: Emit
    ) {
        guard case .chord = rulesSettings[rule].confirm, rules[rule].confirmation.isVerifying else {
            return
        }
        var bits: UInt32 = button == chord ? 1 : 0
        var bit: UInt32 = 2
        for place in rulesSettings[rule].members.places {
            if Int(links[place].index) == button { bits |= bit }
            bit <<= 1
        }
        guard bits != 0 else { return }
        let step = rules[rule].confirmation.levelRead(level, of: bits)
        follow(step, chord, rule, at: now, emit)
    }

    /// Whether the buttons of a chord, its own among them, are all down, and whether one is faulty.
    private func buttons(of rule: Int) -> (areDown: Bool, areFaulty: Bool) {
        var areDown = !rulesSettings[rule].members.isEmpty
        var areFaulty = false
        let own = Int(rules[rule].control)
        if settings[own].contacts.count != 0 {
            if !controls[own].decoder.isDown { areDown = false }
            if controls[own].faultyLines != 0 { areFaulty = true }
        }
        for place in rulesSettings[rule].members.places {
            let member = Int(links[place].index)
            guard member < controls.count, controls[member].decoder.isDown else {
                areDown = false
                continue
            }
            if controls[member].faultyLines != 0 { areFaulty = true }
        }
        return (areDown, areFaulty)
    }
}
