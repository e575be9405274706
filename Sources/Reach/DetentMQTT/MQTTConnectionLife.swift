import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc

/// The life of a connection to a broker: an attempt, the broker's answer, and the end, again and
/// again.
///
/// It passes on what the broker does and waits for nothing; its owner waits for the socket and
/// passes time in. Only `MQTTConnection.open` blocks, and its owner decides where it runs.
///
/// Synchronization: none; one thread.
struct MQTTConnectionLife {
    /// Something that the broker or the network did.
    enum Happening: Equatable {
        /// The broker has accepted the connection.
        case up
        case message(topic: String, bytes: [UInt8], isRetained: Bool)
        /// The broker does not allow a subscription.
        case refused(filter: String)
        /// The connection is over, and nothing of it follows: why, in words; nil if the next
        /// attempt is in another version.
        case over(String?)
    }

    private enum State {
        /// There is no connection; the next attempt is due then.
        case away(until: Instant)
        /// The owner opens it.
        case opening(MQTTConnection)
        /// The broker has not answered.
        case waiting(MQTTConnection, until: Instant)
        case up(MQTTConnection)
    }

    let broker: BrokerPlan
    private var state = State.away(until: .zero)
    private var pause: ReconnectPause
    private var isVersion5 = true
    private var began = Instant.zero
    /// When the library last heard or sent something, as far as is known here.
    private var heardAt = Instant.zero
    private var sentAt = Instant.zero
    /// What the broker has to acknowledge, the oldest first, with when it was sent.
    private var owed: [(number: Int32, since: Instant)] = []
    /// Since when the socket has had no room for what is to be sent.
    private var blockedSince: Instant?
    /// Messages that the broker took before the connection ended.
    private var takenBefore: [(number: Int32, code: Int32)] = []

    /// Makes the life of a connection that does not exist yet.
    ///
    /// - Parameter seed: decides the pauses between attempts.
    init(_ broker: BrokerPlan, seed: UInt64) {
        self.broker = broker
        pause = ReconnectPause(seed: seed)
    }

    // MARK: What to wait for

    /// When to connect again; `never` while there is a connection.
    var nextAttempt: Instant { if case .away(let until) = state { until } else { .never } }

    /// Whether there is no connection, and none begins.
    var isAway: Bool { if case .away = state { true } else { false } }

    /// Whether the broker has accepted the connection.
    var isUp: Bool { if case .up = state { true } else { false } }

    /// Whether it waits for the broker's first answer.
    var isWaiting: Bool { if case .waiting = state { true } else { false } }

    /// The connection, unless its owner opens it.
    private var connection: MQTTConnection? {
        switch state {
        case .away, .opening: nil
        case .waiting(let connection, _), .up(let connection): connection
        }
    }

    /// The socket to wait for; negative without a connection.
    var descriptor: Int32 { connection?.descriptor ?? -1 }

    /// Whether to wait for room to write, too. Never while TLS begins: the library then says yes
    /// for no reason.
    var wantsWrite: Bool { if case .up(let it) = state { it.wantsWrite } else { false } }

    /// When to call `work` if nothing is ready before: to carry TLS on, or to test a connection
    /// that is idle.
    func careAt(now: Instant) -> Instant {
        switch state {
        case .away, .opening: .never
        case .waiting(_, let until): min(until, now + MQTTLimits.handshakeStep)
        // The library counts in whole seconds.
        case .up: min(testAt, provedBy)
        }
    }

    /// When the library tests an idle connection.
    private var testAt: Instant { min(heardAt, sentAt) + broker.keepAlive + .seconds(1) }

    /// When the broker has to have acknowledged the oldest message, and to have read something.
    private var provedBy: Instant {
        min(owed.first?.since ?? .never, blockedSince ?? .never) + MQTTLimits.acknowledgement
    }

    /// Why a broker that answers tests is not believed; nil if it is.
    private func disproof(_ now: Instant) -> String? {
        guard isUp, provedBy <= now else { return nil }
        // In a flood an acknowledgement comes behind all the messages that were sent before it.
        if provedBy + MQTTLimits.flood > now, hasMore { return nil }
        let span = DurationText.text(MQTTLimits.acknowledgement)
        return (owed.first?.since ?? .never) + MQTTLimits.acknowledgement <= now
            ? "has acknowledged no message for \(span): the connection begins anew"
            : "has read nothing for \(span): the connection begins anew"
    }

