import NIOCore
import NIOWebSocket

/// The contents of the last frame of a WebSocket (RFC 6455, 5.5.1 and 7.4).
enum CloseFrame {
    /// The code of the reply: the same code, or the error in it.
    static func answer(to payload: ByteBuffer) -> WebSocketErrorCode {
        var rest = payload
        if rest.readableBytes == 0 { return .normalClosure }
        guard let code = rest.readInteger(as: UInt16.self), isAllowed(code) else {
            return .protocolError
        }
        guard String(validating: rest.readableBytesView, as: UTF8.self) != nil else {
            return .dataInconsistentWithMessage
        }
        return WebSocketErrorCode(codeNumber: Int(code))
    }

    /// Whether a code may be sent: codes of the standard and its registry that are not reserved,
    /// and those for libraries and applications.
    private static func isAllowed(_ code: UInt16) -> Bool {
        switch code {
        case 1_000...1_003, 1_007...1_014, 3_000...4_999: true
        case _: false
        }
    }
}
