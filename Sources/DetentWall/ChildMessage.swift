import DetentActions

/// Everything that a process beside a panel may say to it.
///
/// The process reads what strangers send, so it is not trusted. `init(_:)` is the one reader of its
/// messages: it is total and takes bounded time. What only a panel says is no message here, above
/// all updates, which are read as they are in memory.
package enum ChildMessage: Equatable, Sendable {
    case request(PanelRequest)
    case note(BrokerNote)

    /// The bytes of the longest message. A longer one is cut when it is received, and is then
    /// wrong.
    static var byteLimit: Int {
        max(PanelRequest.byteLimit, MessageRow.byteCount + ActionLimits.reportLine)
    }

    /// The message.
    package var bytes: [UInt8] {
        switch self {
        case .request(let request): request.bytes
        case .note(let note): note.bytes
        }
    }

    /// Reads a message; nil if it is wrong in any way.
    package init?(_ message: ArraySlice<UInt8>) {
        guard let row = MessageRow(message),
            let read = Self.read(row, message.dropFirst(MessageRow.byteCount))
        else { return nil }
        // A field that the message does not use is 0.
        switch read {
        case .request(let request): guard request.row == row else { return nil }
        case .note(let note): guard note.row == row else { return nil }
        }
        self = read
    }

    private static func read(_ row: MessageRow, _ body: ArraySlice<UInt8>) -> ChildMessage? {
        switch row.tag {
        case .begin, .watch, .snapshot, .trace, .intent, .fire, .resync, .lampTest, .reload:
            PanelRequest(row, body).map { .request($0) }
        case .up, .down, .ended, .heard, .lost, .figures:
            BrokerNote(row, body).map { .note($0) }
        case .updates, .dropped, .served, .reloaded, .publish, .cancel: nil
        }
    }
}
