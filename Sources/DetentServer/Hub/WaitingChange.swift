import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes

/// A change that was asked for, until the core has said something about it.
struct WaitingChange {
    let control: ControlID
    let origin: Origin
    /// The core took it; its state follows.
    var isTaken = false
    /// Then it is answered as it stands.
    let until: Instant
    let finish: (Result<ControlID, Refused>) -> Void
}

extension Hub {
    /// Asks a control for what a request's body says, and tells how the core took it.
    ///
    /// - Parameters:
    ///   - body: an object with `value`, and `confirm` where that was asked for.
    ///   - finish: called once, at most `ServerLimits.wordTime` later.
    func change(
        _ id: String, _ body: JSONValue, origin: Origin, now: Instant,
        finish: @escaping (Result<ControlID, Refused>) -> Void
    ) {
        guard let control = plan.control(named: id) else {
            return finish(.failure(.noControl(id, in: plan)))
        }
        do throws(Refused) {
            let wish = try ControlWish(body.given("value"), for: control, of: plan)
            try confirm(wish, control, body.given("confirm")?.text, now: now)
            guard changes.count < ServerLimits.waitingRequests else { throw .tooMuch }
            changes.append(
                WaitingChange(
                    control: control, origin: origin, until: now + ServerLimits.wordTime,
                    finish: finish))
            // It is watched before it is asked, so that no word is missed.
            updateInterest()
            guard port.send(wish.event(control, origin)) else {
                changes.removeLast()
                updateInterest()
                throw .tooMuch
            }
        } catch {
            finish(.failure(error))
        }
    }

    /// Whoever is not at the panel confirms something destructive by asking twice.
    private func confirm(
        _ wish: ControlWish, _ control: ControlID, _ token: String?, now: Instant
    ) throws(Refused) {
        guard plan.contract(for: wish, of: control).isConfirmedRemotely else { return }
        if let token, tokens.redeem(token, for: control, wish.value, at: now) { return }
        let id = plan.controls[Int(control.index)].id
        var refused = Refused(
            409, token == nil ? "`\(id)` has to be confirmed" : "The token is not valid any more",
            "send the same once more with \"confirm\" within the time")
        refused.reason = Refusal.needsConfirmation.word
        refused.confirm = tokens.issue(control, wish.value, at: now)
        throw refused
    }

    /// Hears whether the core took or refused what was asked for.
    func hear(_ report: Report) {
        guard !changes.isEmpty else { return }
        switch report.kind {
        case .refused(let refusal, let origin):
            guard let place = waiting(report.control, origin) else { return }
            let change = changes.remove(at: place)
            let control = plan.controls[report.place]
            change.finish(.failure(.refused(refusal, control)))
        case .changed(_, let origin), .chosen(_, let origin):
            guard let place = waiting(report.control, origin) else { return }
            changes[place].isTaken = true
        case .staged, .phase, .confirmed:
            guard let place = waiting(report.control, nil) else { return }
            changes[place].isTaken = true
        case .pressed, .released, .buttonPressed, .buttonReleased, .clicked, .doubleClicked,
            .multiClicked, .held, .repeated, .stepped, .moved, .invalid, .flag, .opened, .closed,
            .focused, .armed, .progress, .indicator, .output, .lost, .fault:
            return
        }
    }

    /// The oldest change of a control that the core has not spoken of.
    private func waiting(_ control: ControlID, _ origin: Origin?) -> Int? {
        changes.firstIndex {
            !$0.isTaken && $0.control == control && (origin == nil || $0.origin == origin)
        }
    }

    /// The state of a control has come, behind the reports of its moment.
    func finishChanges(takenBy control: ControlID) {
        finishChanges { $0.isTaken && $0.control == control }
    }

    /// What the core has not spoken of for too long is as it was.
    func endChanges(now: Instant) {
        finishChanges { $0.until <= now }
    }

    private func finishChanges(where isOver: (WaitingChange) -> Bool) {
        guard changes.contains(where: isOver) else { return }
        let over = changes.filter(isOver)
        changes.removeAll(where: isOver)
        for change in over { change.finish(.success(change.control)) }
    }
}
