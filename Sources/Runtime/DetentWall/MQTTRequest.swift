/// What a panel asks its connection to a broker for.
package enum MQTTRequest: Equatable, Sendable {
    case publish(MQTTPublication)
    /// The attempt with this number is over: what was not sent yet is dropped.
    case cancel(UInt32)

    /// The message.
    package var bytes: [UInt8] {
        switch self {
        case .publish(let message):
            row.bytes + message.topic.utf8.prefix(Int(UInt16.max)) + message.payload.utf8
        case .cancel: row.bytes
        }
    }

    /// The beginning of the message.
    var row: MessageRow {
        switch self {
        case .publish(let message):
            MessageRow(
                .publish, origin: (message.isRetained ? 1 : 0) | (message.isFleeting ? 2 : 0),
                control: UInt16(clamping: message.topic.utf8.count),
                value: Int32(bitPattern: message.expiry), request: message.number)
        case .cancel(let number): MessageRow(.cancel, request: number)
        }
    }
}

/// A message that an action sends through the broker, with all placeholders and secrets replaced.
package struct MQTTPublication: Equatable, Sendable {
    /// The attempt, which its answer names.
    package var number: UInt32
    package var topic: String
    package var payload: String
    /// The broker keeps it and sends it to those that subscribe later.
    package var isRetained: Bool
    /// It may be lost.
    package var isFleeting: Bool
    /// Seconds until a broker of MQTT 5 drops it if it cannot deliver it; 0 for never.
    package var expiry: UInt32

    /// Makes a message.
    package init(
        number: UInt32, topic: String, payload: String, isRetained: Bool = false,
        isFleeting: Bool = false, expiry: UInt32 = 0
    ) {
        self.number = number
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.isFleeting = isFleeting
        self.expiry = expiry
    }

    /// Reads a message; nil if it is wrong.
    init?(_ row: MessageRow, _ body: ArraySlice<UInt8>) {
        var rest = MessageBytes(body)
        guard row.origin < 4, let topic = rest.bytes(Int(row.control)) else { return nil }
        self.init(
            number: row.request, topic: String(decoding: topic, as: UTF8.self),
            payload: String(decoding: rest.rest, as: UTF8.self),
            isRetained: row.origin & 1 != 0, isFleeting: row.origin & 2 != 0,
            expiry: UInt32(bitPattern: row.value))
    }
}
