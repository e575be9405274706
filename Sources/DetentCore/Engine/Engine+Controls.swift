import DetentTypes

/// Gestures, intents and outcomes: from the contacts to the controls, and what follows from them.
extension Engine {
    /// Tells what a decoder found, and does what the control's kind makes of it.
    mutating func act(on decoded: Decoded, _ control: Int, at now: Instant, _ emit: Emit) {
        tell(decoded, control, at: now, emit)
        let before = controls[control].position
        if decoded.gestures.contains(.moved) { controls[control].position = decoded.position }
        if decoded.gestures.contains(.verify) {
            let line =
                settings[control].contacts.first
                &+ controls[control].decoder.verifiedContact
            emit(.readLevel(LineID(line)), now)
        }
        let view = ControlView(
            desired: controls[control].shown, positionBefore: before,
            mismatch: settings[control].mismatch, now: now)
        if let rule = rulesPlace(control) {
            return act(on: decoded, control, rule, view, emit)
        }
        let response = controls[control].kind.respond(to: decoded, view)
        _ = carryOut(response, control, .panel, at: now, emit)
    }

    private mutating func tell(_ decoded: Decoded, _ control: Int, at now: Instant, _ emit: Emit) {
        let gestures = decoded.gestures
        if decoded.button != Decoded.noButton {
            let button = Value(Int32(decoded.button))
            let isPress = gestures.contains(.pressed)
            report(
                isPress ? .buttonPressed(button) : .buttonReleased(button), control, at: now, emit)
            return
        }
        if gestures.contains(.pressed) { report(.pressed, control, at: now, emit) }
        if gestures.contains(.released) { report(.released, control, at: now, emit) }
        if gestures.contains(.clicked) { report(.clicked, control, at: now, emit) }
        if gestures.contains(.multiClicked) {
            let isDouble = decoded.clicks == 2
            report(
                isDouble ? .doubleClicked : .multiClicked(count: decoded.clicks), control,
                at: now, emit)
        }
        if gestures.contains(.held) { report(.held, control, at: now, emit) }
        if gestures.contains(.repeated) { report(.repeated, control, at: now, emit) }
        if gestures.contains(.lost) {
            let lost = controls[control].lost &+ 1
            controls[control].lost = lost
            report(.lost(count: lost), control, at: now, emit)
        }
        if gestures.contains(.stepped) {
            report(.stepped(delta: decoded.delta), control, at: now, emit)
        }
        if gestures.contains(.moved) {
            report(.moved(position: decoded.position), control, at: now, emit)
        }
        if gestures.contains(.invalid) { report(.invalid, control, at: now, emit) }
    }

    /// Does what a kind wants done.
    mutating func carryOut(
        _ response: Response, _ control: Int, _ origin: Origin, at now: Instant, _ emit: Emit
    ) -> Answer {
        switch response {
        case .nothing:
            refresh(control, at: now, emit)
            return .accepted
        case .set(let value), .end(let value):
            controls[control].startsAt = .never
            let moves = controls[control].pursuit.accept(
                value, origin, at: now, lookup(control, for: value), &lastRun,
                isForced: response.isForced)
            follow(moves, control, origin, at: now, emit)
            return moves.answer
        case .fire(let value):
            return carryOut(firing: value, control, origin, at: now, emit)
        case .setMembers(let value):
            return setMembers(of: control, to: value, origin, at: now, emit)
        case .refuse(let refusal):
            return refuse(refusal, control, origin, at: now, emit)
        }
    }

    private mutating func carryOut(
        firing value: Value, _ control: Int, _ origin: Origin, at now: Instant, _ emit: Emit
    ) -> Answer {
        var moves = Pursuit.Moves()
        if lookup(control).action(for: value) != nil {
            moves = controls[control].pursuit.fire(
                value, origin, at: now, lookup(control), &lastRun)
        }
        if case .commands = controls[control].kind, !moves.refused {
            report(.chosen(value, origin), control, at: now, emit)
        }
        follow(moves, control, origin, at: now, emit)
        return moves.answer
    }

