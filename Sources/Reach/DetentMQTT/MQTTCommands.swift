import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes

/// Reads commands from the broker, and writes the answers to them.
struct MQTTCommands {
    /// What comes of a command.
    enum Outcome {
        /// The panel is asked, with a token if the caller sent one; its answer comes later.
        case ask(Asking)
        /// The answer is known.
        case answer(MQTTMessage)
        case nothing
    }

    /// What the panel is asked for.
    struct Asking: Equatable {
        var event: Event
        var token: ConfirmTokens.Token?
    }

    private struct Waiting {
        var request: RequestID
        var control: ControlID
        var command: ControlCommand
        var isConfirming: Bool
        var until: Instant
    }

    private let plan: PanelPlan
    private let topics: MQTTTopics
    private var waiting: [Waiting] = []
    private var lastRequest: UInt32
    /// What each destructive control was asked for last.
    private var unconfirmed: [ControlID: ControlCommand] = [:]
    /// Commands that were refused here.
    private(set) var refused = 0

    /// - Parameter generation: counts the connections of a panel, so that no answer reaches the
    ///   next one.
    init(_ plan: PanelPlan, _ topics: MQTTTopics, generation: UInt32) {
        self.plan = plan
        self.topics = topics
        // The requests of pages are in the other half.
        lastRequest = (generation & 0x7F) << 24 | 0x8000_0000
    }

    /// Takes a command to a control.
    ///
    /// - Parameter shown: the value that the control shows.
    mutating func receive(
        _ bytes: ArraySlice<UInt8>, for id: String, _ use: MQTTTopics.Use, isRetained: Bool,
        shown: Value, now: Instant
    ) -> Outcome {
        guard use == .set || use == .confirm, topics.broker.role == .operate else {
            return .nothing
        }
        // An empty retained message only clears a stored one.
        if isRetained, bytes.isEmpty { return .nothing }
        guard let control = plan.control(named: id) else {
            // The answer would go to a topic that nobody made.
            refused += 1
            return .nothing
        }
        if isRetained { return refuse(control, "retained", "a stored command is not performed") }
        guard bytes.count <= MQTTLimits.commandBytes, let text = String(validating: bytes) else {
            return refuse(
                control, "unreadable",
                "a command is a text of at most \(MQTTLimits.commandBytes) bytes")
        }
        waiting.removeAll { $0.until <= now }
        guard waiting.count < MQTTLimits.waitingCommands else {
            return refuse(control, "busy", "too many commands wait for the panel")
        }
        return use == .set
            ? set(control, text, shown, now: now) : confirm(control, text, now: now)
    }

    private mutating func set(
        _ control: ControlID, _ text: String, _ shown: Value, now: Instant
    ) -> Outcome {
        let command: ControlCommand
        do throws(CommandError) {
            command = try Self.command(text, control, plan, shown)
        } catch {
            return refuse(control, "invalid", "\(error.cause); \(error.remedy)")
        }
        return ask(command, control, nil, now: now)
    }

    private mutating func confirm(_ control: ControlID, _ token: String, now: Instant) -> Outcome {
        guard let command = unconfirmed.removeValue(forKey: control) else {
            return refuseToken(control)
        }
        return ask(command, control, token, now: now)
    }

    private mutating func refuseToken(_ control: ControlID) -> Outcome {
        refuse(
            control, "needs-confirmation",
            "the token is wrong, used or too old; send the command again for another one")
    }

    /// The panel wants a command to be confirmed by a second message, with this token; nil if the
    /// request was not one of these.
    mutating func askToConfirm(
        _ request: RequestID, with token: ConfirmTokens.Token
    ) -> MQTTMessage? {
        guard let place = waiting.firstIndex(where: { $0.request == request }) else { return nil }
        let command = waiting.remove(at: place)
        if command.isConfirming {
            guard case .answer(let message) = refuseToken(command.control) else { return nil }
            return message
        }
        unconfirmed[command.control] = command.command
        refused += 1
        return answer(
            command.control,
            [
                ("accepted", .bool(false)), ("reason", .string("needs-confirmation")),
                ("confirm", .string(token)),
                ("within", .string(DurationText.text(RuntimeLimits.confirmTime))),
            ])
    }

    private mutating func ask(
        _ command: ControlCommand, _ control: ControlID, _ token: ConfirmTokens.Token?,
        now: Instant
    ) -> Outcome {
        lastRequest = lastRequest &+ 1 | 0x8000_0000
        let request = RequestID(lastRequest)
        waiting.append(
            Waiting(
                request: request, control: control, command: command, isConfirming: token != nil,
                until: now + RuntimeLimits.answerTime))
        return .ask(Asking(event: command.event(control, .mqtt, request), token: token))
    }

    /// A word, a number, `{"value": …}`, `{"by": …}`, or `+NAME` and `-NAME` for one of several
    /// options.
    private static func command(
        _ text: String, _ control: ControlID, _ plan: PanelPlan, _ shown: Value
    ) throws(CommandError) -> ControlCommand {
        if case .several(let words) = plan[control].valueNames, !words.contains(text),
            let sign = text.first, sign == "+" || sign == "-",
            let place = words.firstIndex(of: String(text.dropFirst())), place < 31
        {
            let bits = shown == .unknown ? 0 : shown.raw
            let bit = Int32(1) << Int32(place)
            return .value(Value(sign == "+" ? bits | bit : bits & ~bit))
        }
        if text.hasPrefix("{"), let json = try? JSONReader.read(Array(text.utf8)),
            let value = json["value"] ?? (json["by"] == nil ? nil : json)
        {
            return try ControlCommand(changing: value, for: control, of: plan)
        }
        return try ControlCommand(changing: .string(text), for: control, of: plan)
    }

    // MARK: Answers

    /// The panel has answered; nil if the request was not one of these.
    mutating func answered(_ request: RequestID, _ answer: Answer) -> MQTTMessage? {
        guard let place = waiting.firstIndex(where: { $0.request == request }) else { return nil }
        let control = waiting.remove(at: place).control
        switch answer {
        case .accepted: return self.answer(control, [("accepted", .bool(true))])
        case .refused(let refusal):
            return self.answer(
                control, [("accepted", .bool(false)), ("reason", .string(refusal.word))])
        case .noControl: return nil
        }
    }

    /// The panel did not take a request.
    mutating func notTaken() -> MQTTMessage? {
        guard let last = waiting.popLast(),
            case .answer(let message) = refuse(
                last.control, "busy", "the panel takes no commands now")
        else { return nil }
        return message
    }

    /// The number of commands that wait for their answers.
    var waitingCount: Int { waiting.count }

    private mutating func refuse(
        _ control: ControlID, _ reason: String, _ detail: String
    ) -> Outcome {
        refused += 1
        return .answer(
            answer(
                control,
                [
                    ("accepted", .bool(false)), ("reason", .string(reason)),
                    ("detail", .string(detail)),
                ]))
    }

    private func answer(_ control: ControlID, _ members: [(String, JSONValue)]) -> MQTTMessage {
        MQTTMessage(
            topic: topics.topic(plan[control].id, .answer), text: JSONValue.object(members).line,
            isFleeting: true)
    }
}

extension String {
    /// A text of bytes that are UTF-8 without NUL; nil for others.
    fileprivate init?(validating bytes: ArraySlice<UInt8>) {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        self = text
    }
}
