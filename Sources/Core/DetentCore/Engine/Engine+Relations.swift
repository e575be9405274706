import DetentTypes

/// Relations: what a gesture needs before it counts, and the times of returns and stale devices.
extension Engine {
    /// The place of a control's rules; nil where it has none.
    func relationIndex(_ control: ControlIndex) -> RelationIndex? {
        let id = settings[control].relation
        return id == .none ? nil : RelationIndex(id.index)
    }

    /// A gesture of a control with rules.
    @inline(never)
    mutating func handleGestures(
        _ decoded: DecoderOutput, _ control: ControlIndex, _ relation: RelationIndex,
        _ context: ResponseContext, _ emit: Emit
    ) {
        if relationSettings[relation].gestures.count > 0 {
            if isRow(control) { return followRow(decoded, control, relation, context, emit) }
            let times = settings[control].decoder.button
            return actOnGestures(decoded, control, relation, times, context, emit)
        }
        let wanted: Response
        if let navigation = relationSettings[relation].navigation {
            wanted = navigate(decoded, control, relation, navigation, context, emit)
        } else {
            wanted = controls[control].nature.respond(
                to: decoded, context, &controls[control].press)
        }
        let contact = contact(of: decoded, control)
        if decoded.gestures.contains(.pressed) { relations[relation].isPressAccepted = false }
        if decoded.gestures.contains(.released), contact == relations[relation].confirmingContact {
            let step = relations[relation].confirmation.release(at: now)
            applyConfirmation(step, control, relation, emit)
        }
        permit(wanted, by: contact, control, relation, emit)
    }

    /// The contact that a gesture came from.
    private func contact(of decoded: DecoderOutput, _ control: ControlIndex) -> UInt8 {
        if decoded.button != DecoderOutput.noButton { return decoded.button }
        return UInt8(truncatingIfNeeded: controls[control].decoder.verifiedContact)
    }

    /// Lets a request from the panel pass where nothing forbids it and nothing is to be confirmed.
    ///
    /// - Parameter contact: whose press it is; nil where there was none to be confirmed.
    mutating func permit(
        _ wanted: Response, by contact: UInt8?, _ control: ControlIndex, _ relation: RelationIndex,
        _ emit: Emit
    ) {
        var value = Value.on
        switch wanted {
        case .nothing:
            return refresh(control, emit)
        case .refuse:
            _ = execute(wanted, control, .panel, emit)
            return
        case .end(let asked):
            // It ends what its press began, whatever has changed since, and else means nothing.
            guard relations[relation].isPressAccepted else { return refresh(control, emit) }
            if case .member(let form) = relationSettings[relation].form {
                _ = stage(asked, control, form, .panel, emit)
                return
            }
            return acceptFromPanel(wanted, control, relation, emit)
        case .set(let asked), .fire(let asked), .setMembers(let asked):
            value = asked
        }
        if controls[control].relationFlags.contains(.disabled) {
            _ = refuse(.disabled, control, .panel, emit)
            return
        }
        if case .member(let form) = relationSettings[relation].form, case .set = wanted {
            _ = stage(value, control, form, .panel, emit)
            return closeAfterChoice(control, relation, emit)
        }
        let contract = confirmation(for: value, relation)
        switch contract {
        case .none:
            acceptFromPanel(wanted, control, relation, emit)
        case .guarded:
            if isGuardOpen(control) {
                acceptFromPanel(wanted, control, relation, emit)
            } else {
                _ = refuse(.guarded, control, .panel, emit)
            }
        case .chord:
            reevaluateChord(control, relation, emit)
            refresh(control, emit)
        case .hold, .pressTwice, .arm:
            confirm(value, contract, by: contact, control, relation, emit)
        }
    }

    /// Executes what a gesture at the panel asks for.
    mutating func acceptFromPanel(
        _ wanted: Response, _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        relations[relation].isPressAccepted =
            execute(wanted, control, relation, .panel, emit).isAccepted
        closeAfterChoice(control, relation, emit)
    }

    /// Carries out a request that was permitted.
    mutating func execute(
        _ wanted: Response, _ control: ControlIndex, _ relation: RelationIndex, _ origin: Origin,
        _ emit: Emit
    ) -> Answer {
        if case .fire = wanted {
            switch relationSettings[relation].form {
            case .apply(let form): return apply(form, by: control, origin, emit)
            case .cancel(let form): return cancel(form, by: control, origin, emit)
            case .none, .member: break
            }
        }
        let answer = execute(wanted, control, origin, emit)
        if answer.isAccepted { noteIntent(control, relation) }
        return answer
    }

