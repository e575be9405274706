import DetentTypes

/// Gestures that act. Each is a control of its own, without a part, whose owner tells what happens.
extension Engine {
    /// A gesture of a control that has gestures that act.
    ///
    /// - Parameter times: of its button; nil where there is none, or none whose gestures count.
    @inline(never)
    mutating func actOnGestures(
        _ decoded: DecoderOutput, _ control: ControlIndex, _ relation: RelationIndex,
        _ times: ButtonSettings?, _ context: ResponseContext, _ emit: Emit
    ) {
        if times != nil || !isRow(control) { showHold(decoded, control, relation, emit) }
        if decoded.gestures.contains(.pressed) { endFailures(of: relation, emit) }
        permitPlain(decoded, control, relation, times, context, emit)
        for place in relationSettings[relation].gestures.places {
            let gesture = ControlIndex(offset: place)
            guard controls.contains(gesture), let own = relationIndex(gesture),
                let acting = relationSettings[own].acting, acting.isOf(button: decoded.button)
            else { continue }
            let happened = acting.gesture.times(decoded, times)
            let event = acting.row.buttons == 0 ? Value.on : Value(Int32(decoded.button))
            act(acting, happened, event, gesture, own, control, emit)
        }
    }

    /// What a press does without a gesture: at once, or when no gesture can come any more.
    @inline(never)
    private mutating func permitPlain(
        _ decoded: DecoderOutput, _ control: ControlIndex, _ relation: RelationIndex,
        _ times: ButtonSettings?, _ context: ResponseContext, _ emit: Emit
    ) {
        var plain = decoded
        let isExclusive = times?.isExclusive ?? false
        if isExclusive { plain.gestures.subtract([.pressed, .released]) }
        let wanted = controls[control].nature.respond(
            to: plain, context, &controls[control].press)
        permit(wanted, by: nil, control, relation, emit)
        guard isExclusive else { return }
        for _ in 0..<decoded.singles {
            let now = ResponseContext(
                desired: controls[control].shown, positionBefore: context.positionBefore,
                mismatch: context.mismatch, now: context.now)
            let press = controls[control].nature.respond(
                to: DecoderOutput(gestures: .pressed, button: decoded.button), now,
                &controls[control].press)
            permit(press, by: nil, control, relation, emit)
        }
    }

    /// Runs the action of a gesture this often, or once for all detents.
    @inline(never)
    private mutating func act(
        _ acting: GestureSettings, _ times: Int32, _ event: Value, _ gesture: ControlIndex,
        _ relation: RelationIndex, _ owner: ControlIndex, _ emit: Emit
    ) {
        guard times != 0 else { return }
        if controls[owner].relationFlags.contains(.disabled) {
            _ = refuse(.disabled, owner, .panel, emit)
            return
        }
        guard acting.gesture.isTurn else {
            for _ in 0..<times { _ = execute(.fire(event), gesture, relation, .panel, emit) }
            return
        }
        let most = Int32(EngineLimits.waitingDetents)
        let sum = relations[relation].waitingSteps &+ times
        let kept =
            acting.stepFactor == 0 ? min(sum, most) : min(max(sum, -most * most), most * most)
        relations[relation].waitingSteps = kept
        if kept != sum {
            let lost = controls[owner].lost &+ UInt32(truncatingIfNeeded: abs(sum - kept))
            controls[owner].lost = lost
            report(.lost(count: lost), owner, emit)
        }
        runWaitingSteps(gesture, relation, acting, emit)
    }

    /// Detents wait for the run that is under way; then they have one of their own.
    @inline(never)
    private mutating func runWaitingSteps(
        _ gesture: ControlIndex, _ relation: RelationIndex, _ acting: GestureSettings,
        _ emit: Emit
    ) {
        guard controls[gesture].work.load == .idle, relations[relation].waitingSteps != 0 else {
            return
        }
        if acting.stepFactor == 0 {
            relations[relation].waitingSteps &-= 1
        } else {
            relations[relation].runningSteps = relations[relation].waitingSteps
            relations[relation].waitingSteps = 0
        }
        _ = execute(.fire(.on), gesture, relation, .panel, emit)
    }

    // MARK: What the owner tells

    /// The owner of a gesture that acts; nil for other controls.
    func acting(_ control: ControlIndex) -> GestureSettings? {
        relationIndex(control).flatMap { relationSettings[$0].acting }
    }

    /// The phase of a control: that of its own action, or of a gesture's that needs more attention.
    @inline(never)
    func shownPhase(_ control: ControlIndex) -> (phase: Phase, reason: Reason) {
        let state = controls[control].state
        var worst = (phase: state.phase, reason: state.failure)
        guard let relation = relationIndex(control) else { return worst }
        for place in relationSettings[relation].gestures.places {
            let gesture = ControlIndex(offset: place)
            guard controls.contains(gesture),
                controls[gesture].state.phase.rawValue > worst.phase.rawValue
            else { continue }
            worst = (controls[gesture].state.phase, controls[gesture].state.failure)
            if worst.reason != .none { worst.reason.gesture = acting(gesture)?.gesture }
        }
        return worst
    }

