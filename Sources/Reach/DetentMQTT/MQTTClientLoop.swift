import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
import DetentWall
import Glibc

/// The work of the process between a broker and a panel: connects again and again, and carries
/// messages.
///
/// One thread waits for the panel and for the broker together, so a message of the panel is sent in
/// the turn that takes it. Beside it there is only a thread that opens a connection, while it does.
///
///     var work = MQTTClientLoop(port: port, inlet: inlet, facts: facts) { log.add($0) }
///     work.run()
///
/// Synchronization: none; one thread.
struct MQTTClientLoop<Inlet: MQTTInlet>: ~Copyable {
    private let port: any PanelPort
    private let inlet: Inlet
    private let say: @Sendable (String) -> Void
    private var publisher = MQTTPublisher()
    private var listener: MQTTListener
    /// Both are nil for a panel without a broker, which is left alone.
    private var session: MQTTPanelSession?
    private var life: MQTTConnectionLife?
    private var attempt: ConnectAttempt?
    private let openingTime: TimeSpan
    /// When an attempt has hung for too long.
    private var openedBy = Instant.never
    /// The last problem; each is said once until something else happens.
    private var lastSaid = ""
    /// A connection that comes and goes does not fill the log.
    private var said = RepeatedMessages()
    private var tally = MQTTTally()
    private var losses = MQTTLosses()
    /// The library, TLS and the first messages used memory that what follows does not need.
    private var mustForget = true
    private var hasEnded = false
    private var ready = PollSet(capacity: 5)

    /// Makes the work of a panel; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - port: the panel; this is the one reader of its updates.
    ///   - inlet: brings the orders of the panel, and takes what it is told.
    ///   - openingTime: how long a connection may take to be opened.
    ///   - say: prints a message for people; must not wait.
    init(
        port: any PanelPort, inlet: Inlet, facts: MQTTFacts,
        openingTime: TimeSpan = MQTTLimits.opening,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.openingTime = openingTime
        self.port = port
        self.inlet = inlet
        self.say = say
        let plan = port.plan
        // Differs between panels that start at the same moment.
        var generator = SplitMix64(
            seed: MonotonicClock.now.nanoseconds, stream: UInt64(UInt32(bitPattern: getpid())))
        let (sessionSeed, lifeSeed) = (generator.next(), generator.next())
        session = plan.broker.map { broker in
            MQTTPanelSession(
                plan, broker, facts: facts, seed: sessionSeed)
        }
        life = plan.broker.map { MQTTConnectionLife($0, seed: lifeSeed) }
        listener = MQTTListener(
            plan.brokerSources,
            unkept: Set(plan.confirmationTopics).subtracting(
                plan.controls.compactMap { $0.feedback?.source.topic }))
    }

    /// Works until the panel has ended; then disconnects from the broker.
    mutating func run() {
        port.updates.setWatched(session != nil)
        if session != nil { port.updates.requestSnapshot() }
        while !hasEnded { turn() }
        port.updates.setWatched(false)
        attempt?.join(until: MonotonicClock.now + MQTTLimits.goodbye + MQTTLimits.goodbye)
        sayGoodbye()
    }

    /// Waits for the panel and the broker, and does what is due.
    private mutating func turn() {
        let before = MonotonicClock.now
        connectIfDue(before)
        let careAt = life?.careAt(now: before) ?? .never
        let places = awaitAll()
        let dueAt = dueAt
        // A late test of an idle connection harms nothing.
        _ = ready.wait(now: before, until: min(careAt, dueAt), isExact: dueAt <= careAt)
        let now = MonotonicClock.now
        takeFromPanel(places, now)
        noteOpened(now)
        let isReadable = ready.isReady(places.broker)
        let isWritable = ready.isReady(places.room)
        if isReadable || isWritable || careAt <= now {
            work(isReadable: isReadable, isWritable: isWritable, now)
            send(now)
        }
        tellPanel(now)
        if let text = said.due(at: now) { say("detent: \(text)\n") }
    }

    // MARK: Waiting

    /// Where what is waited for is in the set.
    private struct Places {
        let panel = 0
        var broker = Int.max
        var room = Int.max
    }

