import DetentPanel
import DetentTypes

/// Announces a panel to Home Assistant, and takes back what it announced before.
///
/// The broker itself remembers what was announced, in a stored message: so the memory is where the
/// announcement is, and a panel that moved to another machine finds it too. At each connection the
/// panel asks for that message, followed by a question that comes back to it: when the question is
/// there, the stored message was before it, or there is none.
///
/// Others can write that message. So a topic that it names is emptied only if what is stored there
/// shows that it is this panel's announcement; this is asked in the same way.
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

        /// Reads a record; nil if it is something else. Only topics of discovery are read, as they
        /// may be emptied later.
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
    private var queue: [MQTTMessage] = []
    private var stage = Stage.idle
    /// What to subscribe to before the queue goes on.
    private var subscription: MQTTSubscription?

    private enum Stage {
        case idle
        /// The question for the record was sent. The record, once it has come.
        case asking(Record?)
        /// The question for what is stored at the topic of this record was sent, and whether it is
        /// this panel's.
        case checking(Record, isOwn: Bool)
    }

    init(_ device: HomeAssistantDevice) {
        self.device = device
    }

    /// A connection begins.
    mutating func begin() {
        queue = []
        subscription = nil
        stage = .asking(nil)
        announce()
        ask()
    }

    private mutating func ask() {
        queue.append(
            MQTTMessage(topic: device.topics.record, text: Self.question, isFleeting: false))
    }

    /// Announces the panel, if that is wanted.
    mutating func announce() {
        guard let topic = device.topic else { return }
        queue.append(MQTTMessage(topic: topic, text: device.text(), isRetained: true))
    }

    /// Whether a message on a topic is for it.
    func wants(_ topic: String) -> Bool {
        if topic == device.topics.record { return true }
        if case .checking(let record, _) = stage { return topic == record.topic }
        return false
    }

    /// A message on one of these topics.
    mutating func receive(_ topic: String, _ bytes: [UInt8], isRetained: Bool) {
        let isQuestion =
            !isRetained && topic == device.topics.record && bytes == Array(Self.question.utf8)
        switch stage {
        case .idle: break
        case .asking(let stored):
            if isQuestion {
                stage = .idle
                takeBack(stored)
            } else if isRetained {
                stage = .asking(Record(bytes))
            }
        case .checking(let record, let isOwn):
            if isQuestion {
                stage = .idle
                if isOwn {
                    queue.append(MQTTMessage(topic: record.topic, text: "", isRetained: true))
                }
                store()
            } else if isRetained, topic == record.topic {
                stage = .checking(record, isOwn: device.hasWritten(bytes))
            }
        }
    }

    /// What to subscribe to before the next message is sent; nil if there is nothing.
    mutating func takeSubscription() -> MQTTSubscription? {
        defer { subscription = nil }
        return subscription
    }

    /// The next message to send.
    mutating func next() -> MQTTMessage? { queue.isEmpty ? nil : queue.removeFirst() }

    /// What is announced now; nil if nothing is.
    private var present: Record? {
        device.topic.map { topic in
            Record(
                topic: topic,
                entities: device.entities.map { ($0.key, $0.members[0].1.text ?? "") })
        }
    }

    private mutating func takeBack(_ stored: Record?) {
        let present = present
        guard present != stored else { return }
        guard let stored else { return store() }
        guard let present, stored.topic == present.topic else {
            subscription = MQTTSubscription(filter: stored.topic, wantsRetained: true)
            stage = .checking(stored, isOwn: false)
            return ask()
        }
        // A key with another component is another entity: the former one would stay.
        let removed = stored.entities.filter { former in
            !present.entities.contains { $0 == former }
        }
        if !removed.isEmpty {
            queue.append(
                MQTTMessage(
                    topic: present.topic, text: device.text(removing: removed), isRetained: true))
            announce()
        }
        store()
    }

    /// Has the broker remember what is announced now.
    private mutating func store() {
        queue.append(
            MQTTMessage(
                topic: device.topics.record, text: present?.text ?? "", isRetained: true))
    }
}
