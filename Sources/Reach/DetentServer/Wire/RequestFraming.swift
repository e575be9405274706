import DetentPanel
import NIOHTTP1

/// The length of a request's body according to its head. An ambiguous length is refused.
///
/// If a server and a proxy interpret a length differently, an attacker can make them see different
/// requests (RFC 9112, 11.2). So a request with two interpretations is refused and the connection
/// closed.
enum RequestFraming {
    /// Why a request is refused because of its head; nil if its body may follow.
    static func refusal(of head: HTTPRequestHead) -> APIError? {
        let codings = head.headers["transfer-encoding"]
        let lengths = head.headers["content-length"]
        if !codings.isEmpty {
            guard lengths.isEmpty else {
                return .unreadable(
                    "The request has both Content-Length and Transfer-Encoding", "send one of them")
            }
            guard head.version == .http1_1 else {
                return .unreadable(
                    "Only HTTP/1.1 has Transfer-Encoding", "send Content-Length instead")
            }
            guard codings.count == 1, codings.first?.lowercased() == "chunked" else {
                let coding = quoted(codings.joined(separator: ", "))
                return APIError(
                    501, "The transfer coding `\(coding)` is unknown",
                    "send `Transfer-Encoding: chunked`, or Content-Length")
            }
            return nil
        }
        guard let length = lengths.first else { return nil }
        guard lengths.count == 1, !length.isEmpty,
            length.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return .unreadable("The Content-Length is not one number", "send it once") }
        // Digits that do not fit into an Int exceed every limit.
        guard let count = Int(length), count <= ServerLimits.bodyBytes else { return tooLarge }
        return nil
    }

    static let tooLarge = APIError(
        413, "The body is too large", "send at most \(ServerLimits.bodyBytes) bytes")
}
