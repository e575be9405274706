import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentServer
import DetentTypes
import Glibc

/// The work of the thread of a `BrokerClient`: connects again and again, and carries messages.
///
/// Synchronization: none; one thread.
struct BrokerWork {
    private let port: any PanelPort
    private let facts: BrokerClient.Facts
    private let say: @Sendable (String) -> Void
    private let tokens = ConfirmTokens()
    private let mail: BrokerMail?
    private var publisher = BrokerPublisher()
    private var listener = BrokerListener([])
    /// Nil while the panel has no broker.
    private var session: BrokerSession?
    private var pause: ReconnectPause
    private var isVersion5 = true
    /// The last problem; each is said once until something else happens.
    private var lastSaid = ""
    /// Another panel runs since the connection began.
    private var isAnother = false
    private var tally = BrokerTally()
    /// The library, TLS and the first messages used memory that what follows does not need.
    private var mustForget = true
    /// What the sessions of former panels dropped.
    private var dropped = (events: 0, answers: 0)

    init(
        port: any PanelPort, facts: BrokerClient.Facts, mail: BrokerMail?,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.mail = mail
        self.port = port
        self.facts = facts
        self.say = say
        pause = ReconnectPause(seed: Self.seed)
    }

    /// Differs between panels that start at the same moment.
    private static var seed: UInt64 {
        var generator = SplitMix64(
            seed: MonotonicClock.now.nanoseconds, stream: UInt64(UInt32(bitPattern: getpid())))
        return generator.next()
    }

    /// Works until `isEnding`, which is looked at whenever the channel of updates is woken.
    mutating func run(_ isEnding: () -> Bool) {
        begin()
        while !isEnding() {
            guard let broker = session?.topics.broker else {
                isAnother = false
                wait(until: .never, isEnding)
                continue
            }
            let began = MonotonicClock.now
            isAnother = false
            let problem = connect(broker, isEnding)
            session?.disconnected()
            publisher.disconnected()
            tally.figures.isConnected = false
            tellWords()
            if isEnding() { break }
            if isAnother { continue }
            if let problem { tell("\(broker.host):\(broker.port): \(problem)") }
            let now = MonotonicClock.now
            if now - began >= MQTTLimits.trust { pause.reset() }
            wait(until: now + pause.take(), isEnding)
        }
        port.updates.setWatched(false)
    }

    /// The panel begins, or another one follows.
    private mutating func begin() {
        let plan = port.plan
        isAnother = true
        dropped.events += session?.droppedEvents ?? 0
        dropped.answers += session?.droppedAnswers ?? 0
        session = plan.broker.map {
            BrokerSession(
                plan, $0, version: facts.version, page: facts.page, tokens: tokens,
                generation: facts.generation, seed: Self.seed)
        }
        listener = BrokerListener(plan.brokerSources)
        port.updates.setWatched(session != nil)
        if session != nil { port.updates.requestSnapshot() }
    }

    private mutating func wait(until deadline: Instant, _ isEnding: () -> Bool) {
        while !isEnding(), !isAnother, MonotonicClock.now < deadline {
            port.updates.wait(until: min(deadline, tally.deadline))
            drain()
        }
    }

    /// Takes the waiting updates of the panel.
    private mutating func drain() {
        var mustBegin = false
        let dropped = port.updates.drain { update in
            if case .restarted = update.update {
                port.follow()
                mustBegin = true
            }
            session?.take(update)
        }
        if dropped > 0 {
            if port.followLatest() { mustBegin = true }
            port.updates.requestSnapshot()
        }
        if mustBegin { begin() }
        for order in mail?.take() ?? [] { publisher.take(order) }
        tellWords()
    }

    /// Tells the panel what came of messages.
    private mutating func tellWords() {
        for word in publisher.takeWords() { mail?.tell(word) }
        tally.figures.droppedEvents = UInt64(dropped.events + (session?.droppedEvents ?? 0))
        tally.figures.droppedAnswers = UInt64(dropped.answers + (session?.droppedAnswers ?? 0))
        if let figures = tally.next(at: MonotonicClock.now) { mail?.tell(.figures(figures)) }
    }

    /// Tells the panel what devices report, and returns when that is due again.
    private mutating func tellReports() -> Instant {
        let now = MonotonicClock.now
        while let word = listener.next(at: now) { mail?.tell(word) }
        return listener.deadline
    }

    private mutating func tell(_ text: String) {
        guard text != lastSaid else { return }
        lastSaid = text
        say("detent: the broker \(text)\n")
    }

    // MARK: One connection