    // MARK: Times

    /// An intent was accepted: the time of an override begins anew.
    mutating func noteIntent(_ control: ControlIndex, _ relation: RelationIndex) {
        guard let returning = relationSettings[relation].returning, returning.start == .lastIntent,
            controls[control].state.desired != returning.value
        else { return }
        relations[relation].returnsAt = now + returning.after
        updateDeadline(of: .relations(relation))
    }

    /// The device of a control was heard: it is not stale.
    @inline(never)
    mutating func resetStaleTimer(_ control: ControlIndex) {
        guard let relation = relationIndex(control), relationSettings[relation].staleAfter != .zero
        else {
            return
        }
        relations[relation].staleAt = now + relationSettings[relation].staleAfter
        controls[control].relationFlags.remove(.stale)
    }

    /// The state of a control with relations may be another one: times begin or end, and the
    /// controls that observe it are marked.
    @inline(never)
    mutating func refreshRelations(_ control: ControlIndex, _ emit: Emit) {
        guard let relation = relationIndex(control) else { return }
        if let returning = relationSettings[relation].returning {
            if controls[control].state.desired == returning.value {
                relations[relation].returnsAt = .never
            } else if relations[relation].returnsAt == .never, isStarted {
                relations[relation].returnsAt = now + returning.after
            }
        }
        // What is true already is not to be applied any more.
        if controls[control].staged == controls[control].state.desired {
            stage(.unknown, control, emit)
        }
        updateDeadline(of: .relations(relation))
        for place in relationSettings[relation].listeners.places {
            markForReevaluation(links[place])
        }
    }

    /// Something that a control looks at may have changed.
    mutating func markForReevaluation(_ id: ControlID) {
        guard controls.contains(ControlIndex(id)), let relation = relationIndex(ControlIndex(id)),
            isStarted,
            !relations[relation].isDirty, isChainShort()
        else { return }
        relations[relation].isDirty = true
        updateDeadline(of: .relations(relation))
    }

    /// The panel starts: all relations are evaluated, and the times of stale devices begin.
    mutating func startRelations() {
        for relation in relations.indices
        where controls.contains(ControlIndex(relations[relation].control)) {
            let control = ControlIndex(relations[relation].control)
            if controls[control].continuity != .everything { resetStaleTimer(control) }
            markForReevaluation(ControlID(relations[relation].control))
        }
    }

    /// Counts requests and evaluations between controls for one event; false past the limit.
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
    mutating func fireRelations(_ relation: RelationIndex, _ emit: Emit) {
        let control = ControlIndex(relations[relation].control)
        guard controls.contains(control) else {
            relations[relation] = Relations()  // no control has them
            return updateDeadline(of: .relations(relation))
        }
        if relations[relation].isDirty {
            relations[relation].isDirty = false
            reevaluate(control, relation, emit)
        }
        if relations[relation].confirmation.deadline <= now {
            let step = relations[relation].confirmation.deadlineReached(at: now)
            applyConfirmation(step, control, relation, emit)
        }
        if relations[relation].holding.deadline <= now { fireHold(control, relation, emit) }
        if relations[relation].followed.deadline <= now { fireFollowed(control, relation, emit) }
        if relations[relation].navigatorDeadline <= now { fireNavigator(control, relation, emit) }
        if relations[relation].returnsAt <= now {
            fireReturn(control, relation, emit)
        }
        if relations[relation].staleAt <= now {
            relations[relation].staleAt = .never
            controls[control].relationFlags.insert(.stale)
            refresh(control, emit)
        }
        if relations[relation].heldUntil <= now { releaseReport(control, relation, emit) }
        if relations[relation].auditAt <= now { audit(control, relation, emit) }
        if relations[relation].sequence.deadline <= now { fireSequence(control, relation, emit) }
        updateDeadline(of: .relations(relation))
    }

    private mutating func fireReturn(
        _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        relations[relation].returnsAt = .never
        guard let returning = relationSettings[relation].returning else { return }
        guard returned < EngineLimits.returnsBehind else {
            counters.cutReturns &+= 1
            relations[relation].returnsAt = clock + max(returning.after, TimeSpan(nanoseconds: 1))
            return
        }
        returned &+= 1
        // A group that refuses, or an action that fails, has the other value for as long again.
        _ = request(
            returning.value, of: control, .control, isForced: true, emit)
    }
}
