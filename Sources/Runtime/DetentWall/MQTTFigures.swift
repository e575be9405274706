/// Figures of the connection between a panel and its broker. The counts begin at 0 with the process
/// that holds the connection.
package struct MQTTFigures: Equatable, Sendable {
    /// Whether the broker has accepted the connection.
    package var isConnected = false
    /// How often it has.
    package var connects: UInt64 = 0
    /// Messages that were handed over.
    package var sent: UInt64 = 0
    /// Messages that the broker did not take: larger than it allows, or refused.
    package var unsent: UInt64 = 0
    /// Events that were dropped, because there was no connection or no room.
    package var droppedEvents: UInt64 = 0
    /// Answers to commands that were dropped for the same reasons.
    package var droppedAnswers: UInt64 = 0
    /// Commands that were refused before they reached the panel.
    package var refusedCommands: UInt64 = 0

    /// Nothing has happened.
    package init() {}

    /// The beginning of a message with figures.
    var row: MessageRow { MessageRow(.figures, value: isConnected ? 1 : 0) }

    /// The rest of such a message.
    var body: [UInt8] {
        var bytes: [UInt8] = []
        for count in [connects, sent, unsent, droppedEvents, droppedAnswers, refusedCommands] {
            MessageBytes.add(count, to: &bytes)
        }
        return bytes
    }

    /// Reads figures; nil if they are wrong.
    init?(_ row: MessageRow, _ body: ArraySlice<UInt8>) {
        var rest = MessageBytes(body)
        guard let isConnected = row.truth, let connects = rest.number(UInt64.self),
            let sent = rest.number(UInt64.self), let unsent = rest.number(UInt64.self),
            let droppedEvents = rest.number(UInt64.self),
            let droppedAnswers = rest.number(UInt64.self),
            let refusedCommands = rest.number(UInt64.self), rest.isEmpty
        else { return nil }
        self.isConnected = isConnected
        self.connects = connects
        self.sent = sent
        self.unsent = unsent
        self.droppedEvents = droppedEvents
        self.droppedAnswers = droppedAnswers
        self.refusedCommands = refusedCommands
    }
}
