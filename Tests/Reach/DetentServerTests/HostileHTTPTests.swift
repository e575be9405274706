import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentServer

/// Hostile and broken HTTP clients, against the real server on a loopback socket.
@Suite(.serialized) struct HostileHTTPTests {
    // MARK: Heads and bodies

    @Test func halfAHeadIsNotWaitedForLong() throws {
        let served = try Served(head: .milliseconds(100))
        let client = try served.client()
        client.send("GET / HTTP/1.1\r\nHost: local")
        #expect(client.isClosed)
        #expect(try served.client().isClosed, "nor is no head at all")
        #expect(try served.isWell())
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX: ", "GET /", "", "GET / HTTP/1.1\r\n"])
    func endlessHeadsEnd(_ start: String) throws {
        let served = try Served()
        let client = try served.client()
        client.send(start)
        let piece = Array((start.hasSuffix("\r\n") ? "A: b\r\n" : "aaaaaa").utf8)
        let block = (0..<1_000).flatMap { _ in piece }
        var sent = 0
        while sent < 16 << 20, client.send(block) { sent += block.count }
        #expect(sent < 16 << 20, "it was told to stop")
        #expect(try served.isWell())
    }

    @Test func aLargeHeadIsTold() throws {
        let served = try Served()
        for target in ["/" + String(repeating: "a", count: 17_000), "/"] {
            let client = try served.client()
            let header = "X: " + String(repeating: "b", count: target == "/" ? 17_000 : 1)
            expectEqual(client.get(target, served.port, headers: [header])?.status, 431)
            #expect(client.isClosed)
        }
    }

    @Test func aLargeBodyIsTold() throws {
        let served = try Served()
        let head = "PUT /api/v1/controls/output HTTP/1.1\r\nHost: localhost:\(served.port)\r\n"
        let claims = try served.client()
        claims.send(head + "Content-Length: 1000000\r\n\r\n")
        expectEqual(claims.answer()?.status, 413)
        #expect(claims.isClosed)
        let chunks = try served.client()
        chunks.send(head + "Transfer-Encoding: chunked\r\n\r\n")
        let chunk = "4000\r\n" + String(repeating: "x", count: 0x4000) + "\r\n"
        for _ in 0..<5 { chunks.send(chunk) }
        expectEqual(chunks.answer()?.status, 413)
        #expect(chunks.isClosed)
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "GET / HTTP/9.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\r\n\r\n", "GET http://evil/ HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func whatIsNoHTTPIsRefused(_ text: String) throws {
        let served = try Served()
        let client = try served.client()
        client.send(text)
        let status = client.answer()?.status
        #expect(status == 400 || status == nil, "\(status ?? 0)")
        #expect(client.isClosed)
        #expect(try served.isWell())
    }

    /// A length that two readers could take differently is not read at all.
    @Test(arguments: [
        (["Transfer-Encoding: gzip, chunked"], 501), (["Transfer-Encoding: chunked, chunked"], 400),
        (["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"], 501),
        (["Transfer-Encoding: chunked", "Content-Length: 1"], 400),
        (["Content-Length: 1", "Transfer-Encoding: chunked"], 400),
        (["Content-Length: 1", "Content-Length: 1"], 400), (["Content-Length: 1, 1"], 400),
        (["Content-Length: 1", "Content-Length: 2"], 400), (["Content-Length: +1"], 400),
        (["Transfer-Encoding: gzip"], 501), (["Content-Length: 99999999999999999999"], 400),
    ])
    func aBodyOfTwoLengthsIsRefused(_ headers: [String], _ status: Int) throws {
        let served = try Served()
        let client = try served.client()
        let head = ["POST /api/v1/resync HTTP/1.1", "Host: localhost:\(served.port)"] + headers
        client.send((head + ["", "1", "a", "0", "", ""]).joined(separator: "\r\n"))
        expectEqual(client.answer()?.status, status)
        #expect(client.isClosed)
        #expect(try served.isWell())
    }

    @Test func chunksAreForHTTPOfToday() throws {
        let served = try Served()
        let client = try served.client()
        client.send(
            "POST /api/v1/resync HTTP/1.0\r\nHost: localhost:\(served.port)\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        expectEqual(client.answer()?.status, 400)
        #expect(client.isClosed)
    }

    @Test func severalRequestsAtOnceAreAnsweredInOrder() throws {
        let served = try Served()
        let client = try served.client()
        let host = "Host: localhost:\(served.port)\r\n\r\n"
        client.send(
            "GET /healthz HTTP/1.1\r\n\(host)HEAD /healthz HTTP/1.1\r\n\(host)"
                + "GET /nothing HTTP/1.1\r\n\(host)")
        expectEqual(client.answer()?.status, 200)
        // A head alone has a length and no body.
        client.send("")
        #expect(try served.isWell())
    }

    /// What many small requests weigh together is no head.
    @Test(arguments: ["HEAD /page.css", "GET /healthz", "GET /api/v1/history", "GET /nothing"])
    func manyRequestsOfOneConnectionAreAnswered(_ request: String) throws {
        let served = try Served()
        let client = try served.client()
        let padding = String(repeating: "a", count: 200)
        let words = "\(request) HTTP/1.1\r\nHost: localhost:\(served.port)\r\nX: \(padding)\r\n\r\n"
        for number in 0..<200 {
            client.send(words)
            let isHead = request.hasPrefix("HEAD")
            let isAnswered = isHead ? client.headOfAnswer() != nil : client.answer() != nil
            guard isAnswered else {
                Issue.record("request \(number) got no answer")
                return
            }
        }
        #expect(try served.isWell())
    }

    @Test func emptyLinesWithoutEndAreEnded() throws {
        let served = try Served()
        let client = try served.client()
        var sent = 0
        let block = Array(String(repeating: "\r\n", count: 2_000).utf8)
        while sent < 16 << 20, client.send(block) { sent += block.count }
        #expect(sent < 16 << 20)
        #expect(try served.isWell())
    }

    @Test func aBodyThatComesLateIsNoHead() throws {
        let served = try Served()
        let client = try served.client()
        let body = "{\"on\": false, \"x\": \"" + String(repeating: "y", count: 60_000) + "\"}"
        client.send(
            "POST /api/v1/lamp-test HTTP/1.1\r\nHost: localhost:\(served.port)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n")
        // The head is surely read before the body comes.
        #expect(try served.isWell())
        client.send(body)
        expectEqual(client.answer()?.status, 202)
        expectEqual(client.get("/healthz", served.port)?.status, 200, "the connection goes on")
    }

    @Test(arguments: [
        "GET /api/v1/events HTTP/1.0", "GET /api/v1/events HTTP/1.1\r\nContent-Length: 1",
    ])
    func upgradesThatOthersMayReadOtherwiseAreRefused(_ start: String) throws {
        let served = try Served()
        let client = try served.client()
        let rest = RawClient.upgrade(served.port).drop { $0 != "\r\n" }
        client.send(start + rest + (start.hasSuffix("1") ? "x" : ""))
        expectEqual(client.answer()?.status, 400)
        #expect(client.isClosed)
    }

    @Test func aLargeAnswerComesWholeBeforeTheEnd() throws {
        let served = try Served(isSimulated: true)
        let trace = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
        served.panel.simulation?.script.withLock { $0.trace = trace }
        let client = try served.client()
        let answer = client.get("/api/v1/trace", served.port, headers: ["Connection: close"])
        expectEqual(answer?.body, trace)
        #expect(client.isClosed)
    }

    @Test func everyAnswerIsGuarded() throws {
        let served = try Served()
        for path in ["/", "/api/v1/panel", "/nothing"] {
            let head = try #require(served.client().get(path, served.port)?.head.lowercased())
            for header in [
                "content-security-policy: default-src 'none'", "x-content-type-options: nosniff",
                "cache-control: no-store", "cross-origin-resource-policy: same-origin",
                "cross-origin-opener-policy: same-origin", "referrer-policy: no-referrer",
            ] { #expect(head.contains(header), "\(path) lacks \(header)") }
            #expect(!head.contains("access-control-"), "nobody else may read it")
        }
    }

    // MARK: Upgrades

    @Test(
        arguments: [
            (nil, "Origin: http://evil.example", 403), (nil, "Origin: null", 403),
            (nil, "Sec-Fetch-Site: cross-site", 403), ("evil.example", "X: y", 421),
            (nil, "X: y", 101),
        ] as [(String?, String, Int)])
    func foreignUpgradesAreAnswered(_ host: String?, _ header: String, _ status: Int) throws {
        let served = try Served()
        let client = try served.client()
        client.send(RawClient.upgrade(served.port, host: host, headers: [header]))
        let answer = try #require(client.answer(), "a refusal must not leave a client waiting")
        expectEqual(answer.status, status)
        if status != 101 { #expect(client.isClosed) }
    }

    @Test func ownPagesMayUpgrade() throws {
        let served = try Served()
        let client = try served.client()
        let origin = "Origin: http://localhost:\(served.port)"
        client.send(RawClient.upgrade(served.port, headers: [origin]))
        let answer = try #require(client.answer())
        expectEqual(answer.status, 101)
        #expect(answer.head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "the answer of RFC 6455")
    }

    @Test(
        arguments: [
            ("Sec-WebSocket-Version: ", nil, 400), ("Sec-WebSocket-Version: ", "12", 426),
            ("Sec-WebSocket-Version: ", "13, 8", 426), ("Sec-WebSocket-Version: ", "", 426),
            ("Sec-WebSocket-Key: ", nil, 400), ("Sec-WebSocket-Key: ", "", 400),
            ("Sec-WebSocket-Key: ", "dGhlIHNhbXBsZSBub25jZQ", 400),
            ("Sec-WebSocket-Key: ", "dGhlIHNhbXBsZSBub25jZQ=", 400),
            ("Sec-WebSocket-Key: ", "dGhlIHNhbXBsZSBub25jZ?==", 400),
            ("Sec-WebSocket-Key: ", "dGhlIHNhbXBsZSBub25jZSE=", 400),
        ] as [(String, String?, Int)])
    func upgradesByOtherRulesAreRefused(_ name: String, _ value: String?, _ status: Int) throws {
        let served = try Served()
        let client = try served.client()
        let lines = RawClient.upgrade(served.port).split(
            separator: "\r\n", omittingEmptySubsequences: false
        ).compactMap { $0.hasPrefix(name) ? value.map { name + $0 } : String($0) }
        client.send(lines.joined(separator: "\r\n"))
        let answer = client.answer()
        expectEqual(answer?.status, status)
        let names = answer?.head.lowercased().contains("sec-websocket-version: 13") == true
        expectEqual(names, name.hasSuffix("Version: "), "the version that it has")
        #expect(client.isClosed)
    }

    /// The method and the path say what is wrong, as with any request.
    @Test(arguments: [
        ("POST /api/v1/events", 405, "Allow: GET\r\n"), ("HEAD /api/v1/events", 405, ""),
        ("DELETE /api/v1/panel", 405, "Allow: GET, HEAD\r\n"), ("GET /api/v1/event", 404, ""),
        ("GET /api/v1/events/", 404, ""), ("GET /healthz", 200, ""),
    ])
    func upgradesElsewhereAreOrdinaryRequests(start: String, status: Int, header: String) throws {
        let served = try Served()
        let client = try served.client()
        let rest = RawClient.upgrade(served.port).drop { $0 != "\r\n" }
        client.send(start + " HTTP/1.1" + rest)
        let head = try #require(client.headOfAnswer())
        #expect(head.hasPrefix("HTTP/1.1 \(status) ") && head.contains(header), "\(head)")
        #expect(client.isClosed, "what follows would not be read")
    }

    @Test func otherUpgradesAreOrdinaryRequests() throws {
        let served = try Served()
        let client = try served.client()
        let headers = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"]
        expectEqual(client.get("/healthz", served.port, headers: headers)?.status, 200)
        #expect(client.isClosed, "what follows would not be read")
    }

    /// The parser reads nothing behind a tunnel; a client must not wait for what it sent there.
    @Test func aTunnelIsRefusedAndClosed() throws {
        let served = try Served()
        let client = try served.client()
        let host = "Host: localhost:\(served.port)\r\n"
        client.send("CONNECT /a HTTP/1.1\r\n\(host)\r\nGET /healthz HTTP/1.1\r\n\(host)\r\n")
        expectEqual(client.answer()?.status, 404)
        #expect(client.isClosed)
    }

    @Test func whatFollowsAnUpgradeAtOnceIsRead() throws {
        let served = try Served()
        let client = try served.client()
        let message = RawClient.frame(Array(#"{"type": "resync", "id": 1}"#.utf8))
        client.send(Array(RawClient.upgrade(served.port).utf8) + message)
        expectEqual(client.answer()?.status, 101)
        expectEqual(client.message("answer")?["id"]?.whole, 1)
    }

    @Test func aPortThatIsTakenIsSaid() throws {
        let served = try Served()
        let options = try ServerOptions(listen: "127.0.0.1:\(served.port)")
        let second = try PanelServer(port: served.panel, options: options)
        #expect(throws: ServerError.self) { try second.start() }
        second.stop()
    }
}