    mutating func handleIntent(
        _ id: ControlID, _ value: Value, _ origin: Origin, _ request: RequestID, at now: Instant,
        _ emit: Emit
    ) {
        var answer = Answer.noControl
        if let control = existing(id) {
            answer = self.request(value, of: control, origin, at: now, emit)
        }
        if request != .none { emit(.answer(request, id, answer), now) }
    }

    mutating func handleFire(
        _ id: ControlID, _ value: Value, _ origin: Origin, _ isConfirmed: Bool,
        _ request: RequestID, at now: Instant, _ emit: Emit
    ) {
        var answer = Answer.noControl
        if let control = existing(id) {
            answer = fire(value, of: control, origin, isConfirmed: isConfirmed, at: now, emit)
        }
        if request != .none { emit(.answer(request, id, answer), now) }
    }

    /// Asks a control for a value.
    ///
    /// - Parameters:
    ///   - isApplied: a form is being applied: its members take the value rather than stage it.
    ///   - isForced: a time is over: neither disabled, busy nor staging stands in the way.
    mutating func request(
        _ value: Value, of control: Int, _ origin: Origin, isApplied: Bool = false,
        isForced: Bool = false, at now: Instant, _ emit: Emit
    ) -> Answer {
        let kind = controls[control].kind
        guard kind.hasValue else { return refuse(.unsupported, control, origin, at: now, emit) }
        guard kind.accepts(value) else {
            return refuse(.outOfRange, control, origin, at: now, emit)
        }
        var response = isForced ? Response.end(value) : .set(value)
        if case .group = kind { response = .setMembers(value) }
        guard let rule = rulesPlace(control) else {
            return carryOut(response, control, origin, at: now, emit)
        }
        if controls[control].standing.contains(.disabled), !isForced {
            return refuse(.disabled, control, origin, at: now, emit)
        }
        if !rulesSettings[rule].confirm.allowsRemote, !isForced {
            return refuse(.guarded, control, origin, at: now, emit)
        }
        if case .member(let form) = rulesSettings[rule].form, !isApplied, !isForced {
            return stage(value, control, form, origin, at: now, emit)
        }
        return carryOut(response, control, rule, origin, at: now, emit)
    }

    /// Asks a control to run the action of an event.
    mutating func fire(
        _ value: Value, of control: Int, _ origin: Origin, isConfirmed: Bool, at now: Instant,
        _ emit: Emit
    ) -> Answer {
        guard controls[control].kind.fires(value) else {
            let isOutOfRange = controls[control].kind.fires(.off)
            return refuse(
                isOutOfRange ? .outOfRange : .unsupported, control, origin, at: now, emit)
        }
        guard let rule = rulesPlace(control) else {
            return carryOut(.fire(value), control, origin, at: now, emit)
        }
        if controls[control].standing.contains(.disabled) {
            return refuse(.disabled, control, origin, at: now, emit)
        }
        guard !isSubmenu(value, rule) else {
            return refuse(.outOfRange, control, origin, at: now, emit)
        }
        let contract = contract(for: value, rule)
        guard contract.allowsRemote else {
            return refuse(.guarded, control, origin, at: now, emit)
        }
        guard contract == .none || isConfirmed else {
            return refuse(.needsConfirmation, control, origin, at: now, emit)
        }
        return carryOut(.fire(value), control, rule, origin, at: now, emit)
    }

    mutating func handleActionStarted(_ id: ControlID, _ run: RunID, at now: Instant) {
        guard let control = existing(id) else { return }
        if let rule = rulesPlace(control), rules[rule].sequence.owns(run) {
            return stepStarted(rule, at: now)
        }
        controls[control].pursuit.attemptStarted(run, at: now, lookup(control))
        deadlines.set(machines.pursuits &+ control, to: pursuitDeadline(control))
    }

