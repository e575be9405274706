import DetentTypes

/// Chords: several buttons that are pressed together count as one.
extension Engine {
    /// Takes the buttons of all chords as they are, without a press.
    mutating func takeChords() {
        for relation in relations.indices
        where controls.contains(ControlIndex(relations[relation].control))
            && controls[ControlIndex(relations[relation].control)].continuity != .everything
        {
            relations[relation].isChordDown = buttons(of: relation).areDown
        }
    }

    /// Looks whether all buttons of a chord are down: together they are one button.
    mutating func reevaluateChord(
        _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        guard case .chord(let hold) = relationSettings[relation].confirm else { return }
        let (areDown, areFaulty) = buttons(of: relation)
        // What cannot be trusted holds nothing, and is no press when it is back.
        if areFaulty { abandonConfirmation(control, relation, emit) }
        guard areDown != relations[relation].isChordDown else { return }
        relations[relation].isChordDown = areDown
        if !areDown { abandonConfirmation(control, relation, emit) }
        let context = ResponseContext(
            desired: controls[control].shown, positionBefore: .unknown,
            mismatch: settings[control].mismatch, now: now)
        let gesture = DecoderOutput(gestures: areDown ? .pressed : .released)
        switch controls[control].nature.respond(to: gesture, context, &controls[control].press) {
        case .nothing, .refuse:
            break
        case .end(let value):
            permit(.end(value), by: nil, control, relation, emit)
        case .set(let value), .fire(let value), .setMembers(let value):
            if controls[control].relationFlags.contains(.disabled) {
                _ = refuse(.disabled, control, .panel, emit)
            } else if !areDown {
                acceptFromPanel(.set(value), control, relation, emit)
            } else if !areFaulty {
                let step = relations[relation].confirmation.chord(value, hold, at: now)
                applyConfirmation(step, control, relation, emit)
            }
        }
    }

    /// Reads the levels of all buttons of a chord once more.
    mutating func readChord(
        _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        var awaited: UInt32 = 0
        if let contact = downContact(control) {
            awaited |= 1
            emit(.readLevel(LineID(settings[control].contacts.first &+ contact)), now)
        }
        var bit: UInt32 = 2
        for place in relationSettings[relation].members.places where bit != 0 {
            defer { bit <<= 1 }
            let member = ControlIndex(links[place])
            guard controls.contains(member), let contact = downContact(member) else { continue }
            awaited |= bit
            emit(.readLevel(LineID(settings[member].contacts.first &+ contact)), now)
        }
        let step = relations[relation].confirmation.await(awaited)
        applyConfirmation(step, control, relation, emit)
    }

    /// The contact that makes a button count as down; nil where none is closed.
    private func downContact(_ control: ControlIndex) -> UInt16? {
        if case .encoder = settings[control].decoder {
            return controls[control].decoder.verifiedContact
        }
        let closed = controls[control].partClosed
        return closed == 0 ? nil : UInt16(truncatingIfNeeded: closed.trailingZeroBitCount)
    }

    /// The level of a contact was read: the chords that its control belongs to may wait for it.
    @inline(never)
    mutating func confirmChords(
        _ contact: UInt8, _ level: Level, _ control: ControlIndex, _ emit: Emit
    ) {
        guard let own = relationIndex(control), downContact(control) == UInt16(contact) else {
            return
        }
        confirmChord(control, of: control, own, level, emit)
        for place in relationSettings[own].listeners.places {
            let chord = ControlIndex(links[place])
            guard controls.contains(chord), chord != control, let relation = relationIndex(chord)
            else {
                continue
            }
            confirmChord(control, of: chord, relation, level, emit)
        }
    }

    private mutating func confirmChord(
        _ button: ControlIndex, of chord: ControlIndex, _ relation: RelationIndex, _ level: Level,
        _ emit: Emit
    ) {
        guard case .chord = relationSettings[relation].confirm,
            relations[relation].confirmation.isVerifying
        else {
            return
        }
        var bits: UInt32 = button == chord ? 1 : 0
        var bit: UInt32 = 2
        for place in relationSettings[relation].members.places {
            if ControlIndex(links[place]) == button { bits |= bit }
            bit <<= 1
        }
        guard bits != 0 else { return }
        let step = relations[relation].confirmation.levelRead(level, of: bits)
        applyConfirmation(step, chord, relation, emit)
    }

    /// Whether the buttons of a chord, its own among them, are all down, and whether one is faulty.
    private func buttons(of relation: RelationIndex) -> (areDown: Bool, areFaulty: Bool) {
        var areDown = !relationSettings[relation].members.isEmpty
        var areFaulty = false
        let own = ControlIndex(relations[relation].control)
        if settings[own].contacts.count != 0 {
            if !controls[own].decoder.isDown { areDown = false }
            if controls[own].faultyLines != 0 { areFaulty = true }
        }
        for place in relationSettings[relation].members.places {
            let member = ControlIndex(links[place])
            guard controls.contains(member), controls[member].decoder.isDown else {
                areDown = false
                continue
            }
            if controls[member].faultyLines != 0 { areFaulty = true }
        }
        return (areDown, areFaulty)
    }
}
