import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes

/// The connection of one panel among many that one thread holds.
///
/// It has the topics, the order and the bounds of `BrokerClient`. Its owner waits for the socket,
/// and passes time in. Synchronization: none; one thread.
package final class BrokerMember {
    /// What a message that was handed over tells.
    package enum Told: Equatable, Sendable {
        case state(ControlID, text: String)
        case event(ControlID)
        case other
    }

    /// What came of work on the socket.
    package struct Work {
        /// What the panel is asked for.
        package var events: [Event] = []
        /// Why the connection is over, in words.
        package var problem: String?
    }

    /// When to connect again; `never` while there is a connection.
    package private(set) var nextAttempt = Instant.zero
    /// Whether the broker has accepted the connection.
    package private(set) var isUp = false
    /// Connections that the broker has accepted.
    package private(set) var connects = 0

    private let broker: BrokerPlan
    private var session: BrokerSession
    private var socket: BrokerConnection?
    private var pause: ReconnectPause
    private var isVersion5 = true
    private var began = Instant.zero

    /// Makes a panel that is not connected.
    ///
    /// - Parameter seed: decides the pauses between attempts.
    package init(_ plan: PanelPlan, _ broker: BrokerPlan, version: String, seed: UInt64) {
        self.broker = broker
        session = BrokerSession(
            plan, broker, version: version, tokens: ConfirmTokens(), seed: seed)
        pause = ReconnectPause(seed: seed)
    }

    /// The socket to wait for; negative without a connection.
    package var descriptor: Int32 { socket?.descriptor ?? -1 }

    /// Whether it also waits for room to write. Never while TLS begins: the library then says yes
    /// for no reason.
    package var wantsWrite: Bool { isUp && socket?.wantsWrite == true }

    /// Whether it waits for the broker's first answer.
    package var isWaiting: Bool { socket != nil && !isUp }

    /// Whether the broker has acknowledged everything.
    package var isSettled: Bool { socket?.unacknowledged ?? 0 == 0 }

    /// Begins a connection; blocks during the look-up of the host.
    ///
    /// - Returns: why there is none, in words.
    package func connect(now: Instant) -> String? {
        began = now
        nextAttempt = .never
        do throws(BrokerConnection.Problem) {
            let settings = try BrokerConnection.Settings(
                broker, will: session.farewell, isVersion5: isVersion5)
            let made = try BrokerConnection(settings)
            try made.connect(to: broker.host, port: broker.port, keepAlive: broker.keepAlive)
            socket = made
            return nil
        } catch {
            lose(now: now)
            return error.text
        }
    }

    /// Works on the socket.
    package func work(isReadable: Bool, isWritable: Bool, now: Instant) -> Work {
        var done = Work()
        guard let socket else { return done }
        do throws(BrokerConnection.Problem) {
            if isWaiting, now - began >= MQTTLimits.answer { throw .init(text: "does not answer") }
            try socket.work(isReadable: isReadable, isWritable: isWritable || isWaiting)
        } catch {
            done.problem = error.text
        }
        _ = socket.takeTaken()
        for notice in socket.takeNotices() {
            if let end = notice.end(after: done.problem, isVersion5: isVersion5) {
                done.problem = end
                // The next attempt is in version 3.1.1.
                if notice.isOtherVersion { isVersion5 = false }
            } else if done.problem == nil {
                take(notice, now: now, into: &done)
            }
        }
        if done.problem != nil { lose(now: now) }
        return done
    }

    private func take(
        _ notice: BrokerConnection.Notice, now: Instant, into done: inout Work
    ) {
        switch notice {
        case .connected:
            isUp = true
            connects += 1
            for (filter, wantsRetained) in session.subscriptions {
                socket?.subscribe(filter, wantsRetained: wantsRetained)
            }
            session.connected()
        case .message(let topic, let bytes, let isRetained):
            let event = session.receive(topic, bytes, isRetained: isRetained, now: now)
            if let event { done.events.append(event) }
        // A panel tells its states also where nobody may operate it.
        case .disconnected, .refused: break
        }
    }

    private func lose(now: Instant) {
        socket = nil
        isUp = false
        session.disconnected()
        if now - began >= MQTTLimits.trust { pause.reset() }
        nextAttempt = now + pause.take()
    }

    /// Takes an update of the panel.
    package func take(_ update: TimedUpdate) { session.take(update) }

    /// Hands over what waits, up to `MQTTLimits.unacknowledged` messages.
    ///
    /// - Returns: whether nothing waits any more.
    package func send(_ told: (Told) -> Void) -> Bool {
        guard isUp, let socket else { return false }
        while socket.unacknowledged < MQTTLimits.unacknowledged {
            guard let message = session.next() else { return true }
            socket.publish(message)
            told(meaning(of: message))
        }
        return false
    }

    private func meaning(of message: BrokerMessage) -> Told {
        guard let (id, use) = session.topics.control(message.topic),
            let control = session.plan.control(named: id)
        else { return .other }
        switch use {
        case .state: return .state(control, text: message.text)
        case .event: return .event(control)
        case .set, .confirm, .answer: return .other
        }
    }

    /// Says good-bye, and removes what the broker has stored of this panel.
    package func sayGoodbye() {
        guard isUp, let socket else { return }
        socket.publish(session.farewell)
        let topics =
            session.plan.controls.map { session.topics.topic($0.id, .state) }
            + [session.topics.availability]
        for topic in topics {
            socket.publish(BrokerMessage(topic: topic, text: "", isRetained: true))
        }
    }

    /// Ends the connection; the broker does not publish the last will.
    package func end() {
        socket?.disconnect()
        socket = nil
        isUp = false
        nextAttempt = .never
    }
}
