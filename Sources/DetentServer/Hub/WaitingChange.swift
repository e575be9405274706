import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// A change that was asked for, until the panel has answered it.
struct WaitingChange {
    let request: RequestID
    let control: ControlID
    /// The WebSocket that asked; nil for a request of HTTP.
    let holder: HolderID?
    /// Then the panel has failed to answer.
    let until: Instant
    let finish: (Result<ControlID, Refused>) -> Void
}

extension Hub {
    /// Asks a control for what a request's body says, and tells how the panel took it.
    ///
    /// - Parameters:
    ///   - body: an object with `value`, and `confirm` where that was asked for.
    ///   - holder: the WebSocket that asks; nil for a request of HTTP.
    ///   - finish: called once, at most `ServerLimits.answerTime` later.
    func change(
        _ id: String, _ body: JSONValue, origin: Origin, by holder: HolderID? = nil, now: Instant,
        finish: @escaping (Result<ControlID, Refused>) -> Void
    ) {
        guard let control = plan.control(named: id) else {
            return finish(.failure(.noControl(id, in: plan)))
        }
        do throws(Refused) {
            let wish = try ControlWish(body.given("value"), for: control, of: plan)
            // Before a token is used up: who is told to ask again can.
            try checkRoom(for: holder)
            try confirm(wish, control, body.given("confirm")?.text, now: now)
            let request = nextRequest()
            changes.append(
                WaitingChange(
                    request: request, control: control, holder: holder,
                    until: now + ServerLimits.answerTime, finish: finish))
            // It is watched before it is asked, so that the answer is told.
            updateInterest()
            guard port.send(wish.event(control, origin, request)) else {
                // A desk answers at once; nothing was answered where nothing was taken.
                changes.removeAll { $0.request == request }
                updateInterest()
                throw .tooMuch
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func checkRoom(for holder: HolderID?) throws(Refused) {
        if let holder {
            let own = changes.count { $0.holder == holder }
            guard own < ServerLimits.waitingPerConnection else { throw .tooManyChanges }
        }
        guard changes.count < ServerLimits.waitingRequests else { throw .tooMuch }
    }

    /// A number that no waiting change has; 0 means that nobody waits.
    private func nextRequest() -> RequestID {
        lastRequest.number &+= 1
        if lastRequest == .none { lastRequest.number = 1 }
        return lastRequest
    }

    /// Whoever is not at the panel confirms something destructive by asking twice.
    private func confirm(
        _ wish: ControlWish, _ control: ControlID, _ token: String?, now: Instant
    ) throws(Refused) {
        let confirmation = plan.confirmation(of: control, for: wish.value)
        guard confirmation?.isPossibleRemotely == true else { return }
        if let token, tokens.redeem(token, for: control, wish.value, at: now) { return }
        let id = plan.controls[Int(control.index)].id
        var refused = Refused(
            409, token == nil ? "`\(id)` has to be confirmed" : "The token is not valid any more",
            "send the same once more with \"confirm\" within the time")
        refused.reason = Refusal.needsConfirmation.word
        refused.confirm = tokens.issue(control, wish.value, at: now)
        throw refused
    }

    /// The panel has answered a request; the state behind it has come.
    func finishChange(_ request: RequestID, _ answer: Answer) {
        guard let place = changes.firstIndex(where: { $0.request == request }) else { return }
        let change = changes.remove(at: place)
        let control = plan.controls[Int(change.control.index)]
        switch answer {
        case .accepted: change.finish(.success(change.control))
        case .refused(let refusal): change.finish(.failure(.refused(refusal, control)))
        case .noControl: change.finish(.failure(.noControl(control.id, in: plan)))
        }
    }

    /// The panel has not answered in time.
    func endChanges(now: Instant) {
        guard changes.contains(where: { $0.until <= now }) else { return }
        let over = changes.filter { $0.until <= now }
        changes.removeAll { $0.until <= now }
        for change in over { change.finish(.failure(.noAnswer)) }
    }
}

extension Refused {
    fileprivate static var tooManyChanges: Refused {
        Refused(
            429, "\(ServerLimits.waitingPerConnection) changes of this connection wait already",
            "wait for an answer before you send the next change")
    }

    fileprivate static var noAnswer: Refused {
        Refused(
            503, "The panel has not answered",
            "read the state of the control: the change may have been made or may come yet")
    }
}