    private mutating func awaitAll() -> Places {
        var places = Places()
        ready.removeAll()
        _ = ready.add(inlet.descriptor)
        if inlet.isFull { _ = ready.add(inlet.descriptor, for: .writing) }
        if let attempt { _ = ready.add(attempt.descriptor) }
        let socket = life?.descriptor ?? -1
        if socket >= 0 {
            // Each message that is read makes an answer: a broker that reads none of them is not
            // read either, else they would grow without end.
            if life?.wantsWrite == true {
                places.room = ready.count
                _ = ready.add(socket, for: .writing)
            } else {
                places.broker = ready.count
                _ = ready.add(socket)
            }
        }
        return places
    }

    /// When something is due, apart from the care for the connection.
    private var dueAt: Instant {
        let telling = inlet.isFull ? .never : min(listener.deadline, tally.deadline)
        let opening = attempt == nil ? Instant.never : openedBy
        let talking = min(said.deadline, session?.deadline ?? .never)
        return min(min(telling, opening), min(talking, life?.nextAttempt ?? .never))
    }

    // MARK: The panel

    /// Takes what the panel says, and sends what it is asked for.
    private mutating func takeFromPanel(_ places: Places, _ now: Instant) {
        if ready.isReady(places.panel) {
            let isLinked = inlet.receive { order in
                publisher.add(order)
                sendOrders(now)
            } confirm: { request, token in
                session?.askToConfirm(request, with: token)
            }
            // It may have ended before, for another reason.
            if !isLinked { hasEnded = true }
            let dropped = port.updates.drain { session?.receive($0) }
            if dropped > 0, session != nil { port.updates.requestSnapshot() }
        }
        session?.advance(to: now)
        send(now)
    }

    /// Tells the panel what came of messages, and what devices report.
    private mutating func tellPanel(_ now: Instant) {
        inlet.flush()
        tellWords()
        tally.figures.droppedEvents = UInt64(session?.droppedEvents ?? 0)
        tally.figures.droppedAnswers = UInt64(session?.droppedAnswers ?? 0)
        tally.figures.unsent = losses.count
        tally.figures.refusedCommands = UInt64(session?.refusedCommands ?? 0)
        while !inlet.isFull, let word = listener.next(at: now) { inlet.post(word) }
        if !inlet.isFull, let figures = tally.next(at: now) { inlet.post(.figures(figures)) }
    }

    private mutating func tellWords() {
        for word in publisher.takeWords() { inlet.post(word) }
    }

    private mutating func log(_ text: String) {
        guard text != lastSaid else { return }
        lastSaid = text
        sayThinned("the broker \(text)")
    }

    private mutating func sayThinned(_ text: String) {
        if let text = said.take(text, at: MonotonicClock.now) { say("detent: \(text)\n") }
    }

    // MARK: The broker

    private mutating func connectIfDue(_ now: Instant) {
        guard (life?.nextAttempt ?? .never) <= now, let broker = life?.broker else { return }
        do throws(MQTTConnection.Problem) {
            guard let made = try life?.begin(will: session?.farewell, now: now) else { return }
            do throws(PlatformError) {
                attempt = try ConnectAttempt(made, of: broker)
                openedBy = now + openingTime
            } catch {
                let problem = MQTTConnection.Problem(text: "is not asked: \(error)")
                life?.opened(problem, now: now)
                throw problem
            }
        } catch {
            lose(because: error.text)
        }
    }

    private mutating func noteOpened(_ now: Instant) {
        guard let outcome = attempt?.outcome else { return endIfStuck(now) }
        attempt = nil
        switch outcome {
        case .open: life?.opened(nil, now: now)
        case .failed(let problem):
            lose(because: life?.opened(problem, now: now) ?? problem.text)
        }
    }

    /// Nothing ends a look-up that hangs but the end of this process. Its keeper starts it again.
    private mutating func endIfStuck(_ now: Instant) {
        guard attempt != nil, openedBy <= now else { return }
        let seconds = openingTime.nanoseconds / 1_000_000_000
        lose(
            because: "cannot be reached: the look-up of its name, or the connection, has hung for "
                + "\(seconds) s; see whether `getent hosts` finds the name")
        hasEnded = true
    }

