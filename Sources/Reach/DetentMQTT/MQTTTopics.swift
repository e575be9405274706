import DetentCore
import DetentPanel

/// The topics of a panel.
struct MQTTTopics: Equatable {
    /// What a topic of a control is for.
    enum Use: String, CaseIterable {
        case state, event, set, confirm, answer
    }

    let broker: BrokerPlan

    /// Whether the panel is connected: `online` or `offline`.
    var availability: String { broker.topic + "/availability" }

    /// What was announced to Home Assistant.
    var record: String { broker.topic + "/announced" }

    /// Where Home Assistant says that it has started.
    var birth: String? { broker.discovery.map { $0 + "/status" } }

    /// The topic of a control.
    func topic(_ id: String, _ use: Use) -> String { "\(broker.topic)/\(id)/\(use.rawValue)" }

    /// The filter for one use of all controls.
    func all(_ use: Use) -> String { topic("+", use) }

    /// The id and the use of a topic of a control; nil for other topics.
    func control(_ topic: String) -> (id: String, use: Use)? {
        // Bytes, because every message comes here, and letters take long.
        let slash = UInt8(ascii: "/")
        guard topic.utf8.starts(with: broker.topic.utf8) else { return nil }
        let rest = topic.utf8.dropFirst(broker.topic.utf8.count)
        guard rest.first == slash, let end = rest.dropFirst().firstIndex(of: slash),
            let use = Use(rawValue: String(Substring(rest[end...].dropFirst())))
        else { return nil }
        return (String(Substring(rest[..<end].dropFirst())), use)
    }

    /// The name of the panel at Home Assistant: letters, digits, '_' and '-'.
    var object: String { broker.name(slash: "_") }
}
