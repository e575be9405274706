import DetentPanel
import DetentTypes

/// Another client of the broker, which hears what panels tell.
///
/// Its owner waits for the socket. Synchronization: none; one thread.
package final class FleetSubscriber {
    /// A message of a topic.
    package struct Heard: Equatable, Sendable {
        /// The topic.
        package var topic: String
        /// Its content.
        package var bytes: [UInt8]
    }

    /// Whether the broker has the subscriptions.
    package private(set) var isListening = false
    /// Whether there is a connection, or one begins.
    package var isOpen: Bool { !life.isAway }

    private let filters: [String]
    private var life: MQTTConnectionLife

    /// Makes a client that is not connected.
    ///
    /// - Parameters:
    ///   - broker: its topic is the name of the connection.
    ///   - filters: what it hears; messages that the broker has stored are left out.
    package init(_ broker: BrokerPlan, filters: [String]) {
        self.filters = filters
        // Its owner decides when it tries again.
        life = MQTTConnectionLife(broker, seed: 0)
    }

    /// The socket to wait for; negative without a connection.
    package var descriptor: Int32 { life.descriptor }
    /// Whether it also waits for room to write.
    package var wantsWrite: Bool { life.wantsWrite }
    private var ownTopic: String { life.broker.topic + "/listening" }

    /// Begins a connection; blocks during the look-up of the host.
    ///
    /// - Returns: why there is none, in words.
    package func connect(now: Instant) -> String? { life.connect(will: nil, now: now) }

    /// Works on the socket.
    ///
    /// - Returns: what was heard, and why the connection is over, in words.
    package func work(
        isReadable: Bool, isWritable: Bool, now: Instant, hear: (Heard) -> Void
    ) -> String? {
        let happenings = life.work(isReadable: isReadable, isWritable: isWritable, now: now)
        _ = life.takeTaken()
        for happening in happenings {
            switch happening {
            case .up:
                for filter in filters + [ownTopic] {
                    life.subscribe(filter, wantsRetained: false, isFleeting: true)
                }
                // It comes back when the subscriptions hold.
                life.publish(MQTTMessage(topic: ownTopic, text: "?"), now: now)
            case .message(let topic, let bytes, let isRetained):
                if topic == ownTopic {
                    isListening = true
                } else if !isRetained {
                    hear(Heard(topic: topic, bytes: bytes))
                }
            case .refused(let filter):
                end()
                return "does not let the listener hear \(filter)"
            case .over(let problem):
                isListening = false
                return problem ?? "speaks another version"
            }
        }
        return nil
    }

    /// Ends the connection.
    package func end() {
        life.end()
        isListening = false
    }
}
