import DetentActions
import DetentPanel
import DetentPlatform
import DetentRuntime
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
    /// Nil while the panel has no broker.
    private var session: BrokerSession?
    private var pause: ReconnectPause
    private var isVersion5 = true
    /// The last problem; each is said once until something else happens.
    private var lastSaid = ""
    /// Another panel runs since the connection began.
    private var isAnother = false

    init(
        port: any PanelPort, facts: BrokerClient.Facts, say: @escaping @Sendable (String) -> Void
    ) {
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
        session = plan.broker.map {
            BrokerSession(
                plan, $0, version: facts.version, page: facts.page, tokens: tokens,
                generation: facts.generation, seed: Self.seed)
        }
        port.updates.setWatched(session != nil)
        if session != nil { port.updates.requestSnapshot() }
    }

    private mutating func wait(until deadline: Instant, _ isEnding: () -> Bool) {
        while !isEnding(), !isAnother, MonotonicClock.now < deadline {
            port.updates.wait(until: deadline)
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
            let connection = try BrokerConnection(try settings(broker))
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
                let idle = TimeSpan(nanoseconds: broker.keepAlive.nanoseconds / 3)
                let until = min(session?.tellAgainAt ?? .never, now + idle)
                let problem: BrokerConnection.Problem?
                do throws(BrokerConnection.Problem) {
                    try connection.turn(
                        other: port.updates.descriptor,
                        within: isUp ? until - now : .milliseconds(100))
                    problem = nil
                } catch {
                    problem = error
                }
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

    private func settings(
        _ broker: BrokerPlan
    ) throws(BrokerConnection.Problem) -> BrokerConnection.Settings {
        var settings = BrokerConnection.Settings()
        var secrets = SecretFilling(source: .system)
        do throws(SecretError) {
            settings.user = try broker.user.map { user throws(SecretError) in
                try secrets.fill(user)
            }
            settings.password = try broker.password.map { word throws(SecretError) in
                try secrets.fill(word)
            }
        } catch {
            throw .init(text: "is not asked: \(error.cause); \(error.remedy)")
        }
        settings.client = broker.clientName
        settings.isSecure = broker.isSecure
        settings.authority = broker.authority ?? BrokerPlan.systemAuthority
        settings.certificate = broker.certificate
        settings.key = broker.key
        settings.will = session?.farewell
        settings.isVersion5 = isVersion5
        return settings
    }

    private mutating func send(_ connection: BrokerConnection) {
        while connection.unacknowledged < MQTTLimits.unacknowledged,
            let message = session?.next()
        {
            connection.publish(message)
        }
    }

    /// Takes what the broker sent; returns why the connection is over, if it is.
    private mutating func take(
        _ connection: BrokerConnection, _ broker: BrokerPlan, _ isUp: inout Bool
    ) -> String? {
        let notices = connection.notices
        connection.notices.removeAll(keepingCapacity: true)
        for notice in notices {
            switch notice {
            case .connected(0):
                isUp = true
                lastSaid = ""
                say("detent: connected to the broker \(broker.host):\(broker.port)\n")
                for (filter, wantsRetained) in session?.subscriptions ?? [] {
                    connection.subscribe(filter, wantsRetained: wantsRetained)
                }
                session?.connected()
            case .connected(let code):
                return refusal(code)
            case .disconnected(let code):
                // 142: another connection has the same name.
                if code == 142 {
                    return "ended the connection: another one is named "
                        + "`\(broker.clientName)`; give one of them a `client-id` of its own"
                }
                // Smaller ones are not from the broker.
                guard code >= 128 else { return ended(broker) }
                return "ended the connection: "
                    + BrokerConnection.reason(code, isVersion5: isVersion5)
            case .message(let topic, let bytes, let isRetained):
                let event = session?.receive(
                    topic, bytes, isRetained: isRetained, now: MonotonicClock.now)
                if let event, !port.send(event) { session?.notTaken() }
            }
        }
        return nil
    }

    /// The broker went away without a word. Mosquitto 2.0 also does so when the name is taken over.
    private func ended(_ broker: BrokerPlan) -> String {
        "ended the connection; if this repeats, another one may be named "
            + "`\(broker.clientName)`: give one of them a `client-id` of its own"
    }

    private mutating func refusal(_ code: Int32) -> String? {
        let reason = BrokerConnection.reason(code, isVersion5: isVersion5)
        // Version 5 is not spoken: 132 in its own words, 1 in those of version 3.1.1.
        if isVersion5, code == 132 || code == 1 {
            isVersion5 = false
            return nil
        }
        return "refuses the connection: \(reason)"
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
            connection.notices = []
        }
        connection.disconnect()
        try? connection.turn(other: -1, within: .milliseconds(50))
    }
}
