import DetentCore
import DetentRuntime
import DetentTypes

/// What a process may ask of its panel, and all that it may ask.
///
/// It is not more than the page can cause.
package enum PanelRequest: Equatable, Sendable {
    /// The process is ready: send it the history, then all updates.
    case begin
    /// Whether states are needed.
    case watch(Bool)
    /// Send the states of all controls.
    case snapshot
    /// Send the levels of these lines.
    case trace([LineID])
    case intent(ControlID, Value, Origin, RequestID)
    /// A change from the shown value.
    case change(ControlID, Int32, Origin, RequestID)
    case fire(ControlID, Value, Origin, RequestID)
    case resync(Origin)
    case lampTest(Bool, Origin)
    /// Close the list of a control.
    case close(ControlID, Origin)
    /// Read the panel file again.
    case reload(Origin)
    /// An intent, or a control that is fired, with the token by which its caller confirms it.
    indirect case confirming(ConfirmTokens.Token, PanelRequest)

    /// The bytes of the longest message. A longer one is cut when it is received, and is then
    /// wrong.
    static var byteLimit: Int {
        MessageRow.byteCount + max(2 * RuntimeLimits.tracedLines, ConfirmTokens.length)
    }

    /// The request for an event; nil for an event that no process may send.
    init?(_ event: Event) {
        switch event {
        case .intent(let control, let value, let origin, let request):
            self = .intent(control, value, origin, request)
        case .change(let control, let distance, let origin, let request):
            self = .change(control, distance, origin, request)
        case .fire(let control, let value, let origin, true, let request):
            self = .fire(control, value, origin, request)
        case .resync(let origin): self = .resync(origin)
        case .lampTest(let isOn, let origin): self = .lampTest(isOn, origin)
        case .close(let control, let origin): self = .close(control, origin)
        case .reload(let origin, _): self = .reload(origin)
        case .fire(_, _, _, false, _), .tick, .start, .edge, .reading, .sample, .overflow,
            .lineFault,
            .lineRestored, .actionStarted, .actionFinished, .outputWritten, .saved, .answered,
            .feedback, .feedbackLost, .broker:
            return nil
        }
    }

    /// The event for the panel; nil if the request is not one.
    var event: Event? {
        switch self {
        case .intent(let control, let value, let origin, let request):
            .intent(control, value, origin, request: request)
        case .change(let control, let distance, let origin, let request):
            .change(control, by: distance, origin, request: request)
        case .fire(let control, let value, let origin, let request):
            .fire(control, value, origin, isConfirmed: true, request: request)
        case .confirming(_, let request): request.event
        case .resync(let origin): .resync(by: origin)
        case .lampTest(let isOn, let origin): .lampTest(isOn: isOn, by: origin)
        case .close(let control, let origin): .close(control, by: origin)
        case .reload(let origin): .reload(by: origin)
        case .begin, .watch, .snapshot, .trace: nil
        }
    }

    /// The token that came with the request.
    var token: ConfirmTokens.Token? {
        if case .confirming(let token, _) = self { token } else { nil }
    }

    /// Whether the process waits for an answer.
    var isAwaited: Bool {
        switch self {
        case .confirming(_, let request): request.isAwaited
        case .snapshot: true
        case .intent(_, _, _, let request), .change(_, _, _, let request),
            .fire(_, _, _, let request):
            request != .none
        case .begin, .watch, .trace, .resync, .lampTest, .close, .reload: false
        }
    }

    // MARK: Messages

    /// The message.
    package var bytes: [UInt8] {
        var bytes = row.bytes
        switch self {
        case .trace(let lines):
            for line in lines.prefix(RuntimeLimits.tracedLines) {
                MessageBytes.add(line.index, to: &bytes)
            }
        case .confirming(let token, _): bytes += token.utf8
        case .begin, .watch, .snapshot, .intent, .change, .fire, .resync, .lampTest, .close,
            .reload:
            break
        }
        return bytes
    }

    /// The beginning of the message.
    var row: MessageRow {
        switch self {
        case .begin: MessageRow(.begin)
        case .watch(let isOn): MessageRow(.watch, value: isOn ? 1 : 0)
        case .snapshot: MessageRow(.snapshot)
        case .trace(let lines):
            MessageRow(.trace, value: Int32(min(lines.count, RuntimeLimits.tracedLines)))
        case .intent(let control, let value, let origin, let request):
            Self.row(.intent, control, value, origin, request)
        case .change(let control, let distance, let origin, let request):
            Self.row(.change, control, Value(distance), origin, request)
        case .fire(let control, let value, let origin, let request):
            Self.row(.fire, control, value, origin, request)
        case .confirming(_, let request): request.row
        case .resync(let origin): MessageRow(.resync, origin: origin.rawValue)
        case .lampTest(let isOn, let origin):
            MessageRow(.lampTest, origin: origin.rawValue, value: isOn ? 1 : 0)
        case .close(let control, let origin):
            MessageRow(.close, origin: origin.rawValue, control: control.index)
        case .reload(let origin): MessageRow(.reload, origin: origin.rawValue)
        }
    }

    private static func row(
        _ tag: MessageTag, _ control: ControlID, _ value: Value, _ origin: Origin,
        _ request: RequestID
    ) -> MessageRow {
        MessageRow(
            tag, origin: origin.rawValue, control: control.index, value: value.raw,
            request: request.number)
    }

    /// Reads a request; nil if it is wrong. Fields that it does not use are not looked at.
    init?(_ row: MessageRow, _ body: ArraySlice<UInt8>) {
        switch row.tag {
        case .begin: self = .begin
        case .watch:
            guard let isOn = row.truth else { return nil }
            self = .watch(isOn)
        case .snapshot: self = .snapshot
        case .trace:
            guard let lines = Self.lines(row.value, body) else { return nil }
            self = .trace(lines)
        case .intent, .change, .fire:
            guard let origin = Self.origin(row) else { return nil }
            let (control, value) = (ControlID(row.control), Value(row.value))
            let request = RequestID(row.request)
            let plain: PanelRequest =
                switch row.tag {
                case .fire: .fire(control, value, origin, request)
                case .change: .change(control, row.value, origin, request)
                case _: .intent(control, value, origin, request)
                }
            guard !body.isEmpty else {
                self = plain
                return
            }
            guard let token = ConfirmTokens.token(body) else { return nil }
            self = .confirming(token, plain)
        case .resync:
            guard let origin = Self.origin(row) else { return nil }
            self = .resync(origin)
        case .lampTest:
            guard let isOn = row.truth, let origin = Self.origin(row) else { return nil }
            self = .lampTest(isOn, origin)
        case .close:
            guard let origin = Self.origin(row) else { return nil }
            self = .close(ControlID(row.control), origin)
        case .reload:
            guard let origin = Self.origin(row) else { return nil }
            self = .reload(origin)
        case .up, .down, .ended, .heard, .lost, .figures, .updates, .dropped, .served, .reloaded,
            .publish, .cancel, .ping, .alive, .token:
            return nil
        }
    }

    /// Only remote origins: a process cannot say that a hand was at the panel.
    private static func origin(_ row: MessageRow) -> Origin? {
        Origin(rawValue: row.origin).flatMap { $0.isRemote ? $0 : nil }
    }

    private static func lines(_ count: Int32, _ body: ArraySlice<UInt8>) -> [LineID]? {
        guard (0...Int32(RuntimeLimits.tracedLines)).contains(count),
            body.count == 2 * Int(count)
        else { return nil }
        var rest = MessageBytes(body)
        var lines: [LineID] = []
        while let line = rest.number(UInt16.self) { lines.append(LineID(line)) }
        return lines
    }
}
