import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes

/// What a panel tells a broker, and what it takes from it: pure, without a connection.
///
/// While there is no connection it keeps the newest state of each control and drops events: an
/// event that comes late would switch something that no one touched.
struct MQTTPanelSession {
    let plan: PanelPlan
    let topics: MQTTTopics
    private var states: [ControlSnapshot?]
    private var reasons: [Reason]
    /// The texts that the broker has, by control.
    private var told: [String?]
    /// Controls whose states are to be told, in their order, and whether each is among them.
    private var changed: [UInt16] = []
    private var isChanged: [Bool]
    /// All states were known once.
    private var isComplete = false
    private var isUp = false
    private var isOnlineTold = false
    private var events = WaitingMessages(
        count: MQTTLimits.waitingEvents, bytes: MQTTLimits.waitingEventBytes)
    private var answers = WaitingMessages(
        count: MQTTLimits.waitingAnswers, bytes: MQTTLimits.waitingAnswerBytes)
    /// Empties what the broker has kept of controls that there are no more.
    private var leftovers = WaitingMessages(
        count: MQTTLimits.leftovers, bytes: MQTTLimits.leftoverBytes)
    private var eventTexts: MQTTEvents
    private var commands: MQTTCommands
    private var announcement: Announcement
    private var formerTopics: [FormerTopic]
    /// When everything is told again after Home Assistant has started.
    private(set) var tellAgainAt = Instant.never
    private var correction = MQTTCorrection()
    private var generator: SplitMix64
    /// Events that no one received.
    private(set) var droppedEvents = 0
    /// Answers that found no room.
    private(set) var droppedAnswers = 0
    /// Commands that were refused here.
    var refusedCommands: Int { commands.refused }

    init(
        _ plan: PanelPlan, _ broker: BrokerPlan, facts: MQTTFacts, seed: UInt64
    ) {
        self.plan = plan
        let topics = MQTTTopics(broker: broker)
        self.topics = topics
        let count = plan.controls.count
        states = Array(repeating: nil, count: count)
        reasons = Array(repeating: .none, count: count)
        told = Array(repeating: nil, count: count)
        isChanged = Array(repeating: false, count: count)
        eventTexts = MQTTEvents(plan)
        commands = MQTTCommands(plan, topics, generation: facts.generation)
        announcement = Announcement(
            HomeAssistantDevice(
                plan: plan, topics: topics, version: facts.version, page: facts.page))
        formerTopics = facts.formerTopics.filter { $0 != broker.topic }.map {
            FormerTopic($0, plan, broker, version: facts.version)
        }
        generator = SplitMix64(seed: seed)
    }

    // MARK: The connection

    /// What to subscribe to when a connection begins.
    var subscriptions: [MQTTSubscription] {
        var all = [
            MQTTSubscription(filter: topics.record, wantsRetained: true),
            // What others write there is not true.
            MQTTSubscription(filter: topics.availability, hearsOwn: false),
            // What is stored there may be of a control that there is no more.
            MQTTSubscription(
                filter: topics.all(.state), wantsRetained: true, hearsOwn: false),
        ]
        if topics.broker.role == .operate {
            all += [topics.all(.set), topics.all(.confirm)].map { MQTTSubscription(filter: $0) }
        }
        if let birth = topics.birth { all.append(MQTTSubscription(filter: birth)) }
        return all + formerTopics.flatMap(\.subscriptions)
    }

    /// What else to subscribe to, before anything else is sent; nil if there is nothing.
    mutating func takeSubscription() -> MQTTSubscription? {
        if let own = announcement.takeSubscription() { return own }
        for place in formerTopics.indices {
            if let former = formerTopics[place].takeSubscription() { return former }
        }
        return nil
    }

    /// The broker has accepted the connection: it knows nothing of the panel.
    mutating func connected() {
        isUp = true
        tellAgain()
        announcement.begin()
    }

    /// The connection is over.
    mutating func disconnected() {
        isUp = false
        droppedEvents += events.count
        events.removeAll()
        answers.removeAll()
        leftovers.removeAll()
        for place in formerTopics.indices { formerTopics[place].disconnected() }
        tellAgainAt = .never
        correction.forget()
    }

    private mutating func tellAgain() {
        isOnlineTold = false
        for place in states.indices where states[place] != nil {
            told[place] = nil
            touch(place)
        }
    }

    // MARK: The panel

    /// Takes an update of the panel.
    mutating func receive(_ timed: TimedUpdate) {
        switch timed.update {
        case .report(let report, _): receive(report, at: timed.at)
        case .state(let control, let state):
            let place = Int(control.index)
            guard states.indices.contains(place) else { return }
            states[place] = state
            touch(place)
        case .answer(let request, _, let answer):
            if let message = commands.answered(request, answer) { add(answer: message) }
        case .complete: isComplete = true
        case .level, .contact, .simulation, .restarted: break
        }
    }