    /// Whether the broker has sent more than was read.
    private var hasMore: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLIN) != 0
    }

    /// Looks at what the broker has acknowledged and read.
    private mutating func noteProofs(isWritable: Bool, now: Instant) {
        guard case .up(let connection) = state else { return }
        let first = owed.firstIndex { connection.owes($0.number) } ?? owed.count
        owed.removeFirst(first)
        if isWritable { blockedSince = nil }
        blockedSince = connection.wantsWrite ? blockedSince ?? now : nil
    }

    // MARK: Beginning and ending

    /// Prepares the next attempt; its owner opens what it returns, and calls `opened`.
    ///
    /// - Parameter will: what the broker publishes when the connection breaks.
    /// - Throws: `MQTTConnection.Problem` if it cannot be tried; a later attempt is due then.
    mutating func begin(
        will: MQTTMessage?, now: Instant
    ) throws(MQTTConnection.Problem) -> MQTTConnection {
        began = now
        do throws(MQTTConnection.Problem) {
            let settings = try MQTTConnection.Settings(
                broker, will: will, isVersion5: isVersion5)
            let made = try MQTTConnection(settings)
            state = .opening(made)
            return made
        } catch {
            lose(now: now)
            throw error
        }
    }

    /// The owner has opened the connection, or could not.
    ///
    /// - Returns: why there is no connection, in words.
    @discardableResult
    mutating func opened(_ problem: MQTTConnection.Problem?, now: Instant) -> String? {
        let cause = problem.map { words(of: $0) }
        guard case .opening(let connection) = state else { return cause }
        if cause != nil {
            lose(now: now)
        } else {
            (heardAt, sentAt) = (now, now)
            state = .waiting(connection, until: now + MQTTLimits.answer)
        }
        return cause
    }

    /// Connects in one step, for an owner that may block during the look-up of the host.
    ///
    /// - Returns: why there is no connection, in words.
    mutating func connect(will: MQTTMessage?, now: Instant) -> String? {
        do throws(MQTTConnection.Problem) {
            try begin(will: will, now: now).open(broker)
            return opened(nil, now: now)
        } catch {
            return opened(error, now: now)
        }
    }

    /// Ends the connection in order, and does not connect again.
    mutating func end() {
        connection?.disconnect()
        try? connection?.work(isReadable: false, isWritable: true)
        state = .away(until: .never)
    }

    private mutating func lose(now: Instant) {
        takenBefore += connection?.takeTaken() ?? []
        owed = []
        blockedSince = nil
        if now - began >= MQTTLimits.trust { pause.reset() }
        state = .away(until: now + pause.advance())
    }

    // MARK: Working

    /// Works on what is ready.
    ///
    /// - Returns: what happened, in its order.
    mutating func work(isReadable: Bool, isWritable: Bool, now: Instant) -> [Happening] {
        guard let connection else { return [] }
        if isReadable { heardAt = now }
        // The library tests an idle connection now.
        if isUp, testAt <= now { (heardAt, sentAt) = (now, now) }
        var problem: MQTTConnection.Problem?
        do throws(MQTTConnection.Problem) {
            if case .waiting(_, let until) = state, until <= now {
                throw .init(text: "does not answer")
            }
            try connection.work(isReadable: isReadable, isWritable: isWritable || isWaiting)
            noteProofs(isWritable: isWritable, now: now)
            if let text = disproof(now) { throw .init(text: text) }
        } catch {
            problem = error
        }
        var happenings: [Happening] = []
        // The broker may have said why it ends the connection.
        for notice in connection.takeNotices() {
            happenings.append(receive(notice, problem, connection))
            if case .over = happenings.last {
                problem = nil
                break
            }
        }
        if let problem { happenings.append(.over(words(of: problem))) }
        if case .over = happenings.last { lose(now: now) }
        return happenings
    }

    private mutating func receive(
        _ notice: MQTTConnection.Notice, _ problem: MQTTConnection.Problem?,
        _ connection: MQTTConnection
    ) -> Happening {
        switch notice {
        case .connected(0):
            state = .up(connection)
            return .up
        case .connected(let code):
            if isVersion5, MQTTConnection.isOtherVersion(code) {
                isVersion5 = false
                return .over(nil)
            }
            return .over(
                "refuses the connection: "
                    + MQTTConnection.reason(code, isVersion5: isVersion5))
        case .disconnected(let code): return .over(words(end: code, problem))
        case .message(let topic, let bytes, let isRetained):
            return .message(topic: topic, bytes: bytes, isRetained: isRetained)
        case .refused(let filter): return .refused(filter: filter)
        }
    }

    /// What a problem says. A broker may end TLS before its own answer was read, at the first step
    /// or at a later one.
    private func words(of problem: MQTTConnection.Problem) -> String {
        let isCut = !isUp && problem.text == String(cString: strerror(EPROTO))
        return isCut ? words(end: 0, nil) : problem.text
    }

    /// Why the connection is over.
    private func words(end code: Int32, _ problem: MQTTConnection.Problem?) -> String {
        if code == 142 {
            return "ended the connection: another one is named `\(broker.clientName)`; give one "
                + "of them a `client-id` of its own"
        }
        if code >= 128 {
            return "ended the connection: "
                + MQTTConnection.reason(code, isVersion5: isVersion5)
        }
        // Smaller codes are not from the broker. What TLS says of it is more.
        if let problem, problem.isOfTLS { return problem.text }
        // A broker does not say what it dislikes about a certificate.
        if !isUp, broker.isSecure {
            return "ended the connection before it answered: it may not speak TLS at this port, "
                + "want a certificate, or not trust that of `cert`"
        }
        // Mosquitto 2.0 also goes away without a word when the name is taken over.
        return "ended the connection; if this repeats, another one may be named "
            + "`\(broker.clientName)`: give one of them a `client-id` of its own"
    }

    /// Messages that the broker has not acknowledged.
    var unacknowledged: Int { connection?.unacknowledged ?? 0 }

    /// Takes the messages that the broker has taken or refused, by the numbers of `publish`.
    mutating func takeTaken() -> [(number: Int32, code: Int32)] {
        defer { takenBefore = [] }
        return takenBefore + (connection?.takeTaken() ?? [])
    }

    /// Sends bytes, at once if the socket has room.
    ///
    /// - Returns: the number by which `takeTaken` names the message; nil if it cannot be sent.
    @discardableResult
    mutating func publish(
        _ topic: String, _ bytes: [UInt8], isRetained: Bool, isFleeting: Bool, expiry: UInt32 = 0,
        now: Instant
    ) -> Int32? {
        guard case .up(let connection) = state else { return nil }
        sentAt = now
        let number = connection.publish(
            topic, bytes, isRetained: isRetained, isFleeting: isFleeting, expiry: expiry)
        if let number, !isFleeting { owed.append((number, now)) }
        if connection.wantsWrite, blockedSince == nil { blockedSince = now }
        return number
    }

    /// Why the last message was not sent; nil if it was.
    var refusal: MQTTConnection.Refusal? {
        if case .up(let connection) = state { connection.refusal } else { .lost }
    }

    /// Sends a message. One that the library refuses is lost.
    ///
    /// - Returns: as that of bytes.
    @discardableResult
    mutating func publish(_ message: MQTTMessage, now: Instant) -> Int32? {
        publish(
            message.topic, Array(message.text.utf8), isRetained: message.isRetained,
            isFleeting: message.isFleeting, now: now)
    }

    /// Subscribes to what a panel wants to hear.
    mutating func subscribe(_ subscription: MQTTSubscription) {
        subscribe(
            subscription.filter, wantsRetained: subscription.wantsRetained,
            hearsOwn: subscription.hearsOwn)
    }

    /// Subscribes to a filter, as `MQTTConnection.subscribe` does.
    mutating func subscribe(
        _ filter: String, wantsRetained: Bool, hearsOwn: Bool = true, isFleeting: Bool = false
    ) {
        let number = connection?.subscribe(
            filter, wantsRetained: wantsRetained, hearsOwn: hearsOwn, isFleeting: isFleeting)
        // Something was heard or sent just before.
        if let number { owed.append((number, max(heardAt, sentAt))) }
    }
}
