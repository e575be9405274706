import DetentTypes

/// The answer to a request of HTTP/1.1, read as its bytes arrive.
///
/// It runs in the process that has the lines. So it is small, no operation on the bytes can trap,
/// and `Tests/Fuzz/readers` feeds it nonsense.
package struct HTTPAnswer: Equatable, Sendable {
    /// How far the answer has come.
    package enum Progress: Equatable, Sendable {
        case reading
        /// All of it came.
        case whole
        /// Its body is longer than `ActionLimits.httpAnswer`.
        case tooLong
        /// It is not HTTP/1.1, or it ended too early.
        case broken
    }

    private enum State: Equatable {
        /// A line of the head; the first has the status.
        case head(isFirst: Bool)
        case counted(left: Int)
        case untilTheEnd
        case chunkSize
        case chunk(left: Int)
        /// The line feed after a chunk.
        case chunkEnd
        case trailer
        case over(Progress)
    }

    /// The status; 0 until it came.
    package private(set) var status: UInt16 = 0
    /// Whether the service keeps the connection open after a whole answer, and nothing followed it.
    package var keepsConnection: Bool { progress == .whole && hasKept }
    private var hasKept = false
    /// The body, at most `ActionLimits.httpAnswer` bytes.
    package private(set) var body: [UInt8] = []
    private var state = State.head(isFirst: true)
    private var line: [UInt8] = []
    /// Bytes of heads, chunk sizes and trailers so far.
    private var overhead = 0
    private var length: Int?
    private var isChunked = false

    /// Makes an answer of which nothing came yet.
    package init() {}

    /// How far it has come.
    package var progress: Progress {
        if case .over(let progress) = state { progress } else { .reading }
    }

    /// Reads the next bytes; those after the end of the answer are ignored.
    package mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            switch state {
            case .head, .chunkSize, .chunkEnd, .trailer: takeLine(byte)
            case .counted(let left):
                keep(byte, then: left > 1 ? .counted(left: left &- 1) : .over(.whole))
            case .chunk(let left):
                keep(byte, then: left > 1 ? .chunk(left: left &- 1) : .chunkEnd)
            case .untilTheEnd: keep(byte, then: .untilTheEnd)
            case .over:
                hasKept = false
                return
            }
        }
    }

    /// The service has closed the connection.
    package mutating func end() {
        switch state {
        case .untilTheEnd: state = .over(.whole)
        case .over: break
        case .head, .counted, .chunkSize, .chunk, .chunkEnd, .trailer: state = .over(.broken)
        }
    }

    private mutating func keep(_ byte: UInt8, then next: State) {
        guard body.count < ActionLimits.httpAnswer else { return state = .over(.tooLong) }
        body.append(byte)
        state = next
    }

    private mutating func takeLine(_ byte: UInt8) {
        overhead &+= 1
        guard overhead <= ActionLimits.httpHead else { return state = .over(.broken) }
        guard byte == UInt8(ascii: "\n") else { return line.append(byte) }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let ended = line
        line.removeAll(keepingCapacity: true)
        switch state {
        case .head(isFirst: true): readStatus(ended)
        case .head(isFirst: false) where ended.isEmpty: beginBody()
        case .head(isFirst: false): readHeader(ended)
        case .chunkSize: readChunkSize(ended)
        case .chunkEnd: state = ended.isEmpty ? .chunkSize : .over(.broken)
        case .trailer: if ended.isEmpty { state = .over(.whole) }
        case .counted, .chunk, .untilTheEnd, .over: break
        }
    }

    /// `HTTP/1.1 200 OK`; the words after the status may be missing.
    private mutating func readStatus(_ line: [UInt8]) {
        let words = line.split(
            separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard let version = words.first, ["HTTP/1.0", "HTTP/1.1"].contains(text(version)),
            let code = words.dropFirst().first, code.count == 3,
            let number = Self.number(code, radix: 10), (100...599).contains(number)
        else { return state = .over(.broken) }
        status = UInt16(number)
        hasKept = text(version) == "HTTP/1.1"
        state = .head(isFirst: false)
    }

    private mutating func readHeader(_ line: [UInt8]) {
        // A line that begins with a space continues the one before; none of those matters here.
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            if line.first != UInt8(ascii: " "), line.first != UInt8(ascii: "\t") {
                state = .over(.broken)
            }
            return
        }
        let value = text(line.suffix(from: colon).dropFirst()).filter { $0 != " " && $0 != "\t" }
        switch text(line.prefix(upTo: colon)).lowercased() {
        case "content-length":
            // Two lengths that differ, or a text, leave it open where the answer ends.
            guard let number = Self.number(value.utf8, radix: 10), length ?? number == number
            else { return state = .over(.broken) }
            length = number
        case "transfer-encoding":
            guard value.lowercased() == "chunked" else { return state = .over(.broken) }
            isChunked = true
        case "connection": if value.lowercased().contains("close") { hasKept = false }
        case _: break
        }
    }

    /// The head is over (RFC 9112, 6.3).
    private mutating func beginBody() {
        switch status {
        case 101: state = .over(.broken)  // nothing was asked to change
        case 100...199:
            // An answer before the answer.
            (state, length, isChunked) = (.head(isFirst: true), nil, false)
        case 204, 304: state = .over(.whole)
        case _ where isChunked: state = .chunkSize
        case _:
            guard let length else {
                hasKept = false
                return state = .untilTheEnd
            }
            state = length == 0 ? .over(.whole) : .counted(left: length)
        }
    }

    /// Hexadecimal digits; what follows a semicolon has no meaning here.
    private mutating func readChunkSize(_ line: [UInt8]) {
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        guard let size = Self.number(digits, radix: 16) else { return state = .over(.broken) }
        state = size == 0 ? .trailer : .chunk(left: size)
    }

    /// The number of digits alone; nil for a sign, nothing, or too many digits.
    private static func number(_ digits: some Collection<UInt8>, radix: Int) -> Int? {
        let text = String(decoding: digits, as: UTF8.self)
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
        else { return nil }
        return Int(text, radix: radix)
    }

    private func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
