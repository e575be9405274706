import DetentLanguage
import TestSupport
import Testing

@Suite struct MessageReaderTests {
    /// What a reader finds in pieces of a stream.
    private func steps(_ pieces: [String]) -> [MessageReader.Step] {
        var reader = MessageReader()
        var found: [MessageReader.Step] = []
        for piece in pieces {
            reader.append(piece.utf8)
            while true {
                let step = reader.next()
                if step == .needsMore { break }
                found.append(step)
                if case .broken = step { return found }
            }
        }
        return found
    }

    private func message(_ text: String) -> MessageReader.Step { .message(Array(text.utf8)) }

    @Test func messagesAreDividedWhereverTheStreamIsCut() {
        let text =
            "Content-Length: 2\r\n\r\n{}content-length:3\r\nContent-Type: x\r\n\r\n[1]"
            + "Content-Length: 0\r\n\r\n"
        let whole = [message("{}"), message("[1]"), message("")]
        expectEqual(steps([text]), whole)
        expectEqual(steps(text.map(String.init)), whole)
        for cut in 1..<text.utf8.count {
            let head = String(decoding: Array(text.utf8.prefix(cut)), as: UTF8.self)
            let tail = String(decoding: Array(text.utf8.dropFirst(cut)), as: UTF8.self)
            expectEqual(steps([head, tail]), whole, "cut at \(cut)")
        }
    }

    @Test(arguments: [
        ("X: 2\r\n\r\n{}", "a header has no `Content-Length`"),
        ("\r\n\r\n{}", "a header has no `Content-Length`"),
        ("Content-Length: -1\r\n\r\n", "a header has no `Content-Length`"),
        ("Content-Length: 99999999999999999999\r\n\r\n", "a header has no `Content-Length`"),
        ("Content-Length: 99999999\r\n\r\n", "a message has more than 8388608 bytes"),
        (String(repeating: "a", count: 5_000), "a header has more than 4096 bytes"),
    ])
    func aStreamThatIsNoneEnds(text: String, cause: String) {
        expectEqual(steps([text]), [.broken(cause)])
    }
}
