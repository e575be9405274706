/// Makes requests as no client should: whole ones, damaged ones, and several in one piece.
///
/// The same seed makes the same requests.
struct RequestMaker {
    /// SplitMix64.
    struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private var numbers: Numbers
    private let host: String

    init(seed: UInt64, host: String) {
        numbers = Numbers(state: seed)
        self.host = host
    }

    static let methods = [
        "GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE", "get",
        "PRI",
    ]
    static let targets = [
        "/", "/page.js", "/healthz", "/metrics", "/api/v1/panel", "/api/v1/history",
        "/api/v1/history?since=1&control=a%20b&limit=", "/api/v1/events?since=&session",
        "/api/v1/controls/output", "/api/v1/controls/erase/press", "/api/v1/controls/erase/close",
        "/api/v1/lines/I1/cut",
        "/api/v1/clock", "/api/v1/simulation", "/api/v1/scenario?file=expected", "/api/v1/trace",
        "/api/v1/resync", "/api/v1/lamp-test", "/api/v1//controls//", "/?", "/?=", "/?&&=&",
        "/%", "/%0", "/%ff", "/%00", "*", "http://a/", "//", "/api/v1/", "/a?b?c=d=e",
    ]
    static let names = [
        "Host", "Origin", "Expect", "Upgrade", "Connection", "Accept-Encoding", "Authorization",
        "Sec-Fetch-Site", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Content-Length",
        "Transfer-Encoding", "Content-Type", "Cookie", "X",
    ]
    static let values = [
        "", ";", ",", "a,;", ";a", " ", "\t", "100-continue", "websocket", "upgrade", "close",
        "keep-alive", "gzip;q=0, br", "chunked", "gzip, chunked", "0", "1", "-1", "65537",
        "99999999999999999999", "Bearer", "Bearer ", "Bearer x", "cross-site", "13", "null",
        "dGhlIHNhbXBsZSBub25jZQ==", "\"", "\"a,b", "é", "http://localhost", "a\u{1}b",
    ]
    static let bodies = [
        "", "{}", "{\"value\": \"on\"}", "{\"on\": true}", "[", "null", "{\"do\": \"pause\"}",
        "0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "ffffffffffffffff\r\n", "\u{0}\u{0}",
    ]

    /// The next bytes to send: one request, or a few in one piece.
    mutating func next() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0...Int.random(in: 0..<4, using: &numbers) { bytes += request() }
        if Int.random(in: 0..<3, using: &numbers) == 0 { damage(&bytes) }
        return bytes
    }

    /// The parts of one request, as a parser has given them.
    mutating func parts() -> (
        method: String, target: String, headers: [(String, String)], body: [UInt8]
    ) {
        var headers: [(String, String)] = []
        if Int.random(in: 0..<8, using: &numbers) > 0 { headers.append(("Host", host)) }
        for _ in 0..<Int.random(in: 0..<5, using: &numbers) {
            headers.append((one(of: Self.names), one(of: Self.values)))
        }
        let body = Array(one(of: Self.bodies).utf8)
        return (one(of: Self.methods), one(of: Self.targets), headers, body)
    }

    private mutating func request() -> [UInt8] {
        let (method, target, headers, body) = parts()
        var text = "\(method) \(target) HTTP/1.\(Int.random(in: 0...1, using: &numbers))\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if Bool.random(using: &numbers) { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8) + body
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        let end = min(bytes.count, place + Int.random(in: 0..<12, using: &numbers))
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case _: bytes.removeSubrange(place...)
        }
    }

    private mutating func one(of words: [String]) -> String {
        words[Int.random(in: 0..<words.count, using: &numbers)]
    }
}
