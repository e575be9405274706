import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// A requested change that the panel has not answered yet.
struct PendingChange {
    let request: RequestID
    let control: ControlID
    /// The WebSocket that sent it; nil for HTTP.
    let source: InputSourceID?
    /// When the answer is overdue.
    let until: Instant
    /// Whether it came with a token.
    let isConfirming: Bool
    let finish: (Result<ControlID, APIError>) -> Void
}

extension Hub {
    /// Requests the change in a request's body, and reports the panel's answer.
    ///
    /// - Parameters:
    ///   - body: an object with `value`, and `confirm` if required.
    ///   - caller: who asks, and what it may do.
    ///   - source: the WebSocket that sent it; nil for HTTP.
    ///   - isChange: whether it may count from the shown value. One that its caller may repeat
    ///     must not.
    ///   - finish: called once, within `RuntimeLimits.answerTime`.
    func change(
        _ id: String, _ body: JSONValue, origin: Origin, as caller: Caller,
        by source: InputSourceID? = nil, isChange: Bool = true, now: Instant,
        finish: @escaping (Result<ControlID, APIError>) -> Void
    ) {
        guard let control = plan.control(named: id) else {
            return finish(.failure(.noControl(id, in: plan)))
        }
        do throws(APIError) {
            let value = body.given("value") ?? (body.given("by") == nil ? nil : body)
            let command =
                isChange
                ? try ControlCommand.read(changing: value, for: control, of: plan)
                : try ControlCommand.read(value, for: control, of: plan)
            // This comes before a token is used up, so that a refused caller can use it again.
            try checkRoom(caller.role, for: source)
            let token = body.given("confirm")?.text
            let request = nextRequest()
            changes.append(
                PendingChange(
                    request: request, control: control, source: source,
                    until: now + RuntimeLimits.answerTime, isConfirming: token != nil,
                    finish: finish))
            // States are needed from before the request, so that its answer arrives.
            updateWatching(now: now)
            let event = command.event(control, origin.by(caller.number), request)
            switch port.send(event, confirming: token, at: now) {
            case .taken: break
            case .unconfirmed(let token): askToConfirm(request, with: token, now: now)
            case .full:
                // A simulated panel answers at once. If the event was not accepted, no answer
                // comes.
                changes.removeAll { $0.request == request }
                updateWatching(now: now)
                throw .tooMuch
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func checkRoom(_ role: AccessRole, for source: InputSourceID?) throws(APIError) {
        if let source {
            let own = changes.count { $0.source == source }
            guard own < ServerLimits.waitingPerConnection else { throw .tooManyChanges }
        }
        guard changes.count < ServerLimits.places(ServerLimits.waitingRequests, for: role) else {
            throw .tooMuch
        }
    }

    /// A number that no waiting change has; 0 means no caller waits.
    private func nextRequest() -> RequestID {
        lastRequest.number &+= 1
        if lastRequest == .none { lastRequest.number = 1 }
        return lastRequest
    }

    /// The panel wants a request to be confirmed by a second one, with this token.
    func askToConfirm(_ request: RequestID, with token: ConfirmTokens.Token, now: Instant) {
        guard let place = changes.firstIndex(where: { $0.request == request }) else { return }
        let change = changes.remove(at: place)
        updateWatching(now: now)
        let id = plan[change.control].id
        var refused = APIError(
            409,
            change.isConfirming
                ? "The confirmation token has expired" : "`\(id)` needs confirmation",
            "send the same request again with \"confirm\" within the time")
        refused.reason = Refusal.needsConfirmation.word
        refused.confirm = token
        change.finish(.failure(refused))
    }

    /// The panel has answered a request; the new state is known.
    func finishChange(_ request: RequestID, _ answer: Answer) {
        guard let place = changes.firstIndex(where: { $0.request == request }) else { return }
        let change = changes.remove(at: place)
        let control = plan[change.control]
        switch answer {
        case .accepted: change.finish(.success(change.control))
        case .refused(let refusal): change.finish(.failure(.refused(refusal, control)))
        case .noControl: change.finish(.failure(.noControl(control.id, in: plan)))
        }
    }

    /// The panel starts again: it answers no earlier request, and its controls may be others.
    func abandonChanges() {
        let over = changes
        changes = []
        for change in over { change.finish(.failure(.noAnswer)) }
    }

    /// The panel did not answer in time.
    func endChanges(now: Instant) {
        guard changes.contains(where: { $0.until <= now }) else { return }
        let over = changes.filter { $0.until <= now }
        changes.removeAll { $0.until <= now }
        for change in over { change.finish(.failure(.noAnswer)) }
    }
}

extension APIError {
    fileprivate static var tooManyChanges: APIError {
        APIError(
            429,
            "\(ServerLimits.waitingPerConnection) changes of this connection are already waiting",
            "wait for an answer before you send the next change")
    }

    fileprivate static var noAnswer: APIError {
        APIError(
            503, "The panel has not answered",
            "read the state of the control: the change may have been made or may come yet")
    }
}
