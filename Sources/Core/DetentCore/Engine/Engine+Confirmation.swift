import DetentTypes

/// Confirmation of destructive controls: holds, second presses and guards.
extension Engine {
    /// What it takes to make `value` happen: the contract of a menu's item, or the control's.
    func confirmation(for value: Value, _ relation: RelationIndex) -> ConfirmSettings {
        guard let item = menuItem(value, relation), item.confirm != .none else {
            return relationSettings[relation].confirm
        }
        return item.confirm
    }

    /// The contract of what has the focus or is being confirmed now.
    func currentConfirmation(_ relation: RelationIndex) -> ConfirmSettings {
        guard let focus = relations[relation].navigator.focus else {
            return relationSettings[relation].confirm
        }
        return confirmation(for: Value(Int32(focus)), relation)
    }

    /// Whether a control has a guard that is known to be open.
    func isGuardOpen(_ control: ControlIndex) -> Bool {
        let place = UInt32(settings[control].partContacts)
        guard settings[control].hasGuard, place < 32, controls[control].faultyLines == 0 else {
            return false
        }
        return controls[control].closed & (1 << place) == 0
    }

    /// Whether its guard keeps the part's position from counting.
    func isShut(_ control: ControlIndex) -> Bool {
        guard let relation = relationIndex(control) else { return false }
        return relationSettings[relation].confirm == .guarded && !isGuardOpen(control)
    }

    /// A press, the first of what it takes.
    mutating func confirm(
        _ value: Value, _ contract: ConfirmSettings, by contact: UInt8?, _ control: ControlIndex,
        _ relation: RelationIndex, _ emit: Emit
    ) {
        guard let contact else {
            _ = refuse(.needsConfirmation, control, .panel, emit)
            return
        }
        acknowledgeFailure(control, emit)
        if relations[relation].confirmation.value != value {
            abandonConfirmation(control, relation, emit)
        }
        relations[relation].confirmingContact = contact
        let step = relations[relation].confirmation.press(value, contract, at: now)
        applyConfirmation(step, control, relation, emit)
    }

    /// A touch ends the show of a failure, also where it asks for nothing yet.
    mutating func acknowledgeFailure(_ control: ControlIndex, _ emit: Emit) {
        let changes = controls[control].acknowledgeFailure()
        if !changes.reports.isEmpty { applyChanges(changes, control, .panel, emit) }
    }

    /// Tells and does what a confirmation came to.
    mutating func applyConfirmation(
        _ step: Confirmation.Step, _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        if step.isArmed { report(.armed, control, emit) }
        if let percent = step.progress {
            report(.progress(percent: percent), control, emit)
        }
        controls[control].progress = relations[relation].confirmation.tenth
        if step.wantsReading {
            if case .chord = relationSettings[relation].confirm {
                return readChord(control, relation, emit)
            }
            let contact = UInt16(relations[relation].confirmingContact)
            emit(.readLevel(LineID(settings[control].contacts.first &+ contact)), now)
        }
        if step != Confirmation.Step(), let navigation = relationSettings[relation].navigation {
            relations[relation].navigator.touch(navigation, at: now)
        }
        guard let value = step.fires else { return refresh(control, emit) }
        acceptFromPanel(controls[control].nature.response(for: value), control, relation, emit)
    }

    /// The level of a contact was read.
    @inline(never)
    mutating func confirmLevel(
        _ contact: UInt8, _ level: Level, _ control: ControlIndex, _ emit: Emit
    ) {
        guard let relation = relationIndex(control), relations[relation].confirmation.isVerifying,
            contact == relations[relation].confirmingContact
        else { return }
        // `confirmChords` looks at all chords.
        if case .chord = relationSettings[relation].confirm { return }
        let step = relations[relation].confirmation.levelRead(level)
        applyConfirmation(step, control, relation, emit)
    }

    /// What was being confirmed is given up.
    mutating func abandonConfirmation(
        _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        endHold(control, relation, percent: 0, emit)
        guard relations[relation].confirmation.value != nil else { return }
        let step = relations[relation].confirmation.abandon()
        applyConfirmation(step, control, relation, emit)
    }

}
