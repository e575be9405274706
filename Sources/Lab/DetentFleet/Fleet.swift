import DetentCore
import DetentMQTT
import DetentPanel
public import DetentPlatform
import DetentTypes
import Glibc

/// Many simulated panels in one process, each with a connection of its own to a real broker.
///
/// One thread holds all connections. A listener, which is one more connection, hears what the
/// panels tell. The moment of each change stays in this process, so the messages are those of real
/// panels.
///
///     let fleet = try Fleet(options) { print($0) }
///     let report = try fleet.run(signals: inbox)
public final class Fleet {
    /// What it does at the moment.
    enum Phase: Equatable {
        /// The panels connect.
        case gathering(until: Instant)
        /// Users operate the panels.
        case operating(until: Instant)
        /// The last messages are on their way.
        case settling(until: Instant)
        /// The panels disconnect.
        case leaving(until: Instant)
        case over
    }

    /// What a topic that the listener hears is of.
    private enum Topic {
        case state(Int)
        case event
        case availability(Int)
    }

    let options: FleetOptions
    let say: (FleetReport) -> Void
    // One thread passes here for each edge and message; exclusive access is not checked.
    @exclusivity(unchecked) var members: [FleetMember] = []
    @exclusivity(unchecked) var agenda: Agenda
    @exclusivity(unchecked) var ledger: FleetLedger
    @exclusivity(unchecked) var report = FleetReport()
    var phase = Phase.gathering(until: .never)
    let listener: FleetSubscriber
    var listenerDue = Instant.zero
    /// When the listener found the broker again; nil while all panels are back.
    var backSince: Instant?
    let began: Instant
    var operatingSince = Instant.never
    /// The figures do not change any more.
    var isFinal = false
    var processorBefore = TimeSpan.zero
    private let sockets: ReadySet
    private var topics: [String: Topic] = [:]
    private var listenerSocket: Int32 = -1
    private var listenerWrites = false
    private var listenerGeneration: UInt32 = 0
    private var progressAt = Instant.never

    /// Makes the panels; nothing is connected yet.
    ///
    /// - Parameter say: takes the figures once a second; must not wait.
    /// - Throws: `FleetError` if something asked for is out of range; `PlatformError` if no
    ///   descriptor is available; `EngineError` if the panel does not fit the engine.
    public init(_ options: FleetOptions, say: @escaping (FleetReport) -> Void) throws {
        try options.check()
        self.options = options
        self.say = say
        let count = options.count
        let controls = options.plan.controls.count
        agenda = Agenda(count: count)
        ledger = FleetLedger(topics: count * controls)
        listener = FleetSubscriber(options.listener, filters: options.filters)
        sockets = try ReadySet()
        began = MonotonicClock.now
        report.panels = count
        members.reserveCapacity(count)
        for place in 0..<count { try add(place, controls) }
    }

    private func add(_ place: Int, _ controls: Int) throws {
        let broker = options.broker(of: place)
        let number = options.first + place
        var plan = options.plan
        plan.broker = broker
        var mixer = SplitMix64(seed: options.seed, stream: UInt64(number) &+ 1_000_000)
        // Panels were not switched on at the same instant: what they do every second would else
        // come from all at once.
        let earlier = FleetLimits.startSpread.nanoseconds
        let start = Instant(
            nanoseconds: began.nanoseconds - min(began.nanoseconds, mixer.next() % earlier))
        let panel = try FleetPanel(
            plan, rate: options.rate, seed: options.seed, number: number, at: start)
        let connection = MQTTMember(
            plan, broker, version: options.version, seed: mixer.next())
        members.append(FleetMember(panel, connection, controls: controls))
        for (index, control) in plan.controls.enumerated() {
            topics["\(broker.topic)/\(control.id)/state"] = .state(place * controls + index)
            topics["\(broker.topic)/\(control.id)/event"] = .event
        }
        topics["\(broker.topic)/availability"] = .availability(place)
    }

    /// Connects the panels, lets users operate them, and ends them.
    ///
    /// - Parameter signals: the first signal ends the users, the second one everything.
    /// - Throws: `FleetError` if the broker cannot be reached.
    public func run(signals: SignalInbox?) throws -> FleetReport {
        var descriptors = PollSet(capacity: 2)
        _ = descriptors.add(sockets.descriptor)
        _ = descriptors.add(signals?.descriptor ?? -1)
        phase = .gathering(until: began + FleetLimits.gathering)
        for place in members.indices { agenda.set(place, began) }
        progressAt = began + FleetLimits.progress
        while phase != .over {
            var now = MonotonicClock.now
            if let signals, signals.pop() != nil { interrupt(now) }
            try lookAfterListener(now)
            for _ in 0..<FleetLimits.turn {
                guard let place = agenda.pop(by: now) else { break }
                work(place, now: now)
            }
            advance(to: now)
            if now >= progressAt {
                progressAt = now + FleetLimits.progress
                update(now)
                say(report)
            }
            let due = min(agenda.next(), min(listenerDue, min(progressAt, phaseEnd)))
            now = MonotonicClock.now
            _ = descriptors.wait(now: now, until: due)
            now = MonotonicClock.now
            sockets.forEach { receive($0, now: now) }
        }
        for member in members { member.connection.end() }
        listener.end()
        update(MonotonicClock.now)
        return report
    }

    // MARK: Panels

    /// Does what is due for a panel.
    private func work(_ place: Int, now: Instant) {
        members[place].run(until: now)
        if !isLeaving, members[place].wantsToConnect(by: now), mayConnect {
            if let problem = members[place].connection.connect(now: now) {
                report.refusals += 1
                note(problem)
            } else {
                waitingCount += 1
                members[place].cared(at: now)
            }
        }
        if members[place].careAt <= now {
            carry(place, isReadable: false, isWritable: false, now: now)
            members[place].cared(at: now)
        }
        flush(place, now: now)
        plan(place, now: now)
    }