    private mutating func receive(_ report: Report, at moment: Instant) {
        let place = Int(report.control.index)
        guard states.indices.contains(place) else { return }
        if case .phase(_, let reason) = report.kind { reasons[place] = reason }
        guard let text = eventTexts.text(report, at: moment) else { return }
        guard isUp else {
            droppedEvents += 1
            return
        }
        droppedEvents += events.appendAtAnyCost(
            MQTTMessage(topic: topics.topic(plan.controls[place].id, .event), text: text))
    }

    private mutating func touch(_ place: Int) {
        guard !isChanged[place] else { return }
        isChanged[place] = true
        changed.append(UInt16(place))
    }

    private mutating func add(answer: MQTTMessage) {
        if !isUp || !answers.append(answer) { droppedAnswers += 1 }
    }

    // MARK: The broker

    /// Takes a message of the broker; returns what the panel is asked for.
    mutating func receive(
        _ topic: String, _ bytes: [UInt8], isRetained: Bool, now: Instant
    ) -> MQTTCommands.Asking? {
        if announcement.wants(topic) {
            announcement.receive(topic, bytes, isRetained: isRetained)
            return nil
        }
        if topic == topics.availability {
            let isFalse = isOnlineTold && bytes != Array("online".utf8)
            if isFalse, !isRetained { correction.noteAvailability(at: now) }
            return nil
        }
        if topic == topics.birth {
            if bytes == Array("online".utf8) {
                let most = MQTTLimits.birthWait.nanoseconds
                tellAgainAt = now + TimeSpan(nanoseconds: generator.below(most + 1))
            }
            return nil
        }
        guard let (id, use) = topics.control(topic) else {
            _ = formerTopics.indices.first {
                formerTopics[$0].receive(topic, bytes, isRetained: isRetained)
            }
            return nil
        }
        if use == .state {
            if isRetained { takeStored(bytes, of: id) } else { compare(bytes, of: id, now: now) }
            return nil
        }
        let shown = plan.control(named: id).flatMap { states[Int($0.index)]?.desired } ?? .unknown
        let outcome = commands.receive(
            bytes[...], for: id, use, isRetained: isRetained, shown: shown, now: now)
        switch outcome {
        case .ask(let asking): return asking
        case .answer(let message):
            add(answer: message)
            return nil
        case .nothing: return nil
        }
    }

    /// Another client has told a state of the panel: it is told again if it is not the true one.
    private mutating func compare(_ bytes: [UInt8], of id: String, now: Instant) {
        guard let place = plan.control(named: id).map({ Int($0.index) }), let text = told[place],
            bytes != Array(text.utf8)
        else { return }
        correction.noteState(place, at: now)
    }

    /// The broker has kept the state of a control that was removed or has another id now: other
    /// panels would show it for as long as they run. Other messages are left alone.
    private mutating func takeStored(_ bytes: [UInt8], of id: String) {
        guard plan.control(named: id) == nil, MQTTState.isState(bytes) else { return }
        _ = leftovers.append(
            MQTTMessage(topic: topics.topic(id, .state), text: "", isRetained: true))
    }

    /// The panel did not take the last event: too many wait.
    mutating func notTaken() {
        if let message = commands.notTaken() { add(answer: message) }
    }

    /// The panel wants a command to be confirmed with this token.
    mutating func askToConfirm(_ request: RequestID, with token: ConfirmTokens.Token) {
        if let message = commands.askToConfirm(request, with: token) { add(answer: message) }
    }

    /// The time has come to tell everything again.
    mutating func advance(to now: Instant) {
        if let wrong = correction.pop(at: now) {
            if wrong.availability { isOnlineTold = false }
            for place in wrong.states {
                told[place] = nil
                touch(place)
            }
        }
        guard tellAgainAt <= now else { return }
        tellAgainAt = .never
        tellAgain()
        announcement.announce()
    }

    /// When `advance` has something to do.
    var deadline: Instant { min(tellAgainAt, correction.deadline) }

    // MARK: Sending

    /// The next message: states first, then that the panel is there, then the rest.
    mutating func next() -> MQTTMessage? {
        guard isUp else { return nil }
        if let state = nextState() { return state }
        if isComplete, !isOnlineTold {
            isOnlineTold = true
            return MQTTMessage(topic: topics.availability, text: "online", isRetained: true)
        }
        if let message = announcement.next() { return message }
        for place in formerTopics.indices {
            if let message = formerTopics[place].next() { return message }
        }
        return leftovers.removeFirst() ?? answers.removeFirst() ?? events.removeFirst()
    }

    /// The message of an orderly end; also the last will.
    var farewell: MQTTMessage {
        MQTTMessage(topic: topics.availability, text: "offline", isRetained: true)
    }

    private mutating func nextState() -> MQTTMessage? {
        while !changed.isEmpty {
            let place = Int(changed.removeFirst())
            isChanged[place] = false
            guard let state = states[place] else { continue }
            let control = plan.controls[place]
            let text = MQTTState.text(
                state, of: ControlID(UInt16(place)), in: plan, reason: reasons[place])
            // The lamp may have changed; the broker does not know of lamps.
            guard text != told[place] else { continue }
            told[place] = text
            return MQTTMessage(
                topic: topics.topic(control.id, .state), text: text, isRetained: true)
        }
        return nil
    }
}
