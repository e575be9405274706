import DetentTypes
import DetentWall

/// Messages of actions on their way to the broker: pure, without a connection.
///
/// None is kept for later: what finds no connection has failed.
struct MQTTPublisher {
    /// The code of MQTT 5 for a message that is larger than allowed.
    static let tooLarge: UInt8 = 149

    private var isUp = false
    private var waiting: [MQTTPublication] = []
    /// The numbers of the attempts whose messages were sent, by the number of the message.
    private var sent: [Int32: UInt32] = [:]
    /// What the panel is to be told.
    private(set) var words: [MQTTNote] = []

    /// Takes an order of the panel.
    mutating func add(_ order: MQTTRequest) {
        switch order {
        case .publish(let message):
            guard isUp, waiting.count + sent.count < MQTTLimits.publications else {
                words.append(.ended(message.number, .away))
                return
            }
            waiting.append(message)
        case .cancel(let number):
            waiting.removeAll { $0.number == number }
            // What was sent is not taken back; nobody waits for its end.
            sent = sent.filter { $0.value != number }
        }
    }

    /// The next message to send.
    mutating func next() -> MQTTPublication? {
        isUp && !waiting.isEmpty ? waiting.removeFirst() : nil
    }

    /// A message was sent.
    ///
    /// - Parameters:
    ///   - number: by which the broker takes it; nil if it cannot be sent.
    ///   - isTooLarge: whether that is because it is larger than the broker allows.
    mutating func sent(
        _ message: MQTTPublication, as number: Int32?, isTooLarge: Bool = false
    ) {
        guard let number else {
            words.append(.ended(message.number, isTooLarge ? .refused(Self.tooLarge) : .away))
            return
        }
        sent[number] = message.number
    }

    /// The broker has taken a message, or refused it with a code of 128 or more. Messages of others
    /// are ignored.
    mutating func taken(_ number: Int32, code: Int32) {
        guard let attempt = sent.removeValue(forKey: number) else { return }
        words.append(
            .ended(attempt, code < 128 ? .taken : .refused(UInt8(truncatingIfNeeded: code))))
    }

    /// The broker has accepted the connection.
    mutating func connected() {
        isUp = true
        words.append(.up)
    }

    /// There is no connection.
    mutating func disconnected() {
        isUp = false
        words += sent.values.sorted().map { .ended($0, .broken) }
        words += waiting.map { .ended($0.number, .away) }
        sent = [:]
        waiting = []
        words.append(.down)
    }

    /// Takes what the panel is to be told.
    mutating func takeWords() -> [MQTTNote] {
        defer { words = [] }
        return words
    }
}
