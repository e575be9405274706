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
            desired: controls[control].pursuit.desired, positionBefore: before,
            mismatch: settings[control].mismatch, now: now)
        let response = controls[control].kind.respond(to: decoded, view)
        carryOut(response, control, .panel, at: now, emit)
    }

    private mutating func tell(_ decoded: Decoded, _ control: Int, at now: Instant, _ emit: Emit) {
        let gestures = decoded.gestures
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

    private mutating func carryOut(
        _ response: Response, _ control: Int, _ origin: Origin, at now: Instant, _ emit: Emit
    ) {
        switch response {
        case .nothing:
            refresh(control, at: now, emit)
        case .set(let value):
            controls[control].startsAt = .never
            let moves = controls[control].pursuit.accept(
                value, origin, at: now, lookup(control), &lastRun)
            follow(moves, control, origin, at: now, emit)
        case .fire:
            guard settings[control].actions != .none else {
                return refresh(control, at: now, emit)
            }
            let moves = controls[control].pursuit.fire(origin, at: now, lookup(control), &lastRun)
            follow(moves, control, origin, at: now, emit)
        }
    }

    mutating func handleIntent(
        _ id: ControlID, _ value: Value, _ origin: Origin, at now: Instant, _ emit: Emit
    ) {
        guard let control = existing(id) else { return }
        guard controls[control].kind.hasValue else {
            return refuse(.unsupported, control, origin, at: now, emit)
        }
        guard controls[control].kind.accepts(value) else {
            return refuse(.outOfRange, control, origin, at: now, emit)
        }
        carryOut(.set(value), control, origin, at: now, emit)
    }

    mutating func handleFire(
        _ id: ControlID, _ origin: Origin, at now: Instant, _ emit: Emit
    ) {
        guard let control = existing(id) else { return }
        guard !controls[control].kind.hasValue else {
            return refuse(.unsupported, control, origin, at: now, emit)
        }
        carryOut(.fire, control, origin, at: now, emit)
    }

    mutating func handleActionStarted(_ id: ControlID, _ run: RunID, at now: Instant) {
        guard let control = existing(id) else { return }
        controls[control].pursuit.attemptStarted(run, at: now, lookup(control))
        deadlines.set(machines.pursuits &+ control, to: pursuitDeadline(control))
    }

    mutating func handleActionFinished(
        _ id: ControlID, _ run: RunID, _ outcome: ActionOutcome, at now: Instant, _ emit: Emit
    ) {
        guard let control = existing(id) else { return }
        let moves = controls[control].pursuit.attemptFinished(
            run, outcome, at: now, isEvent: !controls[control].kind.hasValue, lookup(control),
            &lastRun)
        follow(moves, control, .device, at: now, emit)
    }

    mutating func lookup(_ control: Int) -> ActionLookup {
        ActionLookup(
            map: settings[control].actions, table: actions, query: settings[control].query)
    }

    mutating func existing(_ id: ControlID) -> Int? {
        guard Int(id.index) < controls.count else {
            counters.ignoredEvents &+= 1
            return nil
        }
        return Int(id.index)
    }

    private mutating func refuse(
        _ refusal: Refusal, _ control: Int, _ origin: Origin, at now: Instant, _ emit: Emit
    ) {
        counters.refusedIntents &+= 1
        report(.refused(refusal, origin), control, at: now, emit)
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
        if moves.refused { return refuse(.busy, control, origin, at: now, emit) }
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
        }
        refresh(control, at: now, emit)
        if let attempt = moves.cancelled { emit(.cancel(attempt.action, run: attempt.run), now) }
        if let attempt = moves.started {
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
