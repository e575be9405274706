/// Messages of a panel that its broker did not take: larger than it allows, or refused.
///
/// Each topic is said once. Messages of actions are not among them: their actions fail.
struct MQTTLosses {
    /// How many there were.
    private(set) var count: UInt64 = 0
    /// The topics of messages that the broker has not acknowledged, by number: at most
    /// `MQTTLimits.unacknowledged`.
    private var topics: [Int32: String] = [:]
    /// Topics of which it was said; a panel has few.
    private var said: Set<String> = []

    /// A message was sent.
    mutating func sent(_ message: MQTTMessage, as number: Int32) {
        if !message.isFleeting { topics[number] = message.topic }
    }

    /// A message was not sent.
    ///
    /// - Returns: what to say of it; nil if it was said.
    mutating func unsent(
        _ message: MQTTMessage, because refusal: MQTTConnection.Refusal?
    ) -> String? {
        count += 1
        switch refusal {
        case .tooLarge:
            return say(
                message.topic,
                "does not take messages of \(message.text.utf8.count) bytes, and "
                    + "`\(message.topic)` has one: raise its limit (`max_packet_size`)")
        case .other(let text):
            return say(message.topic, "gets no messages on `\(message.topic)`: \(text)")
        // The end of the connection is said, and the next one tells all states.
        case .lost, nil: return nil
        }
    }

    /// The broker has acknowledged a message, or refused it with a code of 128 or more.
    ///
    /// - Returns: what to say of it; nil if it was taken, or it was said.
    mutating func taken(_ number: Int32, code: Int32) -> String? {
        guard let topic = topics.removeValue(forKey: number), code >= 128 else { return nil }
        count += 1
        return say(
            topic,
            code == 135
                ? "does not allow the panel to write `\(topic)`: allow it there"
                : "refuses messages on `\(topic)`, with code \(code) of MQTT 5")
    }

    /// The connection is over.
    mutating func disconnected() { topics = [:] }

    private mutating func say(_ topic: String, _ text: String) -> String? {
        said.insert(topic).inserted ? text : nil
    }
}
