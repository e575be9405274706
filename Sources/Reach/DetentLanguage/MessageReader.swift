/// Divides a stream of bytes into messages, as the base protocol of LSP 3.17 does: a header with
/// `Content-Length`, an empty line, and as many bytes.
package struct MessageReader {
    /// What the bytes so far have.
    package enum Step: Equatable {
        case message([UInt8])
        case needsMore
        /// The stream cannot be understood any further.
        case broken(String)
    }

    private var buffer: [UInt8] = []
    private var start = 0
    private var failure: String?

    package init() {}

    /// Adds bytes that were read.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer += bytes
    }

    /// The next message; call it until it needs more.
    package mutating func next() -> Step {
        if let failure { return .broken(failure) }
        guard let end = endOfHeader() else {
            return buffer.count - start > LanguageLimits.headerBytes
                ? fail("a header has more than \(LanguageLimits.headerBytes) bytes") : .needsMore
        }
        guard let length = Self.length(in: buffer[start..<end]) else {
            return fail("a header has no `Content-Length`")
        }
        guard length <= LanguageLimits.messageBytes else {
            return fail("a message has more than \(LanguageLimits.messageBytes) bytes")
        }
        let first = end + Self.separator.count
        guard buffer.count - first >= length else { return .needsMore }
        start = first + length
        return .message(Array(buffer[first..<start]))
    }

    private static let separator = Array("\r\n\r\n".utf8)

    private mutating func fail(_ text: String) -> Step {
        failure = text
        buffer = []
        start = 0
        return .broken(text)
    }

    private func endOfHeader() -> Int? {
        let last = min(buffer.count, start + LanguageLimits.headerBytes) - Self.separator.count
        guard start <= last else { return nil }
        return (start...last).first { place in
            buffer[place] == 0x0D && buffer[place..<place + 4].elementsEqual(Self.separator)
        }
    }

    private static func length(in header: ArraySlice<UInt8>) -> Int? {
        for line in String(decoding: header, as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":"),
                line[..<colon].lowercased() == "content-length"
            else { continue }
            let digits = line[colon...].dropFirst().drop { $0 == " " || $0 == "\t" }
            guard !digits.isEmpty, digits.utf8.count <= 9,
                digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            return Int(digits)
        }
        return nil
    }
}
