import DetentPanel

/// Announces a panel to Home Assistant, and takes back what it announced before.
///
/// The broker itself remembers what was announced, in a stored message: so the memory is where the
/// announcement is, and a panel that moved to another machine finds it too. At each connection the
/// panel asks for that message, followed by a question that comes back to it: when the question is
/// there, the stored message was before it, or there is none.
struct Announcement {
    /// What was announced.
    private struct Record: Equatable {
        /// The topic of the device.
        var topic: String
        /// Keys of entities with their components.
        var entities: [(key: String, component: String)]

        static func == (one: Record, other: Record) -> Bool { one.text == other.text }

        var text: String {
            let members = entities.map { ($0.key, JSONValue.string($0.component)) }
            return JSONValue.object([
                ("topic", .string(topic)), ("components", .object(members)),
            ]).line
        }

        init(topic: String, entities: [(key: String, component: String)]) {
            self.topic = topic
            self.entities = entities
        }

        /// Reads a record; nil if it is something else. Only topics of discovery are believed, as
        /// they are emptied later.
        init?(_ bytes: [UInt8]) {
            guard bytes.count <= MQTTLimits.recordBytes,
                let json = try? JSONReader.read(bytes), let topic = json["topic"]?.text,
                topic.hasSuffix("/config"), topic.contains("/device/"),
                !topic.contains(where: { "#+".contains($0) }),
                case .object(let members)? = json["components"]
            else { return nil }
            self.topic = topic
            entities = members.compactMap { key, value in value.text.map { (key, $0) } }
        }
    }

    private static let question = "?"

    private let device: HomeAssistantDevice
    private var queue: [BrokerMessage] = []
    private var stored: Record?
    private var isAsking = false

    init(_ device: HomeAssistantDevice) {
        self.device = device
    }

    /// A connection begins.
    mutating func begin() {
        queue = []
        stored = nil
        isAsking = true
        announce()
        queue.append(
            BrokerMessage(topic: device.topics.record, text: Self.question, isFleeting: false))
    }

    /// Announces the panel, if that is wanted.
    mutating func announce() {
        guard let topic = device.topic else { return }
        queue.append(BrokerMessage(topic: topic, text: device.text(), isRetained: true))
    }

    /// A message on the topic of the record.
    mutating func receive(_ bytes: [UInt8], isRetained: Bool) {
        guard isAsking else { return }
        if isRetained {
            stored = Record(bytes)
        } else if bytes == Array(Self.question.utf8) {
            isAsking = false
            takeBack()
        }
    }

    /// The next message to send.
    mutating func next() -> BrokerMessage? { queue.isEmpty ? nil : queue.removeFirst() }

    private mutating func takeBack() {
        let present = device.topic.map { topic in
            Record(
                topic: topic,
                entities: device.entities.map { ($0.key, $0.members[0].1.text ?? "") })
        }
        guard present != stored else { return }
        if let stored, let present, stored.topic == present.topic {
            // A key with another component is another entity: the former one would stay.
            let removed = stored.entities.filter { former in
                !present.entities.contains { $0 == former }
            }
            if !removed.isEmpty {
                queue.append(
                    BrokerMessage(
                        topic: present.topic, text: device.text(removing: removed),
                        isRetained: true))
                announce()
            }
        } else if let stored {
            queue.append(BrokerMessage(topic: stored.topic, text: "", isRetained: true))
        }
        queue.append(
            BrokerMessage(
                topic: device.topics.record, text: present?.text ?? "", isRetained: true))
    }
}
