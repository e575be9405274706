import DetentCore
import DetentRuntime
import DetentTypes

/// What a panel sends to a process beside it.
///
/// Updates travel as they are in memory: both ends are the same program. A process trusts its
/// panel; a message that is wrong in any way ends it.
package enum PanelMessage: Equatable {
    /// The next updates, at most `WallLimits.updatesPerMessage`.
    case updates([TimedUpdate])
    /// This number of updates was dropped.
    case dropped(UInt32)
    /// The history is complete: serve it.
    case served
    /// What a reload of the panel came to; a text that is too long is cut.
    case reloaded(PanelReloader.Outcome)
    /// The figures of the connection to a broker, for the gateway.
    case figures(MQTTFigures)
    /// For the connection to a broker.
    case order(MQTTRequest)
    /// Whether the process is alive: it answers `ChildMessage.alive` with this number, through the
    /// thread that does its work.
    case ping(UInt32)
    /// A request was not performed: it has to be confirmed by another one with this token.
    case token(RequestID, ConfirmTokens.Token)

    private static let results: [PanelReloader.Outcome.Result] = [.changed, .unchanged, .refused]
    private static var stride: Int { MemoryLayout<TimedUpdate>.stride }

    /// The bytes of the longest message.
    static var byteLimit: Int {
        MessageRow.byteCount
            + max(
                WallLimits.updatesPerMessage * stride, WallLimits.reloadText,
                WallLimits.messageBytes)
    }

    /// The message.
    package var bytes: [UInt8] {
        switch self {
        case .updates(let updates):
            var bytes = MessageRow(.updates, request: UInt32(clamping: updates.count)).bytes
            updates.withUnsafeBytes { bytes += $0 }
            return bytes
        case .dropped(let count): return MessageRow(.dropped, request: count).bytes
        case .served: return MessageRow(.served).bytes
        case .reloaded(let outcome):
            let result = Self.results.firstIndex(of: outcome.result) ?? 0
            var text = outcome.text.utf8.prefix(WallLimits.reloadText)
            while String(text) == nil { text = text.dropLast() }
            return MessageRow(.reloaded, value: Int32(result)).bytes + text
        case .figures(let figures): return figures.row.bytes + figures.body
        case .order(let order): return order.bytes
        case .ping(let number): return MessageRow(.ping, request: number).bytes
        case .token(let request, let token):
            return MessageRow(.token, request: request.number).bytes + token.utf8
        }
    }

    /// Reads a message; nil if it is wrong.
    package init?(_ message: ArraySlice<UInt8>) {
        guard let row = MessageRow(message) else { return nil }
        let body = message.dropFirst(MessageRow.byteCount)
        switch row.tag {
        case .updates:
            guard let updates = Self.updates(row.request, body) else { return nil }
            self = .updates(updates)
        case .dropped: self = .dropped(row.request)
        case .served: self = .served
        case .reloaded:
            guard Self.results.indices.contains(Int(row.value)) else { return nil }
            self = .reloaded(
                .init(
                    result: Self.results[Int(row.value)],
                    text: String(decoding: body, as: UTF8.self)))
        case .figures:
            guard let figures = MQTTFigures(row, body) else { return nil }
            self = .figures(figures)
        case .publish:
            guard let publication = MQTTPublication(row, body) else { return nil }
            self = .order(.publish(publication))
        case .cancel: self = .order(.cancel(row.request))
        case .ping: self = .ping(row.request)
        case .token:
            guard let token = ConfirmTokens.token(body) else { return nil }
            self = .token(RequestID(row.request), token)
        case .begin, .watch, .snapshot, .trace, .intent, .change, .fire, .resync, .lampTest, .close,
            .reload,
            .up,
            .down, .ended, .heard, .lost, .alive:
            return nil
        }
    }

    private static func updates(_ count: UInt32, _ body: ArraySlice<UInt8>) -> [TimedUpdate]? {
        guard body.count == Int(count) * stride else { return nil }
        return body.withUnsafeBytes { bytes in
            (0..<Int(count)).map {
                bytes.loadUnaligned(fromByteOffset: $0 * stride, as: TimedUpdate.self)
            }
        }
    }
}
