import DetentTypes
import TestSupport
import Testing

@testable import DetentActions

/// The answers of services on this machine, in every way they can be cut into pieces.
@Suite struct HTTPAnswerTests {
    private func answer(_ text: String, piece: Int, isClosed: Bool = true) -> HTTPAnswer {
        var answer = HTTPAnswer()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            answer.take(rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
        if isClosed { answer.end() }
        return answer
    }

    private static let good: [(String, UInt16, String)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
        ("HTTP/1.1 200\r\ncontent-LENGTH:\t2 \r\n\r\nok", 200, "ok"),
        ("HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end"),
        ("HTTP/1.1 404 Not Found\n\nplain line feeds", 404, "plain line feeds"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, ""),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", 204, ""),
        ("HTTP/1.1 304 Not Modified\r\n\r\n", 304, ""),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx", 201,
            "x"
        ),
        (
            "HTTP/1.1 103 Hints\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\n\r\nend", 200,
            "end"
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
        ("HTTP/1.1 200 OK\r\nX: a\r\n continued\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n"
                + "A;x=y\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n", 200, "ok0123456789"
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n0\r\n\r\n", 200, "abc"
        ),
    ]

    @Test(arguments: good, [1, 2, 3, 7, 1_000])
    func aWholeAnswerIsRead(it: (text: String, status: UInt16, body: String), piece: Int) {
        let answer = answer(it.text, piece: piece)
        expectEqual(answer.progress, .whole)
        expectEqual(answer.status, it.status)
        expectEqual(answer.body, Array(it.body.utf8))
    }

    /// A service that keeps the connection open is not waited for.
    @Test(arguments: good.filter { !["until the end", "plain line feeds", "end"].contains($0.2) })
    func itKnowsWhereItEnds(text: String, status: UInt16, body: String) {
        var answer = answer(text, piece: 1_000, isClosed: false)
        expectEqual(answer.progress, .whole)
        answer.take("HTTP/1.1 500 Another\r\n\r\n".utf8)
        answer.end()
        #expect(answer.status == status && answer.body == Array(body.utf8))
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", true),
            ("HTTP/1.1 204 No Content\r\n\r\n", true),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", true),
            ("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", true),
            ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", false),
            ("HTTP/1.1 200 OK\r\nCONNECTION: a, Close\r\nContent-Length: 0\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok!", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no", false),
            ("HTTP/1.1 200 OK\r\n\r\nuntil the end", false),
            ("HTTP/1.0 100 C\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
            ("HTTP/1.1 100 C\r\n\r\nHTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
            ("nonsense\r\n\r\n", false),
        ], [1, 1_000])
    func itSaysWhetherTheConnectionStays(it: (text: String, stays: Bool), piece: Int) {
        expectEqual(answer(it.text, piece: piece, isClosed: false).keepsConnection, it.stays)
    }

    @Test(arguments: good, [1, 1_000])
    func anAnswerThatIsCutIsBroken(it: (text: String, status: UInt16, body: String), piece: Int) {
        // Without a length, the end of the connection is the end of the answer.
        let head = it.text.contains("Content-Length") || it.text.contains("Transfer-Encoding")
        guard head, !it.text.contains("103 Hints") else { return }
        for count in 0..<it.text.utf8.count {
            let part = String(decoding: it.text.utf8.prefix(count), as: UTF8.self)
            var cut = answer(part, piece: piece, isClosed: false)
            if cut.progress == .whole { continue }
            expectEqual(cut.progress, .reading, "\(part)")
            cut.end()
            expectEqual(cut.progress, .broken, "\(part)")
        }
    }

    @Test(arguments: [
        "", "nonsense\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n",
        "HTTP/1.1 600 Odd\r\n\r\n", "HTTP/1.1 099 Odd\r\n\r\n", "http/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\n\r\n", "\r\nHTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n",
    ])
    func whatIsNoAnswerIsBroken(text: String) {
        for piece in [1, 1_000] { expectEqual(answer(text, piece: piece).progress, .broken) }
    }

    @Test(arguments: [
        "Content-Length: 9999999\r\n\r\n", "\r\n", "Transfer-Encoding: chunked\r\n\r\nffffff\r\n",
    ])
    func aBodyIsBounded(head: String) {
        var answer = answer("HTTP/1.1 500 Odd\r\n\(head)", piece: 9, isClosed: false)
        answer.take(repeatElement(0x78, count: ActionLimits.httpAnswer))
        expectEqual(answer.progress, .reading)
        answer.take([0x78])
        expectEqual(answer.progress, .tooLong)
        expectEqual(answer.body.count, ActionLimits.httpAnswer)
    }

    /// A head without end, interim answers without end, and chunks whose sizes are long.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", "X: y\r\n"), ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\nX", "x"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1;aaaaaaaa\r\nx\r\n"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X: y\r\n"),
    ])
    func aHeadIsBounded(head: String, rest: String) {
        var answer = answer(head, piece: 100, isClosed: false)
        var count = head.utf8.count
        while answer.progress == .reading, count < 2 * ActionLimits.httpHead {
            answer.take(rest.utf8)
            count += rest.utf8.count
        }
        expectEqual(answer.progress, .broken)
        #expect(count >= ActionLimits.httpHead)
    }

    /// Every text of up to five of the words that matter ends in some way, and nothing traps.
    @Test func noOrderOfItsWordsIsFatal() {
        let words = [
            "HTTP/1.1 200 OK", "\r\n", "Content-Length: 1", "Transfer-Encoding: chunked", "1", ":",
            "",
        ]
        var texts = [""]
        for _ in 0..<5 { texts = texts.flatMap { text in words.map { text + $0 + "\r\n" } } }
        for text in texts {
            let whole = answer(text, piece: 1_000)
            #expect(whole.progress != .reading)
            expectEqual(answer(text, piece: 1), whole)
        }
    }
}