    /// The phase of a control with gestures, or of a gesture, may be another one.
    ///
    /// - Parameter reason: of an attempt that failed again; none otherwise.
    @inline(never)
    mutating func reportShownPhase(
        _ control: ControlIndex, _ reason: Reason, _ emit: Emit
    ) {
        let acting = acting(control)
        let owner = acting.map { ControlIndex($0.owner) } ?? control
        guard controls.contains(owner), let relation = relationIndex(owner) else { return }
        var shown = shownPhase(owner)
        if reason != .none {
            shown.reason = Reason(cause: reason.cause, of: acting?.gesture)
        }
        guard shown.phase != relations[relation].toldPhase || reason != .none else { return }
        relations[relation].toldPhase = shown.phase
        report(.phase(shown.phase, shown.reason), owner, emit)
    }

    /// A gesture's action began, ended or failed: the owner shows it, and detents that wait have
    /// their turn.
    @inline(never)
    mutating func gestureChanged(
        _ gesture: ControlIndex, _ acting: GestureSettings, _ emit: Emit
    ) {
        let owner = ControlIndex(acting.owner)
        if controls.contains(owner) { refresh(owner, emit) }
        if acting.gesture.isTurn, let relation = relationIndex(gesture) {
            runWaitingSteps(gesture, relation, acting, emit)
        }
    }

    /// What an attempt of a gesture is for: the steps, the option of a button, or the value that
    /// its owner shows.
    func attemptValue(
        _ acting: GestureSettings, _ gesture: ControlIndex, event: Value
    ) -> Value {
        if acting.stepFactor != 0, let relation = relationIndex(gesture) {
            let steps = relations[relation].runningSteps
            return Value(steps &* Int32(acting.stepFactor))
        }
        let owner = ControlIndex(acting.owner)
        guard controls.contains(owner) else { return .unknown }
        guard acting.row.buttons != 0 else { return controls[owner].shown }
        return controls[owner].nature.domain.value(ofOption: event)
    }

    /// The control that has an attempt: a gesture, or the one that it was told of.
    @inline(never)
    func performer(of run: RunID, _ control: ControlIndex) -> ControlIndex {
        guard let relation = relationIndex(control) else { return control }
        for place in relationSettings[relation].gestures.places {
            let gesture = ControlIndex(offset: place)
            guard controls.contains(gesture) else { continue }
            if controls[gesture].work.owns(run) { return gesture }
            if let own = relationIndex(gesture), relations[own].sequence.owns(run) {
                return gesture
            }
        }
        return control
    }

    /// A touch ends the show of failures.
    @inline(never)
    private mutating func endFailures(of relation: RelationIndex, _ emit: Emit) {
        for place in relationSettings[relation].gestures.places
        where controls.contains(ControlIndex(offset: place)) {
            acknowledgeFailure(ControlIndex(offset: place), emit)
        }
    }

    // MARK: A hold that will act

    /// Shows how far a hold is, from the press to its end.
    @inline(never)
    private mutating func showHold(
        _ decoded: DecoderOutput, _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        if decoded.gestures.contains(.pressed) {
            let time = shownHold(relation, decoded.button)
            guard time != .zero, !controls[control].relationFlags.contains(.disabled) else {
                return
            }
            relations[relation].holding.begin(time, at: now)
            controls[control].progress = relations[relation].holding.tenth
            return
        }
        let isHeld = decoded.gestures.contains(.held)
        guard isHeld || decoded.gestures.contains(.released) else { return }
        endHold(control, relation, percent: isHeld ? 100 : 0, emit)
    }

    /// The hold has come, or cannot come any more.
    @inline(never)
    mutating func endHold(
        _ control: ControlIndex, _ relation: RelationIndex, percent: UInt8, _ emit: Emit
    ) {
        guard relations[relation].holding.end() else { return }
        controls[control].progress = 0
        report(.progress(percent: percent), control, emit)
    }

    /// A tenth of a hold is over.
    @inline(never)
    mutating func fireHold(_ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit) {
        guard let percent = relations[relation].holding.deadlineReached() else { return }
        controls[control].progress = relations[relation].holding.tenth
        report(.progress(percent: percent), control, emit)
        refresh(control, emit)
    }

    private func shownHold(_ relation: RelationIndex, _ button: UInt8) -> TimeSpan {
        for place in relationSettings[relation].gestures.places {
            if let acting = acting(ControlIndex(offset: place)), acting.shownHold != .zero,
                acting.isOf(button: button)
            {
                return acting.shownHold
            }
        }
        return .zero
    }
}

extension ActingGesture {
    /// Whether it is one of turning a knob.
    public var isTurn: Bool {
        switch self {
        case .turn, .turnUp, .turnDown: true
        case .click, .doubleClick, .multiClick, .hold, .repetition: false
        }
    }

    /// How often the gesture happened; of a turn, the detents.
    fileprivate func times(_ decoded: DecoderOutput, _ button: ButtonSettings?) -> Int32 {
        let gestures = decoded.gestures
        switch self {
        case .click:
            if let button, button.isExclusive { return Int32(decoded.singles) }
            return gestures.contains(.pressed) ? 1 : 0
        case .doubleClick, .multiClick:
            let isMeant = decoded.clicks == button?.multiClickCount
            return gestures.contains(.multiClicked) && isMeant ? 1 : 0
        case .hold: return gestures.contains(.held) ? 1 : 0
        case .repetition: return gestures.contains(.repeated) ? 1 : 0
        case .turn: return gestures.contains(.stepped) ? Int32(decoded.steps) : 0
        case .turnUp: return gestures.contains(.stepped) ? max(0, Int32(decoded.steps)) : 0
        case .turnDown: return gestures.contains(.stepped) ? max(0, -Int32(decoded.steps)) : 0
        }
    }
}