    private mutating func lose(because problem: String?) {
        session?.disconnected()
        publisher.disconnected()
        listener.disconnected()
        losses.disconnected()
        tally.figures.isConnected = false
        guard let problem, let broker = life?.broker else { return }
        // Such as a certificate, or the servers of names after a change of the network. The next
        // process can read it, so this problem is no news.
        if ProcessWall.isOutdated {
            hasEnded = true
            return
        }
        log("\(broker.host):\(broker.port): \(problem)")
    }

    /// Hands over messages of actions that wait.
    private mutating func sendOrders(_ now: Instant) {
        while hasRoom, let message = publisher.next() {
            let number = life?.publish(
                message.topic, Array(message.payload.utf8), isRetained: message.isRetained,
                isFleeting: message.isFleeting, expiry: message.expiry, now: now)
            publisher.sent(
                message, as: number, isTooLarge: number == nil && life?.refusal == .tooLarge)
            if number != nil { tally.figures.sent += 1 }
        }
    }

    /// Hands over what waits: messages of actions first.
    private mutating func send(_ now: Instant) {
        guard life?.isUp == true else { return }
        sendOrders(now)
        // The library may have sent them within the call.
        noteTaken()
        while hasRoom, let message = session?.next() {
            if let number = life?.publish(message, now: now) {
                tally.figures.sent += 1
                losses.sent(message, as: number)
            } else if let text = losses.unsent(message, because: life?.refusal) {
                say("detent: the broker \(text)\n")
            }
        }
        if mustForget, life?.unacknowledged == 0 {
            mustForget = false
            Memory.giveBack()
        }
    }

    private var hasRoom: Bool {
        (life?.unacknowledged ?? .max) < MQTTLimits.unacknowledged
    }

    private mutating func noteTaken() {
        for (number, code) in life?.takeTaken() ?? [] {
            publisher.taken(number, code: code)
            if let text = losses.taken(number, code: code) { say("detent: the broker \(text)\n") }
        }
    }

    /// Works on the socket, and takes what the broker sent.
    private mutating func work(isReadable: Bool, isWritable: Bool, _ now: Instant) {
        let happenings =
            life?.work(isReadable: isReadable, isWritable: isWritable, now: now) ?? []
        noteTaken()
        for happening in happenings {
            switch happening {
            case .up: begin()
            case .refused(let filter): listener.refused(filter)
            case .over(let problem): lose(because: problem)
            case .message(let topic, let bytes, let isRetained):
                listener.receive(topic, bytes, isRetained: isRetained)
                let asking = session?.receive(topic, bytes, isRetained: isRetained, now: now)
                while let subscription = session?.takeSubscription() {
                    life?.subscribe(subscription)
                }
                if let asking { ask(asking, now) }
            }
        }
    }

    private mutating func ask(_ asking: MQTTCommands.Asking, _ now: Instant) {
        switch port.send(asking.event, confirming: asking.token, at: now) {
        case .taken: break
        case .full: session?.notTaken()
        case .unconfirmed(let token):
            session?.askToConfirm(asking.event.request, with: token)
        }
    }

    /// The broker has accepted the connection.
    private mutating func begin() {
        guard let broker = life?.broker else { return }
        tally.figures.isConnected = true
        tally.figures.connects += 1
        lastSaid = ""
        sayThinned("connected to the broker \(broker.host):\(broker.port)")
        for subscription in session?.subscriptions ?? [] { life?.subscribe(subscription) }
        for topic in listener.topics { life?.subscribe(topic, wantsRetained: true) }
        session?.connected()
        publisher.connected()
        // Before the broker tells anybody that the panel is online.
        tellWords()
    }

    /// Ends the connection so that the broker does not publish the last will.
    private mutating func sayGoodbye() {
        guard life?.isUp == true, let farewell = session?.farewell else { return }
        var now = MonotonicClock.now
        let deadline = now + MQTTLimits.goodbye
        life?.publish(farewell, now: now)
        while life?.isUp == true, life?.unacknowledged != 0, now < deadline {
            let places = awaitAll()
            _ = ready.wait(now: now, until: deadline)
            now = MonotonicClock.now
            // Commands that come now are not performed any more.
            _ = life?.work(
                isReadable: ready.isReady(places.broker),
                isWritable: ready.isReady(places.room), now: now)
        }
        life?.end()
    }
}
