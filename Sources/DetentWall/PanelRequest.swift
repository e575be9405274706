import DetentCore
import DetentRuntime
import DetentTypes

/// What a process may ask of its panel, and all that it may ask.
///
/// It reads what strangers send, so it is not trusted. The panel decodes one message at a
/// time with `init(_:)`. This initialiser is total and takes bounded time. It accepts no message
/// that the page could not cause.
package enum PanelRequest: Equatable {
    /// The process is ready: send it the history, then all updates.
    case begin
    /// Whether states are needed.
    case watch(Bool)
    /// Send the states of all controls.
    case snapshot
    /// Send the levels of these lines.
    case trace([LineID])
    case intent(ControlID, Value, Origin, RequestID)
    /// Fires a control; the page has had a destructive one confirmed.
    case fire(ControlID, Value, Origin, RequestID)
    case resync
    case lampTest(Bool)
    /// Read the panel file again.
    case reload

    /// The bytes of the longest message. A longer one is cut when it is received, and is then
    /// wrong.
    static var byteLimit: Int { 2 + 2 * RuntimeLimits.tracedLines }

    private enum Word: UInt8 {
        case begin = 1
        case watch, snapshot, trace, intent, fire, resync, lampTest, reload
    }

    /// The request for an event; nil for an event that no process may send.
    init?(_ event: Event) {
        switch event {
        case .intent(let control, let value, let origin, let request):
            self = .intent(control, value, origin, request)
        case .fire(let control, let value, let origin, true, let request):
            self = .fire(control, value, origin, request)
        case .resync: self = .resync
        case .lampTest(let isOn): self = .lampTest(isOn)
        case .fire(_, _, _, false, _), .tick, .start, .edge, .reading, .overflow, .lineFault,
            .lineRestored, .actionStarted, .actionFinished, .outputWritten, .saved, .answered,
            .feedback, .feedbackLost:
            return nil
        }
    }

    /// The event for the panel; nil if the request is not one.
    var event: Event? {
        switch self {
        case .intent(let control, let value, let origin, let request):
            .intent(control, value, origin, request: request)
        case .fire(let control, let value, let origin, let request):
            .fire(control, value, origin, isConfirmed: true, request: request)
        case .resync: .resync
        case .lampTest(let isOn): .lampTest(isOn: isOn)
        case .begin, .watch, .snapshot, .trace, .reload: nil
        }
    }

    /// Whether the process waits for an answer.
    var isAwaited: Bool {
        switch self {
        case .snapshot: true
        case .intent(_, _, _, let request), .fire(_, _, _, let request): request != .none
        case .begin, .watch, .trace, .resync, .lampTest, .reload: false
        }
    }

    // MARK: Messages

    /// The message.
    package var bytes: [UInt8] {
        switch self {
        case .begin: return [Word.begin.rawValue]
        case .watch(let isOn): return [Word.watch.rawValue, isOn ? 1 : 0]
        case .snapshot: return [Word.snapshot.rawValue]
        case .trace(let lines):
            let lines = lines.prefix(RuntimeLimits.tracedLines)
            var bytes = [Word.trace.rawValue, UInt8(clamping: lines.count)]
            for line in lines { MessageBytes.add(line.index, to: &bytes) }
            return bytes
        case .intent(let control, let value, let origin, let request):
            return Self.bytes(.intent, control, value, origin, request)
        case .fire(let control, let value, let origin, let request):
            return Self.bytes(.fire, control, value, origin, request)
        case .resync: return [Word.resync.rawValue]
        case .lampTest(let isOn): return [Word.lampTest.rawValue, isOn ? 1 : 0]
        case .reload: return [Word.reload.rawValue]
        }
    }

    private static func bytes(
        _ word: Word, _ control: ControlID, _ value: Value, _ origin: Origin, _ request: RequestID
    ) -> [UInt8] {
        var bytes = [word.rawValue, origin.rawValue]
        MessageBytes.add(control.index, to: &bytes)
        MessageBytes.add(value.raw, to: &bytes)
        MessageBytes.add(request.number, to: &bytes)
        return bytes
    }

    /// Reads a message; nil if it is wrong in any way.
    init?(_ message: ArraySlice<UInt8>) {
        var bytes = MessageBytes(message)
        guard let word = bytes.number(UInt8.self).flatMap(Word.init),
            let request = Self.read(word, &bytes), bytes.isEmpty
        else { return nil }
        self = request
    }

    private static func read(_ word: Word, _ bytes: inout MessageBytes) -> PanelRequest? {
        switch word {
        case .begin: .begin
        case .watch: bytes.truth().map { .watch($0) }
        case .snapshot: .snapshot
        case .trace: lines(&bytes).map { .trace($0) }
        case .intent: change(&bytes).map { .intent($0.control, $0.value, $0.origin, $0.request) }
        case .fire: change(&bytes).map { .fire($0.control, $0.value, $0.origin, $0.request) }
        case .resync: .resync
        case .lampTest: bytes.truth().map { .lampTest($0) }
        case .reload: .reload
        }
    }

    private static func lines(_ bytes: inout MessageBytes) -> [LineID]? {
        guard let count = bytes.number(UInt8.self), count <= RuntimeLimits.tracedLines else {
            return nil
        }
        var lines: [LineID] = []
        for _ in 0..<count {
            guard let line = bytes.number(UInt16.self) else { return nil }
            lines.append(LineID(line))
        }
        return lines
    }

    private static func change(
        _ bytes: inout MessageBytes
    ) -> (control: ControlID, value: Value, origin: Origin, request: RequestID)? {
        // Only remote origins: a process cannot say that a hand was at the panel.
        guard let origin = bytes.number(UInt8.self).flatMap(Origin.init),
            origin.isRemote,
            let control = bytes.number(UInt16.self), let value = bytes.number(Int32.self),
            let request = bytes.number(UInt32.self)
        else { return nil }
        return (ControlID(control), Value(value), origin, RequestID(request))
    }
}

extension Origin {
    /// Whether it is outside of the panel.
    fileprivate var isRemote: Bool {
        switch self {
        case .web, .api, .mqtt: true
        case .panel, .control, .startup, .device: false
        }
    }
}
