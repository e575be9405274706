import DetentPanel
import DetentTypes
import NIOHTTP1

/// Checks whether a request opens a WebSocket, according to RFC 6455, 4.2.1.
enum WebSocketHandshake {
    /// Why it does not; nil if it does.
    static func refusal(of head: HTTPRequestHead, _ request: HTTPRequest) -> HTTPResponse? {
        // A proxy could interpret anything else differently.
        guard head.version == .http1_1, request.lists("upgrade", in: "connection"),
            request.body.isEmpty
        else {
            return HTTPResponse(
                .unreadable(
                    "This does not ask for a WebSocket",
                    "send HTTP/1.1 with `Connection: Upgrade` and without a body"))
        }
        guard let version = request.value("sec-websocket-version") else {
            return versioned(.unreadable("Sec-WebSocket-Version is missing", "send it once: 13"))
        }
        guard version == "13" else {
            return versioned(
                APIError(
                    426, "The WebSocket version `\(quoted(version))` is unknown",
                    "send `Sec-WebSocket-Version: 13`"))
        }
        guard let key = request.value("sec-websocket-key"), isKey(key) else {
            return HTTPResponse(
                .unreadable(
                    "Sec-WebSocket-Key is not a key", "send 16 random bytes in base64, once"))
        }
        return nil
    }

    private static func versioned(_ refused: APIError) -> HTTPResponse {
        var response = HTTPResponse(refused)
        response.headers.append(("Sec-WebSocket-Version", "13"))
        return response
    }

    /// Whether a text is 16 bytes in base64: 22 digits and two padding characters.
    static func isKey(_ text: String) -> Bool {
        text.utf8.count == 24 && text.hasSuffix("==") && text.utf8.dropLast(2).allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }
}