    /// Connects and works until the connection is over; returns why, in words.
    private mutating func connect(_ broker: BrokerPlan, _ isEnding: () -> Bool) -> String? {
        do throws(BrokerConnection.Problem) {
            let settings = try BrokerConnection.Settings(
                broker, will: session?.farewell, isVersion5: isVersion5)
            let connection = try BrokerConnection(settings)
            try connection.connect(
                to: broker.host, port: broker.port, keepAlive: broker.keepAlive)
            drain()
            var isUp = false
            let answerUntil = MonotonicClock.now + MQTTLimits.answer
            while !isEnding(), !isAnother {
                drain()
                let now = MonotonicClock.now
                if !isUp, answerUntil <= now { throw .init(text: "does not answer") }
                session?.advance(to: now)
                send(connection)
                if isUp, mustForget, connection.unacknowledged == 0 {
                    mustForget = false
                    Memory.forgetStart()
                }
                let idle = TimeSpan(nanoseconds: broker.keepAlive.nanoseconds / 3)
                let until = min(
                    session?.tellAgainAt ?? .never, now + idle, tellReports(), tally.deadline)
                let problem: BrokerConnection.Problem?
                do throws(BrokerConnection.Problem) {
                    try connection.turn(
                        other: port.updates.descriptor,
                        within: isUp ? until - now : .milliseconds(100))
                    problem = nil
                } catch {
                    problem = error
                }
                noteTaken(connection)
                // The broker may have said why it ends the connection.
                if let end = take(connection, broker, &isUp) { return end }
                if let problem { throw problem }
            }
            goodBye(connection, isUp)
            return nil
        } catch {
            return error.text
        }
    }

    private mutating func send(_ connection: BrokerConnection) {
        while connection.unacknowledged < MQTTLimits.unacknowledged,
            let message = publisher.next()
        {
            let number = connection.publish(
                message.topic, Array(message.payload.utf8), isRetained: message.isRetained,
                isFleeting: message.isFleeting)
            publisher.sent(message, as: number)
            if number != nil { tally.figures.sent += 1 }
        }
        // The library may have sent it within the call.
        noteTaken(connection)
        while connection.unacknowledged < MQTTLimits.unacknowledged,
            let message = session?.next()
        {
            connection.publish(message)
            tally.figures.sent += 1
        }
    }

    private mutating func noteTaken(_ connection: BrokerConnection) {
        for (number, code) in connection.takeTaken() { publisher.taken(number, code: code) }
        tellWords()
    }

    /// Takes what the broker sent; returns why the connection is over, if it is.
    private mutating func take(
        _ connection: BrokerConnection, _ broker: BrokerPlan, _ isUp: inout Bool
    ) -> String? {
        for notice in connection.takeNotices() {
            switch notice {
            case .connected(0):
                isUp = true
                tally.figures.isConnected = true
                tally.figures.connects += 1
                lastSaid = ""
                say("detent: connected to the broker \(broker.host):\(broker.port)\n")
                for (filter, wantsRetained) in session?.subscriptions ?? [] {
                    connection.subscribe(filter, wantsRetained: wantsRetained)
                }
                for topic in listener.topics { connection.subscribe(topic, wantsRetained: true) }
                session?.connected()
                listener.connected()
                publisher.connected()
                tellWords()
            case .connected:
                if notice.isOtherVersion, isVersion5 {
                    isVersion5 = false
                    return nil
                }
                return notice.end(isVersion5: isVersion5)
            case .disconnected(let code):
                // 142: another connection has the same name.
                if code == 142 {
                    return "ended the connection: another one is named "
                        + "`\(broker.clientName)`; give one of them a `client-id` of its own"
                }
                // Smaller ones are not from the broker.
                guard code >= 128 else { return ended(broker, isUp) }
                return notice.end(isVersion5: isVersion5)
            case .refused(let filter): listener.refused(filter)
            case .message(let topic, let bytes, let isRetained):
                listener.receive(topic, bytes)
                let event = session?.receive(
                    topic, bytes, isRetained: isRetained, now: MonotonicClock.now)
                if let event, !port.send(event) { session?.notTaken() }
            }
        }
        return nil
    }

    /// The broker went away without a word. Mosquitto 2.0 also does so when the name is taken over.
    private func ended(_ broker: BrokerPlan, _ isUp: Bool) -> String {
        // A broker does not say what it dislikes about a certificate.
        if !isUp, broker.isSecure {
            return "ended the connection before it answered: it may not speak TLS at this port, "
                + "want a certificate, or not trust that of `cert`"
        }
        return "ended the connection; if this repeats, another one may be named "
            + "`\(broker.clientName)`: give one of them a `client-id` of its own"
    }

    /// Ends a connection so that the broker does not publish the last will.
    private mutating func goodBye(_ connection: BrokerConnection, _ isUp: Bool) {
        guard isUp, let farewell = session?.farewell else { return }
        connection.publish(farewell)
        let deadline = MonotonicClock.now + MQTTLimits.goodbye
        while connection.unacknowledged > 0, MonotonicClock.now < deadline {
            do throws(BrokerConnection.Problem) {
                try connection.turn(other: -1, within: .milliseconds(50))
            } catch {
                return
            }
            // Commands that come now are not performed any more.
            _ = connection.takeNotices()
        }
        connection.disconnect()
        try? connection.turn(other: -1, within: .milliseconds(50))
    }
}
