import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// Messages from clients, as described in docs/http.md.
extension Hub {
    /// Handles a message of a listener and answers it.
    func receive(_ bytes: [UInt8], from source: InputSourceID, now: Instant) {
        guard let following = followings[source] else { return }
        counters.messages += 1
        let (message, problem) = Self.read(bytes)
        let id = message.given("id")
        if case .token = following.stage { return identify(message, id, following, now: now) }
        guard countMessage(source, now: now) else { return answer(source, id, .tooMuch) }
        if let problem { return answer(source, id, problem) }
        switch message.given("type")?.text {
        case "set", "fire":
            guard let control = message.given("control")?.text else {
                return answer(source, id, .missing("control"))
            }
            change(control, message, origin: .web, by: source, now: now) { [weak self] result in
                switch result {
                case .success: self?.answer(source, id, nil)
                case .failure(let refused): self?.answer(source, id, refused)
                }
            }
        case .none: answer(source, id, .missing("type"))
        case .some(let type): answer(source, id, perform(type, message, source, now: now))
        }
        settle(now: now)
    }

    private static func read(_ bytes: [UInt8]) -> (JSONValue, Refused?) {
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
        _ message: JSONValue, _ id: JSONValue?, _ following: Following, now: Instant
    ) {
        guard let accessToken, message.given("type")?.text == "token",
            let token = message.given("token")?.text, accessToken.isSame(token)
        else {
            counters.refused += 1
            send(answerMessage(id, .wrongToken), following)
            return sendAway(following)
        }
        guard hasRoomForListener else {
            send(answerMessage(id, .tooManyListeners), following)
            return sendAway(following, .tooMany)
        }
        followings[following.source]?.stage = Self.firstStage(following.resumption)
        answer(following.source, id, nil)
        settle(now: now)
    }

    private func countMessage(_ source: InputSourceID, now: Instant) -> Bool {
        guard var following = followings[source] else { return false }
        if now - following.secondBegan >= .seconds(1) {
            following.secondBegan = now
            following.messages = 0
        }
        following.messages += 1
        followings[source] = following
        return following.messages <= ServerLimits.messagesPerSecond
    }

    /// Performs a message at once; throws if it cannot.
    private func perform(
        _ type: String, _ message: JSONValue, _ source: InputSourceID, now: Instant
    ) -> Refused? {
        do throws(Refused) {
            switch type {
            case "trace": try trace(message, source)
            case "resync": try send(.resync)
            case "lamp-test": try testLamps(message)
            case "gesture":
                let wish = SimulationCommandReader(message, of: plan)
                try perform(by: source) { () throws(Refused) in
                    try wish.gesture(
                        verb: message.given("verb")?.text, control: message.given("control")?.text,
                        line: message.given("line")?.text)
                }
            case "clock": try perform(by: source, SimulationCommandReader(message, of: plan).clock)
            case "simulate":
                try perform(by: source, SimulationCommandReader(message, of: plan).simulation)
            case "token", "ping": break
            case _:
                let known = [
                    "set", "fire", "trace", "resync", "lamp-test", "ping", "gesture", "clock",
                    "simulate",
                ]
                throw .unreadable(
                    "Unknown message `\(quoted(type))`",
                    didYouMean(type, among: known) + "one of: " + known.joined(separator: ", "))
            }
            return nil
        } catch {
            return error
        }
    }

    /// Performs a command of the simulation.
    func perform(
        by source: InputSourceID, _ request: () throws(Refused) -> SimulationCommand
    ) throws(Refused) {
        guard let desk = simulation else { throw .onlySimulated }
        if let refusal = desk.perform(try request(), by: source) { throw refusal.problem }
    }

    /// Sends an event that needs no answer.
    func send(_ event: Event) throws(Refused) {
        guard port.send(event) else { throw .tooMuch }
    }

    /// Turns the lamp test on or off.
    func testLamps(_ message: JSONValue) throws(Refused) {
        guard let isOn = message.given("on")?.truth else { throw .missing("on") }
        try send(.lampTest(isOn: isOn))
    }

    private func trace(_ message: JSONValue, _ source: InputSourceID) throws(Refused) {
        guard case .array(let names)? = message.given("lines") else { throw .missing("lines") }
        var lines: [LineID] = []
        for name in names {
            guard let name = name.text else {
                throw .unreadable("A line's name must be a string", "such as \"GPIO17\"")
            }
            guard let line = plan.line(named: name) else { throw .noLine(name, in: plan) }
            if !lines.contains(line) { lines.append(line) }
        }
        var all = Set(lines)
        for following in followings.values where following.source != source {
            all.formUnion(following.traced)
        }
        guard all.count <= RuntimeLimits.tracedLines else {
            throw Refused(
                429, "At most \(RuntimeLimits.tracedLines) lines can be traced at the same time",
                "trace fewer lines, here or on other pages")
        }
        followings[source]?.traced = lines
        traceAll()
    }

    // MARK: Answers

    /// Answers a message. A message that succeeded and has no id needs no answer.
    private func answer(_ source: InputSourceID, _ id: JSONValue?, _ problem: Refused?) {
        guard let following = followings[source] else { return }
        guard problem != nil || id?.whole != nil else { return }
        send(answerMessage(id, problem), following)
    }

    private func answerMessage(_ id: JSONValue?, _ problem: Refused?) -> String {
        var members: [(String, JSONValue)] = [("type", .string("answer"))]
        if let id = id?.whole { members.append(("id", .integer(Int64(id)))) }
        if let problem { members.append(("problem", problem.json)) }
        return JSONValue.object(members).line
    }

    /// Answers are never dropped: a client that does not read them is disconnected.
    private func send(_ text: String, _ following: Following) {
        let backlog = following.listener.backlog
        guard backlog == 0 || backlog + text.utf8.count <= 2 * ServerLimits.backlogBytes else {
            return following.listener.close(.tooSlow)
        }
        following.listener.send(text)
    }
}

extension Refused {
    static var tooManyListeners: Refused {
        Refused(
            503, "\(ServerLimits.webSockets) WebSockets are open, which is the limit",
            "close a page of this panel")
    }

    static var wrongToken: Refused {
        Refused(
            401, "The token is missing or wrong",
            "open the page with `#k=TOKEN`; programs send `Authorization: Bearer TOKEN`"
        )
    }
}