    /// The panels disconnect, and tell nothing after it.
    private var isLeaving: Bool { if case .leaving = phase { true } else { false } }

    /// Whether another connection may begin: at the start the listener is there first, and not too
    /// many wait.
    private var mayConnect: Bool {
        wasListening && waitingCount < FleetLimits.connecting
    }
    /// Connections that wait for the broker's first answer.
    private var waitingCount = 0

    /// Works on the socket of a panel.
    private func carry(_ place: Int, isReadable: Bool, isWritable: Bool, now: Instant) {
        let connection = members[place].connection
        let wasWaiting = connection.isWaiting
        let wasUp = connection.isUp
        let done = connection.work(isReadable: isReadable, isWritable: isWritable, now: now)
        if wasWaiting, !connection.isWaiting { waitingCount -= 1 }
        if connection.isUp, !wasUp { report.connects += 1 }
        if let problem = done.problem {
            if wasUp { report.breaks += 1 } else { report.refusals += 1 }
            note(problem)
            members[place].forgetSocket()
        }
        members[place].ask(done.events)
    }

    private func flush(_ place: Int, now: Instant) {
        let controls = options.plan.controls.count
        let hearing: FleetLedger.Hearing =
            listener.isListening ? .sure : listener.isOpen ? .unsure : .away
        defer { members[place].watch(sockets, place: place) }
        guard !isLeaving else { return }
        members[place].send(now: now) { told, since in
            switch told {
            case .state(let control, let text):
                let topic = place * controls + Int(control.index)
                ledger.told(topic, Array(text.utf8), since: since, hearing)
            case .event: report.events += 1
            case .other: break
            }
        }
    }

    /// Notes when the panel is due next.
    func plan(_ place: Int, now: Instant) {
        let member = members[place]
        var attempt = member.connection.nextAttempt
        // It waits for its turn.
        if attempt <= now { attempt = now + FleetLimits.haste }
        agenda.set(place, min(member.panel.due, min(attempt, member.careAt)))
    }

    private func receive(_ ready: ReadySet.Ready, now: Instant) {
        let place = Int(ready.token & 0xFFFF_FFFF)
        let generation = UInt32(ready.token >> 32)
        guard place < members.count else {
            if generation == listenerGeneration {
                hear(isReadable: ready.isReadable, isWritable: ready.isWritable, now: now)
            }
            return
        }
        guard members[place].generation == generation else { return }
        let wasUp = members[place].connection.isUp
        carry(place, isReadable: ready.isReadable, isWritable: ready.isWritable, now: now)
        flush(place, now: now)
        // A connection that has begun or ended changes when it is due.
        if wasUp != members[place].connection.isUp { members[place].cared(at: now) }
        plan(place, now: now)
    }

    func note(_ problem: String) {
        guard report.problems.count < FleetLimits.problems, !report.problems.contains(problem)
        else { return }
        report.problems.append(problem)
    }

    // MARK: The listener

    private func lookAfterListener(_ now: Instant) throws {
        guard now >= listenerDue else { return }
        if !listener.isOpen {
            if let problem = listener.connect(now: now) {
                note(problem)
                if !wasListening, now - began >= options.reach { throw unreachable(problem) }
            }
            listenerSocket = -1
            followListener()
            listenerDue = now + FleetLimits.listenerPause
        } else {
            hear(isReadable: false, isWritable: false, now: now)
            listenerDue = now + (listener.isListening ? FleetLimits.care : FleetLimits.haste)
            if !wasListening, now - began >= options.reach {
                throw unreachable(report.problems.last ?? "does not answer")
            }
        }
    }
    /// Whether the listener has reached the broker once.
    private var wasListening = false

    private func unreachable(_ problem: String) -> FleetError {
        let broker = options.broker
        return FleetError(
            cause: "the broker \(broker.host):\(broker.port): \(problem)",
            remedy: "start the broker, or name another one with --broker", isUnreachable: true)
    }

    private func hear(isReadable: Bool, isWritable: Bool, now: Instant) {
        let wasOn = listener.isListening
        let problem = listener.work(isReadable: isReadable, isWritable: isWritable, now: now) {
            record($0, now: now)
        }
        if let problem {
            note(problem)
            listenerSocket = -1
            listenerDue = now + FleetLimits.listenerPause
            if wasOn { ledger.giveUp() }
        } else {
            followListener()
        }
        if listener.isListening, !wasOn {
            if wasListening { returnOfBroker(now) }
            wasListening = true
        }
    }

    private func followListener() {
        let socket = listener.descriptor
        let writes = listener.wantsWrite
        guard socket >= 0, socket != listenerSocket || writes != listenerWrites else { return }
        let isNew = socket != listenerSocket
        if isNew { listenerGeneration &+= 1 }
        listenerSocket = socket
        listenerWrites = writes
        let token = UInt64(listenerGeneration) << 32 | 0xFFFF_FFFF
        sockets.set(socket, token: token, writes: writes, isNew: isNew)
    }

    private func record(_ heard: FleetSubscriber.Heard, now: Instant) {
        guard let topic = topics[heard.topic] else { return }
        switch topic {
        case .state(let place):
            // An empty message only removes a stored one.
            if !heard.bytes.isEmpty { ledger.heard(place, heard.bytes, at: now) }
        case .event: report.eventsReceived += 1
        case .availability(let place): isSeen(place, online: heard.bytes == Self.online, now: now)
        }
    }

    private static let online = Array("online".utf8)
}
