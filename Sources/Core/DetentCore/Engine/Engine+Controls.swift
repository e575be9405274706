import DetentTypes

/// Gestures, intents and outcomes: from the contacts to the controls, and what follows from them.
extension Engine {
    /// Tells what a decoder found, and does what the control's kind makes of it.
    mutating func handleGestures(_ decoded: DecoderOutput, _ control: ControlIndex, _ emit: Emit) {
        reportGestures(decoded, control, emit)
        let before = controls[control].position
        if decoded.gestures.contains(.moved) { controls[control].position = decoded.position }
        if decoded.gestures.contains(.verify) {
            let line =
                settings[control].contacts.first
                &+ controls[control].decoder.verifiedContact
            emit(.readLevel(LineID(line)), now)
        }
        let context = ResponseContext(
            desired: controls[control].shown, positionBefore: before,
            mismatch: settings[control].mismatch, now: now)
        if let relation = relationIndex(control) {
            return handleGestures(decoded, control, relation, context, emit)
        }
        let response = controls[control].nature.respond(
            to: decoded, context, &controls[control].press)
        _ = execute(response, control, .panel, emit)
    }

    @inline(__always)
    private mutating func reportGestures(
        _ decoded: DecoderOutput, _ control: ControlIndex, _ emit: Emit
    ) {
        let gestures = decoded.gestures
        if decoded.button != DecoderOutput.noButton {
            let button = Value(Int32(decoded.button))
            let isPress = gestures.contains(.pressed)
            report(
                isPress ? .buttonPressed(button) : .buttonReleased(button), control, emit)
            return
        }
        if gestures.contains(.pressed) { report(.pressed, control, emit) }
        if gestures.contains(.released) { report(.released, control, emit) }
        if gestures.contains(.clicked) { report(.clicked, control, emit) }
        if !gestures.isSubset(of: [.pressed, .released, .clicked, .moved]) {
            reportRarer(decoded, control, emit)
        } else if gestures.contains(.moved) {
            report(.moved(position: decoded.position), control, emit)
        }
    }

    /// What follows a press, a release and a click in the order of the gestures.
    @inline(never)
    mutating func reportRarer(
        _ decoded: DecoderOutput, _ control: ControlIndex, _ emit: Emit
    ) {
        let gestures = decoded.gestures
        if gestures.contains(.multiClicked) {
            let isDouble = decoded.clicks == 2
            report(
                isDouble ? .doubleClicked : .multiClicked(count: decoded.clicks), control,
                emit)
        }
        if gestures.contains(.held) { report(.held, control, emit) }
        if gestures.contains(.repeated) { report(.repeated, control, emit) }
        if gestures.contains(.lost) {
            let lost = controls[control].lost &+ 1
            controls[control].lost = lost
            report(.lost(count: lost), control, emit)
        }
        if gestures.contains(.stepped) {
            report(.stepped(delta: decoded.delta), control, emit)
        }
        if gestures.contains(.moved) {
            report(.moved(position: decoded.position), control, emit)
        }
        if gestures.contains(.invalid) { report(.invalid, control, emit) }
    }

    /// Does what a kind wants done.
    mutating func execute(
        _ response: Response, _ control: ControlIndex, _ origin: Origin, _ emit: Emit
    ) -> Answer {
        switch response {
        case .nothing:
            refresh(control, emit)
            return .accepted
        case .end(let value) where controls[control].nature.role == .events:
            return execute(event: value, control, origin, emit)
        case .set(let value), .end(let value):
            controls[control].startsAt = .never
            var context = attemptContext(control, for: value)
            guard
                controls[control].accept(
                    value, origin, isForced: response.isForced, &context)
            else { return refuse(.busy, control, origin, emit) }
            applyChanges(of: context, control, origin, emit)
            return .accepted
        case .fire(let value):
            return execute(event: value, control, origin, emit)
        case .setMembers(let value):
            return setMembers(of: control, to: value, origin, emit)
        case .refuse(let refusal):
            return refuse(refusal, control, origin, emit)
        }
    }

    private mutating func execute(
        event value: Value, _ control: ControlIndex, _ origin: Origin, _ emit: Emit
    ) -> Answer {
        var context = attemptContext(control)
        if context.actions.action(for: value) != nil,
            !controls[control].fire(value, origin, &context)
        {
            return refuse(.busy, control, origin, emit)
        }
        if controls[control].nature.hasCommands {
            report(.chosen(value, origin), control, emit)
        } else {
            tellFired(control, origin, emit)
        }
        applyChanges(of: context, control, origin, emit)
        return .accepted
    }

    /// Tells who has fired a button, if that was from afar. A hand at the panel is told as a press.
    mutating func tellFired(_ control: ControlIndex, _ origin: Origin, _ emit: Emit) {
        if origin.isRemote { report(.chosen(.on, origin), control, emit) }
    }
}
