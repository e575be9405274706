import DetentActions

/// Everything that a process beside a panel may say to it.
///
/// The process reads what strangers send, so it is not trusted. `init(_:)` is the one reader of its
/// messages: it is total and takes bounded time. What only a panel says is no message here, above
/// all updates, which are read as they are in memory.
package enum ChildMessage: Equatable, Sendable {
    case request(PanelRequest)
    case note(MQTTNote)
    /// The process is alive: the answer to a `PanelMessage.ping`. With the number 0 it was not
    /// asked, and tells that it has become busy.
    case alive(UInt32, isBusy: Bool)

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
        case .alive: row.bytes
        }
    }

    /// The beginning of the message.
    private var row: MessageRow {
        switch self {
        case .request(let request): request.row
        case .note(let note): note.row
        case .alive(let number, let isBusy):
            MessageRow(.alive, value: isBusy ? 1 : 0, request: number)
        }
    }

    /// Reads a message; nil if it is wrong in any way.
    package init?(_ message: ArraySlice<UInt8>) {
        guard let row = MessageRow(message),
            let read = Self.read(row, message.dropFirst(MessageRow.byteCount))
        else { return nil }
        // A field that the message does not use is 0.
        guard read.row == row else { return nil }
        self = read
    }

    private static func read(_ row: MessageRow, _ body: ArraySlice<UInt8>) -> ChildMessage? {
        switch row.tag {
        case .begin, .watch, .snapshot, .trace, .intent, .change, .fire, .resync, .lampTest, .close,
            .reload:
            PanelRequest(row, body).map { .request($0) }
        case .up, .down, .ended, .heard, .lost, .figures:
            MQTTNote(row, body).map { .note($0) }
        case .alive: row.truth.map { .alive(row.request, isBusy: $0) }
        case .updates, .dropped, .served, .reloaded, .publish, .cancel, .ping, .token: nil
        }
    }
}
