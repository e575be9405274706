import Synchronization

/// Carries orders of the panel to the thread of a `BrokerClient`, and its words to the panel.
final class BrokerMail: Sendable {
    private let orders = Mutex<[BrokerOrder]>([])
    private let send: @Sendable ([UInt8]) -> Void

    /// - Parameter send: sends a message to the panel; may wait for room.
    init(send: @escaping @Sendable ([UInt8]) -> Void) {
        self.send = send
    }

    /// Takes a message of the panel, which is trusted; wake the channel of updates afterwards.
    func deliver(_ message: [UInt8]) {
        guard let order = BrokerOrder(message) else { return }
        let isTaken = orders.withLock { orders in
            guard orders.count < MQTTLimits.orders else { return false }
            orders.append(order)
            return true
        }
        if !isTaken, case .publish(let message) = order { tell(.ended(message.number, .away)) }
    }

    /// Takes the orders that wait.
    func take() -> [BrokerOrder] {
        orders.withLock { orders in
            defer { orders = [] }
            return orders
        }
    }

    /// Tells the panel something.
    func tell(_ word: BrokerWord) { send(word.bytes) }
}
