import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc

/// A client that can misbehave: bytes over a socket, and nothing else. It waits twenty seconds
/// for anything that should come.
final class RawClient {
    private let socket: Int32
    private var buffer: [UInt8] = []

    /// Connects to a port of this machine.
    init?(port: Int) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let error = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        var wait = timeval(tv_sec: 20, tv_usec: 0)
        let waitSize = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, waitSize)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &wait, waitSize)
        guard error == 0 else {
            close(socket)
            return nil
        }
    }

    deinit { close(socket) }

    /// Takes little at once, so that what it does not read soon waits at the server.
    func readLittle() {
        var size: Int32 = 4_096
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends bytes; false where the other side has closed.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Whether more bytes came; false at the end, and where nothing comes.
    private func fill() -> Bool {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &room, room.count, 0)
        guard count > 0 else { return false }
        buffer += room[..<count]
        return true
    }

    private func take(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard fill() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Whether something has come that was not read.
    var hasMore: Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return !buffer.isEmpty || poll(&entry, 1, 0) > 0
    }

    /// Whether the other side has closed, or does so now.
    var isClosed: Bool {
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &room, room.count, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET) { return true }
            if count < 0 { return false }
        }
    }

    // MARK: HTTP

    /// An answer: its status, its head and its body.
    struct Answer {
        var status: Int
        var head: String
        var body: [UInt8]
    }

    /// The next answer; nil where none comes.
    func answer() -> Answer? {
        let end = Array("\r\n\r\n".utf8)
        while buffer.firstRange(of: end) == nil { guard fill() else { return nil } }
        guard let place = buffer.firstRange(of: end),
            let bytes = take(place.upperBound)
        else { return nil }
        let head = String(decoding: bytes, as: UTF8.self)
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let length = head.split(separator: "\r\n")
            .first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.split(separator: " ").last ?? "") }
        guard let body = take(length ?? 0) else { return nil }
        return Answer(status: status, head: head, body: body)
    }

    /// The head of an answer that has no body; nil where none comes.
    func headOfAnswer() -> String? {
        let end = Array("\r\n\r\n".utf8)
        while buffer.firstRange(of: end) == nil { guard fill() else { return nil } }
        guard let place = buffer.firstRange(of: end), let bytes = take(place.upperBound) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func get(_ target: String, _ port: Int, headers: [String] = []) -> Answer? {
        let lines = ["GET \(target) HTTP/1.1", "Host: localhost:\(port)"] + headers + ["", ""]
        send(lines.joined(separator: "\r\n"))
        return answer()
    }

    // MARK: WebSocket

    static func upgrade(_ port: Int, host: String? = nil, headers: [String] = []) -> String {
        let lines =
            [
                "GET /api/v1/events HTTP/1.1", "Host: \(host ?? "localhost:\(port)")",
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ] + headers + ["", ""]
        return lines.joined(separator: "\r\n")
    }

    struct Frame: Equatable {
        var opcode: UInt8
        var data: [UInt8]

        /// The code of a frame that closes.
        var code: Int? {
            opcode == 8 && data.count >= 2 ? Int(data[0]) << 8 | Int(data[1]) : nil
        }

        var json: JSONValue? { try? JSONReader.read(data, depth: 32) }
    }

    /// The bytes of a frame of a client.
    static func frame(
        _ data: [UInt8], opcode: UInt8 = 1, isLast: Bool = true, isMasked: Bool = true,
        reserved: UInt8 = 0, claiming: UInt64? = nil
    ) -> [UInt8] {
        let length = claiming ?? UInt64(data.count)
        var bytes = [(isLast ? 0x80 : 0) | reserved << 4 | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        if length < 126 {
            bytes.append(mask | UInt8(length))
        } else if length < 65_536 {
            bytes += [mask | 126, UInt8(length >> 8), UInt8(length & 255)]
        } else {
            bytes.append(mask | 127)
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
        }
        guard isMasked else { return bytes + data }
        let key: [UInt8] = [1, 2, 3, 4]
        return bytes + key + data.enumerated().map { $0.element ^ key[$0.offset % 4] }
    }

    /// What a closing frame says: a code and a reason.
    static func closing(_ code: Int, _ reason: [UInt8] = []) -> [UInt8] {
        [UInt8(code >> 8), UInt8(code & 255)] + reason
    }

    func say(_ text: String) { send(Self.frame(Array(text.utf8))) }

    /// The next frame; nil at the end, and where none comes.
    func frame() -> Frame? {
        guard let start = take(2) else { return nil }
        var length = Int(start[1] & 127)
        if length >= 126 {
            guard let rest = take(length == 126 ? 2 : 8) else { return nil }
            length = rest.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let data = take(length) else { return nil }
        return Frame(opcode: start[0] & 15, data: data)
    }

    /// The next message of one of these types, whatever comes before; nil also after a minute in
    /// which only others came. Answers pings meanwhile.
    func message(_ types: String...) -> JSONValue? {
        let end = MonotonicClock.now + .seconds(60)
        while MonotonicClock.now < end, let frame = frame() {
            if frame.opcode == 9 { send(Self.frame(frame.data, opcode: 10)) }
            guard frame.opcode == 1, let json = frame.json else { continue }
            if let type = json["type"]?.text, types.contains(type) { return json }
        }
        return nil
    }

    /// The code that the server closes with, whatever comes before.
    func closingCode() -> Int? {
        while let frame = frame() { if let code = frame.code { return code } }
        return nil
    }
}
