internal import DetentActions
internal import DetentCore
internal import DetentPanel
internal import DetentTypes

/// Connects the devices of a panel with the programs, the web services and the broker through which
/// the panel reaches them.
final class WorldReach {
    let devices: WorldDevices
    private let plan: PanelPlan
    private let questions: Questions
    private let standIns: StandIns
    private let services: [WebService]
    private let wires: [WireDevice]
    private let broker: MosquittoClient?
    private var runs: [ObjectIdentifier: RunID] = [:]
    private var reporters: [(program: StandIn, controls: [ControlID])] = []
    private var messages: [String] = []
    /// The present moment of the scenario.
    var now: () -> Instant = { .zero }

    /// Starts everything that the panel may look for.
    init(_ plan: PanelPlan, _ devices: WorldDevices, _ poller: Poller) throws {
        self.plan = plan
        self.devices = devices
        questions = Questions(plan)
        standIns = try StandIns(poller)
        let places = questions.services
        services = try Set(places.map(\.port)).sorted().map {
            try WebService(atPort: $0, poller)
        }
        wires = try Set(questions.wires).map { try WireDevice($0, poller) }
        Surroundings.install(questions.programs)
        let atWires = questions.wires.compactMap { HostAndPort($0.text)?.host }
        try Surroundings.hosts(places.map(\.host) + atWires + (plan.broker.map { [$0.host] } ?? []))
        try Surroundings.tell("\(plan.broker?.user ?? "") \(plan.broker?.password ?? "")")
        broker = try plan.broker.map {
            try MosquittoClient(atPort: $0.port, hearing: Questions(plan).topics, poller)
        }
        connect()
    }

    private func connect() {
        devices.say = { [unowned self] in report($0, $1) }
        standIns.began = { [unowned self] in began($0) }
        standIns.ended = { [unowned self] program in
            ended(program)
            reporters.removeAll { $0.program === program }
        }
        for service in services {
            service.asked = { [unowned self] in asked($0) }
            service.ended = { [unowned self] in ended($0) }
        }
        for wire in wires {
            wire.asked = { [unowned self, unowned wire] in asked($0, at: wire.place) }
            wire.ended = { [unowned self] in ended($0) }
        }
        broker?.heard = { [unowned self] in heard($0, $1) }
    }

    /// The panel has ended, and with it all that it has started.
    func end() {
        devices.end()
        runs = [:]
        reporters = []
    }

    /// What nobody understood.
    func takeMessages() -> [String] {
        defer { messages = [] }
        return messages
    }

    /// Sends a message to the broker.
    func publish(_ topic: String, _ bytes: [UInt8]) { broker?.publish(topic, bytes) }

    // MARK: What the panel asks

    private func began(_ program: StandIn) {
        guard let attempt = questions.attempt(of: program) else {
            let controls = questions.reporters(program)
            if !controls.isEmpty { return reporters.append((program, controls)) }
            messages.append("no control knows the program \(program.arguments)")
            return program.end(127)
        }
        ask(attempt, for: program) { outcome, said in
            switch outcome {
            case .succeeded:
                switch said {
                case .word(let text), .text(let text):
                    if attempt.isQuery { program.say(Array((text + "\n").utf8)) }
                case .nothing: break
                }
                program.end(0)
            case .failed(.exit(let status)): program.end(status)
            case .failed, .timedOut, .cancelled, .killed, .lost: program.end(126)
            }
        }
    }

    private func asked(_ request: WebRequest) {
        guard let attempt = questions.attempt(of: request) else {
            messages.append("no control makes the request \(request.method) \(request.address)")
            return request.answer(404, "")
        }
        let pointer = questions.fields(of: attempt.1).text("confirm.pointer")
        ask(attempt, for: request) { outcome, said in
            switch outcome {
            case .succeeded:
                switch said {
                case .word(let word): request.answer(200, JSONText.text(word, at: pointer))
                case .text(let text): request.answer(200, text)
                case .nothing: request.answer(204, "")
                }
            case .failed(.http(let status)): request.answer(status, "")
            // A device without a value.
            case .failed: request.answer(404, "")
            case .timedOut, .cancelled, .killed, .lost: request.drop()
            }
        }
    }

    private func asked(_ text: WireText, at place: WirePlace) {
        guard let attempt = questions.attempt(of: text, at: place) else {
            return messages.append("no control sends \(text.text)")
        }
        let fields = questions.fields(of: attempt.1)
        ask(attempt, for: text) { outcome, said in
            guard outcome == .succeeded else { return text.drop() }
            guard case .texts(let pieces)? = fields["expect"] else { return }
            switch said {
            case .nothing: break
            case .text(let line): text.answer(line)
            case .word(let word):
                text.answer(pieces.count > 1 ? pieces[0] + word + pieces[1] : pieces[0])
            }
        }
    }

    private func heard(_ topic: String, _ bytes: [UInt8]) {
        guard let attempt = questions.attempt(ofMessage: bytes, to: topic) else {
            return messages.append("no control sends \(String(decoding: bytes, as: UTF8.self))")
        }
        let fields = questions.fields(of: attempt.1)
        // Nobody waits for the end of a message, unless the device confirms it on a topic.
        ask(attempt, for: nil) { [unowned self] outcome, said in
            guard outcome == .succeeded, let topic = fields.text("confirm.topic") else { return }
            switch said {
            case .nothing: break
            case .text(let text): publish(topic, Array(text.utf8))
            case .word(let word):
                var text = word
                if case .pairs(let pairs)? = fields["confirm.map"],
                    let pair = pairs.first(where: { $0.text == word })
                {
                    text = pair.name
                }
                publish(
                    topic, Array(JSONText.text(text, at: fields.text("confirm.pointer")).utf8))
            }
        }
    }

    private func ask(
        _ attempt: (ControlID, ActionID, Value, isQuery: Bool), for asker: AnyObject?,
        _ answer: @escaping (ActionOutcome, WorldDevices.Said) -> Void
    ) {
        let run = devices.ask(
            WorldDevices.Question(
                control: attempt.0, action: attempt.1, value: attempt.2, isQuery: attempt.isQuery
            ) { [unowned self] outcome, said in
                if let asker { runs[ObjectIdentifier(asker)] = nil }
                answer(outcome, said)
            }, at: now())
        if let asker { runs[ObjectIdentifier(asker)] = run }
    }

    private func ended(_ asker: AnyObject) {
        if let run = runs.removeValue(forKey: ObjectIdentifier(asker)) { devices.cancel(run) }
    }

    // MARK: What devices report

    private func report(_ control: ControlID, _ text: [UInt8]) {
        switch plan[control].feedback?.source {
        case .program:
            for it in reporters where it.controls.contains(control) {
                it.program.say(text + [UInt8(ascii: "\n")])
            }
        // The broker keeps it, as those of devices do.
        case .topic(let topic): broker?.publish(topic, text, isRetained: true)
        case .message(let address, let argument, let place):
            let others = [String](repeating: "-", count: argument - 1)
            Datagram.send(
                address, others + [String(decoding: text, as: UTF8.self)], toPort: place.port)
        case .wire(let kind, let fields):
            let place = WirePlace(ActionKindID(kind), fields)
            for wire in wires where wire.place == place { wire.say(text) }
        case .line, .request, .control, nil: break
        }
    }
}