    mutating func handleActionFinished(
        _ id: ControlID, _ run: RunID, _ outcome: ActionOutcome, at now: Instant, _ emit: Emit
    ) {
        guard let control = existing(id) else { return }
        if let rule = rulesPlace(control), rules[rule].sequence.owns(run) {
            return stepEnded(outcome, control, rule, at: now, emit)
        }
        finishAttempt(run, outcome, control, at: now, emit)
    }

    mutating func finishAttempt(
        _ run: RunID, _ outcome: ActionOutcome, _ control: Int, at now: Instant, _ emit: Emit
    ) {
        let moves = controls[control].pursuit.attemptFinished(
            run, outcome, at: now, isEvent: !controls[control].kind.hasValue, lookup(control),
            &lastRun)
        follow(moves, control, .device, at: now, emit)
    }

    /// The actions of a control, for what it shows or is about to show.
    mutating func lookup(_ control: Int, for value: Value? = nil) -> ActionLookup {
        ActionLookup(
            map: settings[control].actions, table: actions, query: settings[control].query,
            areOutputsLate: areOutputsLate(value, control))
    }

    /// Whether the outputs of a value, else of the shown one, are still to be written.
    private mutating func areOutputsLate(_ value: Value?, _ control: Int) -> Bool {
        guard settings[control].outputs.count != 0, settings[control].transition != .none,
            isStarted, controls[control].kind.hasValue, !controls[control].kind.isSum
        else { return false }
        let outputs = wantedOutputs(control, at: value ?? controls[control].pursuit.desired)
        return !controls[control].interlock.isWritten(outputs)
    }

    mutating func existing(_ id: ControlID) -> Int? {
        guard Int(id.index) < controls.count else {
            counters.ignoredEvents &+= 1
            return nil
        }
        return Int(id.index)
    }

    /// Tells that an intent was refused; gives the answer to it.
    mutating func refuse(
        _ refusal: Refusal, _ control: Int, _ origin: Origin, at now: Instant, _ emit: Emit
    ) -> Answer {
        counters.refusedIntents &+= 1
        report(.refused(refusal, origin), control, at: now, emit)
        refresh(control, at: now, emit)
        return .refused(refusal)
    }

    mutating func report(
        _ kind: Report.Kind, _ control: Int, at now: Instant, _ emit: Emit
    ) {
        let id = ControlID(UInt16(truncatingIfNeeded: control))
        emit(.report(Report(control: id, kind: kind)), now)
    }

    /// Tells what a pursuit did, in the contract's order, and does what it wants done.
    mutating func follow(
        _ moves: Pursuit.Moves, _ control: Int, _ origin: Origin, at now: Instant, _ emit: Emit
    ) {
        if moves.refused {
            _ = refuse(.busy, control, origin, at: now, emit)
            return
        }
        if moves.changed {
            let desired = controls[control].pursuit.desired
            report(.changed(desired, origin), control, at: now, emit)
        }
        if moves.phaseChanged {
            let phase = controls[control].pursuit.phase
            report(.phase(phase, moves.reason), control, at: now, emit)
        }
        if moves.confirmed {
            let confirmed = controls[control].pursuit.confirmed
            report(.confirmed(confirmed), control, at: now, emit)
            if settings[control].rules != .none { heard(control, at: now) }
        }
        refresh(control, at: now, emit)
        if let attempt = moves.cancelled, !abandonSteps(of: attempt, control, at: now, emit) {
            emit(.cancel(attempt.action, run: attempt.run), now)
        }
        if let attempt = moves.started, !beginSteps(of: attempt, control, at: now) {
            emit(
                .start(
                    attempt.action, run: attempt.run,
                    control: ControlID(UInt16(truncatingIfNeeded: control)),
                    value: attempt.value, previous: controls[control].pursuit.confirmed,
                    origin: controls[control].pursuit.origin),
                now)
        }
    }

    // Inlined: 4 instructions an edge (Benchmarks/run).
    @inline(__always)
    mutating func pursuitDeadline(_ control: Int) -> Instant {
        min(controls[control].pursuit.deadline, controls[control].startsAt)
    }
}
