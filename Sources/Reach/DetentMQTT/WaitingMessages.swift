/// Messages that wait for the broker, the oldest first, bounded in number and in bytes.
struct WaitingMessages {
    private var messages: [MQTTMessage] = []
    private(set) var byteCount = 0
    private let limit: (count: Int, bytes: Int)

    /// - Parameters:
    ///   - count: the most messages that wait.
    ///   - bytes: the most bytes of their topics and texts.
    init(count: Int, bytes: Int) {
        limit = (count, bytes)
    }

    var count: Int { messages.count }

    /// Adds a message; false if there is no room for it.
    mutating func append(_ message: MQTTMessage) -> Bool {
        guard count < limit.count, byteCount + message.byteCount <= limit.bytes else {
            return false
        }
        messages.append(message)
        byteCount += message.byteCount
        return true
    }

    /// Adds a message, and drops the oldest ones for it; returns how many were dropped, with the
    /// message itself if it is larger than all room.
    mutating func appendAtAnyCost(_ message: MQTTMessage) -> Int {
        var dropped = 0
        while !append(message) {
            dropped += 1
            if removeFirst() == nil { break }
        }
        return dropped
    }

    /// Takes the oldest message; nil if none waits.
    mutating func removeFirst() -> MQTTMessage? {
        guard !messages.isEmpty else { return nil }
        let first = messages.removeFirst()
        byteCount -= first.byteCount
        return first
    }

    mutating func removeAll() {
        messages = []
        byteCount = 0
    }
}

extension MQTTMessage {
    fileprivate var byteCount: Int { topic.utf8.count + text.utf8.count }
}
