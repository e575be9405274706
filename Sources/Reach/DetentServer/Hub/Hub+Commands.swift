import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// Messages from clients, as described in docs/http.md.
extension Hub {
    /// Handles a message of a listener and answers it.
    func receive(_ bytes: [UInt8], from source: InputSourceID, now: Instant) {
        guard let subscription = subscriptions[source] else { return }
        counters.messages += 1
        let (message, problem) = Self.read(bytes)
        let id = message.given("id")
        switch subscription.stage {
        case .token: return identify(message, id, subscription, now: now)
        case .wrongToken: return
        case .snapshot, .resumption, .live: break
        }
        guard countMessage(source, now: now) else { return answer(source, id, .tooMuch) }
        if let problem { return answer(source, id, problem) }
        guard let word = message.given("type")?.text else {
            return answer(source, id, .missing("type", #""type": "ping""#))
        }
        guard let type = ClientMessage(rawValue: word) else {
            return answer(source, id, .unknownMessage(word))
        }
        guard subscription.role >= type.role else {
            counters.refused += 1
            return answer(source, id, .forbidden(subscription.role, needs: type.role))
        }
        switch type {
        case .set, .fire:
            guard let control = message.given("control")?.text else {
                return answer(source, id, .missingControl(in: plan))
            }
            let caller = subscription.caller
            change(control, message, origin: .web, as: caller, by: source, now: now) {
                [weak self] result in
                switch result {
                case .success: self?.answer(source, id, nil)
                case .failure(let refused): self?.answer(source, id, refused)
                }
            }
        case .ping:
            let role = subscription.role
            withStates(sharing: true, as: role, for: source, now: now) { [weak self] problem in
                self?.answer(source, id, problem)
            }
        case .trace, .resync, .lampTest, .close, .reload, .gesture, .clock, .simulate, .token:
            answer(source, id, perform(type, message, source, now: now))
        }
        settle(now: now)
    }

    private static func read(_ bytes: [UInt8]) -> (JSONValue, APIError?) {
        do throws(JSONReader.Problem) {
            let message = try JSONReader.read(bytes)
            guard case .object = message else {
                return (.null, .unreadable("A message must be an object", "such as {\"type\": …}"))
            }
            return (message, nil)
        } catch {
            return (
                .null,
                .unreadable(
                    "The message is not JSON: \(error.cause) at byte \(error.offset)",
                    "send one JSON object in a text frame")
            )
        }
    }

    /// The first message must be the token.
    private func identify(
        _ message: JSONValue, _ id: JSONValue?, _ subscription: Subscription, now: Instant
    ) {
        guard message.given("type")?.text == "token", let token = message.given("token")?.text,
            let caller = access.caller(of: token)
        else {
            counters.refused += 1
            // Late: whoever tries tokens has one try, and waits.
            subscriptions[subscription.source]?.stage = .wrongToken(
                until: now + wrongTokenTime, answer: answerMessage(id, .wrongToken))
            return
        }
        guard hasRoomForListener(caller.role) else {
            send(answerMessage(id, .tooManyListeners(caller.role)), subscription)
            return reject(subscription, .tooMany)
        }
        subscriptions[subscription.source]?.stage = Self.firstStage(subscription.resumption)
        subscriptions[subscription.source]?.caller = caller
        answer(subscription.source, id, nil)
        settle(now: now)
    }

    private func countMessage(_ source: InputSourceID, now: Instant) -> Bool {
        guard var subscription = subscriptions[source] else { return false }
        if now - subscription.secondBegan >= .seconds(1) {
            subscription.secondBegan = now
            subscription.messages = 0
        }
        subscription.messages += 1
        subscriptions[source] = subscription
        return subscription.messages <= ServerLimits.messagesPerSecond
    }

    /// Performs a message at once; throws if it cannot.
    private func perform(
        _ type: ClientMessage, _ message: JSONValue, _ source: InputSourceID, now: Instant
    ) -> APIError? {
        do throws(APIError) {
            switch type {
            case .trace: try trace(message, source)
            case .resync: try send(.resync(by: origin(of: source)))
            case .reload: try askForReload(by: origin(of: source))
            case .lampTest: try testLamps(message, by: origin(of: source))
            case .close:
                guard let control = message.given("control")?.text else {
                    throw .missingControl(in: plan)
                }
                _ = try closeList(of: control, by: origin(of: source))
            case .gesture:
                try perform(by: source, message) { reader throws(APIError) in
                    try reader.gesture(
                        verb: message.given("verb")?.text, control: message.given("control")?.text,
                        line: message.given("line")?.text)
                }
            case .clock:
                try perform(by: source, message) { it throws(APIError) in try it.clock() }
            case .simulate:
                try perform(by: source, message) { it throws(APIError) in try it.simulation() }
            // `receive` performs the first three; a token that comes later changes nothing.
            case .set, .fire, .ping, .token: break
            }
            return nil
        } catch {
            return error
        }
    }

    /// Who asks through a WebSocket.
    private func origin(of source: InputSourceID) -> Origin {
        .web.by(subscriptions[source]?.caller.number ?? 0)
    }

    /// Performs a command of the simulation.
    func perform(
        by source: InputSourceID, _ body: JSONValue,
        _ read: (SimulationCommandReader) throws(APIError) -> SimulationCommand
    ) throws(APIError) {
        guard let simulation else { throw .onlySimulated }
        let reader = SimulationCommandReader(plan: plan, body: body)
        if let refusal = simulation.perform(try read(reader), by: source) { throw refusal.problem }
    }

    /// Sends an event that needs no answer.
    func send(_ event: Event) throws(APIError) {
        guard port.send(event) else { throw .tooMuch }
    }

    /// Turns the lamp test on or off.
    func testLamps(_ message: JSONValue, by origin: Origin) throws(APIError) {
        guard let isOn = message.given("on")?.truth else { throw .missing("on", #""on": true"#) }
        try send(.lampTest(isOn: isOn, by: origin))
    }

    /// Closes the list of a control, which may be closed already.
    func closeList(of id: String, by origin: Origin) throws(APIError) -> ControlID {
        guard let control = plan.control(named: id) else { throw .noControl(id, in: plan) }
        guard plan.navigation(of: plan[control]) != nil else {
            throw APIError(
                422, "`\(id)` has no list to close",
                "name a pop-up, a pull-down, or a choice on an encoder")
        }
        try send(.close(control, by: origin))
        return control
    }

    /// Has the panel file read again; the outcome is told to all listeners.
    func askForReload(by origin: Origin) throws(APIError) {
        guard let reload else { throw .noReload }
        try send(.reload(by: origin))
        guard reload() else { throw .tooMuch }
    }

    private func trace(_ message: JSONValue, _ source: InputSourceID) throws(APIError) {
        guard case .array(let names)? = message.given("lines") else {
            let line = plan.lines.first?.name ?? ""
            throw .missing("lines", "\"lines\": [\"\(line)\"]")
        }
        var lines: [LineID] = []
        for name in names {
            guard let name = name.text else {
                throw .unreadable("A line's name must be a string", "such as \"GPIO17\"")
            }
            guard let line = plan.line(named: name) else { throw .noLine(name, in: plan) }
            if !lines.contains(line) { lines.append(line) }
        }
        var all = Set(lines)
        for subscription in subscriptions.values where subscription.source != source {
            all.formUnion(subscription.traced)
        }
        guard all.count <= RuntimeLimits.tracedLines else {
            throw APIError(
                429, "At most \(RuntimeLimits.tracedLines) lines can be traced at the same time",
                "trace fewer lines, here or on other pages")
        }
        subscriptions[source]?.traced = lines
        traceAll()
    }

    // MARK: Answers

    /// Answers a message. A message that succeeded and has no id needs no answer.
    private func answer(_ source: InputSourceID, _ id: JSONValue?, _ problem: APIError?) {
        guard let subscription = subscriptions[source] else { return }
        guard problem != nil || id?.whole != nil else { return }
        send(answerMessage(id, problem), subscription)
    }

    private func answerMessage(_ id: JSONValue?, _ problem: APIError?) -> String {
        let answer: JSONValue = [
            "type": "answer", "id": id?.whole.map { .integer(Int64($0)) }, "problem": problem?.json,
        ]
        return answer.line
    }

    /// Answers are never dropped: a client that does not read them is disconnected.
    func send(_ text: String, _ subscription: Subscription) {
        let backlog = subscription.listener.backlog
        guard backlog == 0 || backlog + text.utf8.count <= 2 * ServerLimits.backlogBytes else {
            return subscription.listener.close(.tooSlow)
        }
        subscription.listener.send(text)
    }
}

extension APIError {
    static func tooManyListeners(_ role: AccessRole) -> APIError {
        let places = ServerLimits.places(ServerLimits.webSockets, for: role)
        let whose = places == ServerLimits.webSockets ? "" : " for the role `\(role.word)`"
        return APIError(
            503, "\(places) WebSockets are open, which is the limit\(whose)",
            "close a page of this panel")
    }

    static func unknownMessage(_ word: String) -> APIError {
        let known = ClientMessage.allCases.filter { $0 != .token }.map(\.rawValue)
        return .unreadable(
            "Unknown message `\(quoted(word))`",
            didYouMean(word, among: known) + "one of: " + known.joined(separator: ", "))
    }

    static var noReload: APIError {
        APIError(409, "This panel does not read its file again", "restart it")
    }

    /// The token of a caller does not allow what it asks for.
    static func forbidden(_ role: AccessRole, needs needed: AccessRole) -> APIError {
        APIError(
            403, "This token has the role `\(role.word)`; this needs `\(needed.word)`",
            "use a token of `--token-file \(needed.word)=FILE`")
    }

    static var wrongToken: APIError {
        APIError(
            401, "The token is missing or wrong",
            "open the page with `#k=TOKEN`; programs send `Authorization: Bearer TOKEN`"
        )
    }
}
