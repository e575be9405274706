import DetentActions

/// Answers of web services on this machine, in one piece and in single bytes.
struct AnswerTarget: FuzzTarget {
    let words =
        numbers + [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.0 404 \r\n", "HTTP/1.1 100 \r\n", "Content-Length: ",
            "Transfer-Encoding: chunked\r\n", "\r\n", "\r\n\r\n", "0\r\n\r\n", "ffff\r\n", ":", ";",
            "\n", " ", "\t",
        ]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        var whole = HTTPAnswer()
        whole.take(bytes)
        whole.end()
        var pieces = HTTPAnswer()
        for byte in bytes { pieces.take([byte]) }
        pieces.end()
        try BrokenPromise.unless(whole == pieces, "pieces make another answer")
        try BrokenPromise.unless(whole.progress != .reading, "the answer has not ended")
        try BrokenPromise.unless(
            whole.body.count <= ActionLimits.httpAnswer, "the body is longer than its limit")
        try BrokenPromise.unless(
            whole.progress != .whole || (200...599).contains(whole.status),
            "the answer has no status")
        return whole.progress == .whole
    }
}
