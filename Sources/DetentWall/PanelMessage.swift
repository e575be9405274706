import DetentRuntime

/// What a panel sends to a process beside it.
///
/// Updates travel as they are in memory: both ends are the same program. A process trusts its
/// panel; a frame that is wrong in any way ends it.
enum PanelMessage: Equatable {
    /// The next updates, at most `WallLimits.updatesPerMessage`.
    case updates([TimedUpdate])
    /// This number of updates was dropped.
    case dropped(UInt32)
    /// The history is complete: serve it.
    case served
    /// What a reload of the panel came to; a text that is too long is cut.
    case reload(PanelReloader.Outcome)
    /// A message of a `ChildTask`.
    case task([UInt8])

    private enum Word: UInt32 {
        case updates = 1
        case dropped, served, reload, task
    }

    private static let results: [PanelReloader.Outcome.Result] = [.changed, .unchanged, .refused]
    /// Bytes before the content.
    private static var headBytes: Int { 8 }
    private static var stride: Int { MemoryLayout<TimedUpdate>.stride }

    /// The bytes of the longest frame.
    static var byteLimit: Int {
        headBytes
            + max(
                WallLimits.updatesPerMessage * stride, WallLimits.reloadText,
                WallLimits.messageBytes)
    }

    /// The frame.
    var bytes: [UInt8] {
        switch self {
        case .updates(let updates):
            var bytes = Self.head(.updates, UInt32(clamping: updates.count))
            updates.withUnsafeBytes { bytes += $0 }
            return bytes
        case .dropped(let count): return Self.head(.dropped, count)
        case .served: return Self.head(.served, 0)
        case .reload(let outcome):
            let result = Self.results.firstIndex(of: outcome.result) ?? 0
            var text = outcome.text.utf8.prefix(WallLimits.reloadText)
            while String(text) == nil { text = text.dropLast() }
            return Self.head(.reload, UInt32(result)) + text
        case .task(let message): return Self.head(.task, 0) + message
        }
    }

    private static func head(_ word: Word, _ count: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        MessageBytes.add(word.rawValue, to: &bytes)
        MessageBytes.add(count, to: &bytes)
        return bytes
    }

    /// Reads a frame; nil if it is wrong.
    init?(_ frame: ArraySlice<UInt8>) {
        var head = MessageBytes(frame.prefix(Self.headBytes))
        let body = frame.dropFirst(Self.headBytes)
        guard let word = head.number(UInt32.self).flatMap(Word.init),
            let count = head.number(UInt32.self)
        else { return nil }
        switch word {
        case .updates:
            guard body.count == Int(count) * Self.stride else { return nil }
            self = .updates(
                body.withUnsafeBytes { bytes in
                    (0..<Int(count)).map {
                        bytes.loadUnaligned(
                            fromByteOffset: $0 * Self.stride, as: TimedUpdate.self)
                    }
                })
        case .dropped:
            guard body.isEmpty else { return nil }
            self = .dropped(count)
        case .served:
            guard body.isEmpty else { return nil }
            self = .served
        case .task: self = .task(Array(body))
        case .reload:
            guard count < Self.results.count else { return nil }
            self = .reload(
                .init(
                    result: Self.results[Int(count)], text: String(decoding: body, as: UTF8.self)))
        }
    }
}
