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
    package var isOpen: Bool { socket != nil }

    private let broker: BrokerPlan
    private let filters: [String]
    private var socket: BrokerConnection?
    private var isVersion5 = true

    /// Makes a client that is not connected.
    ///
    /// - Parameters:
    ///   - broker: its topic is the name of the connection.
    ///   - filters: what it hears; messages that the broker has stored are left out.
    package init(_ broker: BrokerPlan, filters: [String]) {
        self.broker = broker
        self.filters = filters
    }

    /// The socket to wait for; negative without a connection.
    package var descriptor: Int32 { socket?.descriptor ?? -1 }
    /// Whether it also waits for room to write.
    package var wantsWrite: Bool { isUp && socket?.wantsWrite == true }
    private var isUp = false
    private var ownTopic: String { broker.topic + "/listening" }

    /// Begins a connection; blocks during the look-up of the host.
    ///
    /// - Returns: why there is none, in words.
    package func connect() -> String? {
        do throws(BrokerConnection.Problem) {
            let settings = try BrokerConnection.Settings(
                broker, will: nil, isVersion5: isVersion5)
            let made = try BrokerConnection(settings)
            try made.connect(to: broker.host, port: broker.port, keepAlive: broker.keepAlive)
            socket = made
            return nil
        } catch {
            return error.text
        }
    }

    /// Works on the socket.
    ///
    /// - Returns: what was heard, and why the connection is over, in words.
    package func work(
        isReadable: Bool, isWritable: Bool, hear: (Heard) -> Void
    ) -> String? {
        guard let socket else { return nil }
        var problem: String?
        do throws(BrokerConnection.Problem) {
            try socket.work(isReadable: isReadable, isWritable: isWritable || !isUp)
        } catch {
            problem = error.text
        }
        _ = socket.takeTaken()
        for notice in socket.takeNotices() {
            if let end = notice.end(after: problem, isVersion5: isVersion5) {
                problem = end
                if notice.isOtherVersion { isVersion5 = false }
            }
            switch notice {
            case .connected(0):
                isUp = true
                for filter in filters + [ownTopic] {
                    socket.subscribe(filter, wantsRetained: false, isFleeting: true)
                }
                // It comes back when the subscriptions hold.
                socket.publish(BrokerMessage(topic: ownTopic, text: "?"))
            case .connected, .disconnected: break
            case .message(let topic, let bytes, let isRetained):
                if topic == ownTopic {
                    isListening = true
                } else if !isRetained {
                    hear(Heard(topic: topic, bytes: bytes))
                }
            case .refused(let filter):
                problem = "does not let the listener hear \(filter)"
            }
        }
        if problem != nil { lose() }
        return problem
    }

    private func lose() {
        socket = nil
        isUp = false
        isListening = false
    }

    /// Ends the connection.
    package func end() {
        socket?.disconnect()
        lose()
    }
}
