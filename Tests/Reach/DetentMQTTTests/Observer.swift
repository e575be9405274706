import DetentPanel
import DetentPlatform
import DetentTypes
import Testing

@testable import DetentMQTT

/// Another client of the broker, which sees all topics.
///
/// Synchronization: none; one thread.
final class Observer {
    struct Seen: Equatable {
        var topic: String
        var text: String
        var isRetained = false
    }

    private let connection: MQTTConnection
    private(set) var seen: [Seen] = []
    private(set) var isConnected = false
    private(set) var isEnded = false

    /// Connects, and waits until the broker has accepted it.
    init(_ port: UInt16, named name: String = "observer", filter: String? = "#") throws {
        var settings = MQTTConnection.Settings()
        settings.client = name
        connection = try MQTTConnection(settings)
        let broker = BrokerPlan(url: "mqtt://127.0.0.1:\(port)", topic: "test")
        try connection.open(#require(broker))
        try wait { $0.isConnected }
        if let filter {
            connection.subscribe(filter, wantsRetained: true)
            if filter != "#" { connection.subscribe("test/+", wantsRetained: true) }
            // Its own message comes back when the subscription holds.
            publish("test/\(name)", "subscribed")
            try wait { $0.last("test/\(name)") == "subscribed" }
        }
    }

    /// Waits until a condition holds, 30 s at most.
    @discardableResult
    func wait(until holds: (Observer) -> Bool) throws -> Bool {
        let deadline = MonotonicClock.now + .seconds(30)
        while !holds(self) {
            guard MonotonicClock.now < deadline else { return false }
            try turn()
            for notice in connection.takeNotices() {
                switch notice {
                case .connected(let code): isConnected = code == 0
                case .disconnected: isEnded = true
                case .refused: break
                case .message(let topic, let bytes, let isRetained):
                    seen.append(
                        Seen(
                            topic: topic, text: String(decoding: bytes, as: UTF8.self),
                            isRetained: isRetained))
                }
            }
            if isEnded { return holds(self) }
        }
        return true
    }

    /// Waits for the broker, 100 ms at most, and works on what there is.
    private func turn() throws {
        var ready = PollSet(capacity: 2)
        _ = ready.add(connection.descriptor)
        if connection.wantsWrite { _ = ready.add(connection.descriptor, for: .writing) }
        let now = MonotonicClock.now
        _ = ready.wait(now: now, until: now + .milliseconds(100))
        try connection.work(isReadable: ready.isReady(0), isWritable: ready.isReady(1))
        _ = connection.takeTaken()
    }

    func publish(_ topic: String, _ text: String, isRetained: Bool = false) {
        connection.publish(MQTTMessage(topic: topic, text: text, isRetained: isRetained))
    }

    func publish(
        _ topic: String, bytes: [UInt8], isRetained: Bool = false, isFleeting: Bool = false
    ) {
        connection.publish(topic, bytes, isRetained: isRetained, isFleeting: isFleeting)
    }

    /// Whether the broker has taken all that has to be acknowledged.
    var isFlushed: Bool { connection.unacknowledged == 0 }

    /// The last text of a topic.
    func last(_ topic: String) -> String? { seen.last { $0.topic == topic }?.text }

    func all(_ topic: String) -> [String] { seen.filter { $0.topic == topic }.map(\.text) }

    func forget() { seen = [] }
}
