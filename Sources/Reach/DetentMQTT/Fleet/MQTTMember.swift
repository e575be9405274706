import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes

/// The connection of one panel among many that one thread holds.
///
/// It has the topics, the order, the bounds and the life of the connection of a real panel. Its
/// owner waits for the socket, and passes time in. Synchronization: none; one thread.
package final class MQTTMember {
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

    /// Connections that the broker has accepted.
    package private(set) var connects = 0

    // A fleet passes here for each panel and message; exclusive access is not checked.
    @exclusivity(unchecked) private var life: MQTTConnectionLife
    @exclusivity(unchecked) private var session: MQTTPanelSession

    /// Makes a panel that is not connected.
    ///
    /// - Parameter seed: decides the pauses between attempts.
    package init(_ plan: PanelPlan, _ broker: BrokerPlan, version: String, seed: UInt64) {
        session = MQTTPanelSession(
            plan, broker, facts: MQTTFacts(version: version), seed: seed)
        life = MQTTConnectionLife(broker, seed: seed)
    }

    /// When to connect again; `never` while there is a connection.
    package var nextAttempt: Instant { life.nextAttempt }

    /// Whether the broker has accepted the connection.
    package var isUp: Bool { life.isUp }

    /// The socket to wait for; negative without a connection.
    package var descriptor: Int32 { life.descriptor }

    /// Whether it also waits for room to write.
    package var wantsWrite: Bool { life.wantsWrite }

    /// Whether it waits for the broker's first answer.
    package var isWaiting: Bool { life.isWaiting }

    /// Whether the broker has acknowledged everything.
    package var isSettled: Bool { life.unacknowledged == 0 }

    /// Begins a connection; blocks during the look-up of the host.
    ///
    /// - Returns: why there is none, in words.
    package func connect(now: Instant) -> String? {
        life.connect(will: session.farewell, now: now)
    }

    /// Works on the socket.
    package func work(isReadable: Bool, isWritable: Bool, now: Instant) -> Work {
        var done = Work()
        let happenings = life.work(isReadable: isReadable, isWritable: isWritable, now: now)
        _ = life.takeTaken()
        for happening in happenings {
            switch happening {
            case .up:
                connects += 1
                for subscription in session.subscriptions { life.subscribe(subscription) }
                session.connected()
            case .message(let topic, let bytes, let isRetained):
                let asking = session.receive(topic, bytes, isRetained: isRetained, now: now)
                while let subscription = session.takeSubscription() { life.subscribe(subscription) }
                if let asking { done.events.append(asking.event) }
            // A panel tells its states also where nobody may operate it.
            case .refused: break
            case .over(let problem):
                done.problem = problem ?? "speaks another version"
                session.disconnected()
            }
        }
        return done
    }

    /// Takes an update of the panel.
    package func receive(_ update: TimedUpdate) { session.receive(update) }

    /// Hands over what waits, up to `MQTTLimits.unacknowledged` messages.
    ///
    /// - Returns: whether nothing waits any more.
    package func send(now: Instant, _ told: (Told) -> Void) -> Bool {
        guard isUp else { return false }
        while life.unacknowledged < MQTTLimits.unacknowledged {
            guard let message = session.next() else { return true }
            life.publish(message, now: now)
            told(meaning(of: message))
        }
        return false
    }

    private func meaning(of message: MQTTMessage) -> Told {
        guard let (id, use) = session.topics.control(message.topic),
            let control = session.plan.control(named: id)
        else { return .other }
        switch use {
        case .state: return .state(control, text: message.text)
        case .event: return .event(control)
        case .set, .confirm, .answer: return .other
        }
    }

    /// Disconnects, and removes what the broker has stored of this panel.
    package func sayGoodbye(now: Instant) {
        guard isUp else { return }
        life.publish(session.farewell, now: now)
        let topics =
            session.plan.controls.map { session.topics.topic($0.id, .state) }
            + [session.topics.availability]
        for topic in topics {
            life.publish(MQTTMessage(topic: topic, text: "", isRetained: true), now: now)
        }
    }

    /// Ends the connection; the broker does not publish the last will.
    package func end() { life.end() }
}
