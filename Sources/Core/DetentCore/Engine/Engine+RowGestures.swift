import DetentTypes

/// Gestures of the buttons of a row. Only the button that was pressed last is followed.
extension Engine {
    /// A button of a row with gestures that act was pressed or released.
    @inline(never)
    mutating func followRow(
        _ decoded: DecoderOutput, _ control: ControlIndex, _ relation: RelationIndex,
        _ context: ResponseContext, _ emit: Emit
    ) {
        let button = decoded.button
        let isPress = decoded.gestures.contains(.pressed)
        if isPress, relations[relation].followed.mustEnd(for: button),
            relations[relation].followed.canFollow(button)
        {
            let times = rowTimes(relation, relations[relation].followed.place)
            let ended = relations[relation].followed.end(at: now, times)
            rowDecoded(ended, control, relation, times, context, emit)
        }
        let isFollowed =
            isPress
            ? relations[relation].followed.canFollow(button)
            : relations[relation].followed.place == button
        guard isFollowed else {
            return actOnGestures(decoded, control, relation, nil, context, emit)
        }
        let times = rowTimes(relation, button)
        let output = relations[relation].followed.contact(
            button, isPress ? .active : .inactive, at: now, times)
        rowDecoded(output, control, relation, times, context, emit)
    }

    /// Something is due of the followed button.
    @inline(never)
    mutating func fireFollowed(
        _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        let times = rowTimes(relation, relations[relation].followed.place)
        let output = relations[relation].followed.deadlineReached(
            at: now, clock: clock, times)
        rowDecoded(output, control, relation, times, rowContext(control), emit)
    }

    /// The level of a contact was read: it may be that of a hold.
    @inline(never)
    mutating func verifyFollowed(
        _ contact: UInt8, _ level: Level, _ control: ControlIndex, _ emit: Emit
    ) {
        guard let relation = relationIndex(control),
            relationSettings[relation].gestures.count > 0, isRow(control),
            relations[relation].followed.place == contact
        else { return }
        let times = rowTimes(relation, contact)
        let output = relations[relation].followed.levelRead(level, times)
        guard !output.isEmpty else { return }
        rowDecoded(output, control, relation, times, rowContext(control), emit)
    }

    /// The line of a contact is back after a fault: what its button was doing is no gesture.
    @inline(never)
    mutating func forgetFollowed(_ contact: UInt8, _ control: ControlIndex) {
        guard let relation = relationIndex(control), isRow(control),
            relations[relation].followed.place == contact
        else { return }
        relations[relation].followed = FollowedButton()
        updateDeadline(of: .relations(relation))
    }

    /// Whether a control has a button for each option.
    func isRow(_ control: ControlIndex) -> Bool { settings[control].decoder == .buttonRow }

    private mutating func rowDecoded(
        _ output: DecoderOutput, _ control: ControlIndex, _ relation: RelationIndex,
        _ times: ButtonSettings, _ context: ResponseContext, _ emit: Emit
    ) {
        if output.gestures.contains(.verify) {
            let line = settings[control].contacts.first &+ UInt16(output.button)
            emit(.readLevel(LineID(line)), now)
        }
        var rarer = output
        rarer.gestures.formIntersection([.multiClicked, .held, .repeated])
        if !rarer.isEmpty { reportRarer(rarer, control, emit) }
        actOnGestures(output, control, relation, times, context, emit)
        updateDeadline(of: .relations(relation))
    }

    private func rowContext(_ control: ControlIndex) -> ResponseContext {
        ResponseContext(
            desired: controls[control].shown, positionBefore: .unknown,
            mismatch: settings[control].mismatch, now: now)
    }

    /// The times of a button: those of the gestures that it has.
    private func rowTimes(_ relation: RelationIndex, _ button: UInt8) -> ButtonSettings {
        var times = ButtonSettings()
        for place in relationSettings[relation].gestures.places {
            guard let acting = acting(ControlIndex(offset: place)), acting.isOf(button: button)
            else { continue }
            acting.row.add(acting.gesture, to: &times)
        }
        return times
    }
}

extension GestureSettings {
    /// Whether it is one of this button of a row; true for every gesture of a part that is none.
    func isOf(button: UInt8) -> Bool {
        row.buttons == 0 || button < 32 && row.buttons & (1 << UInt32(button)) != 0
    }
}

extension RowGesture {
    fileprivate func add(_ gesture: ActingGesture, to times: inout ButtonSettings) {
        switch gesture {
        case .hold: times.hold = after
        case .doubleClick, .multiClick:
            times.multiClickGap = after
            times.multiClickCount = count
        case .repetition:
            times.repeatAfter = after
            times.repeatEvery = every
        case .click, .turn, .turnUp, .turnDown: break  // no row has them
        }
        if isExclusive { times.isExclusive = true }
    }
}
