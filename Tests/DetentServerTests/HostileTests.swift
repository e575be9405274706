import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import Glibc
import Synchronization
import Testing

@testable import DetentServer

/// Clients that mean harm, or are broken, against the real server on a socket of this machine.
@Suite(.serialized) struct HostileTests {
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
            #expect(client.get(target, served.port, headers: [header])?.status == 431)
            #expect(client.isClosed)
        }
    }

    @Test func aLargeBodyIsTold() throws {
        let served = try Served()
        let head = "PUT /api/v1/controls/output HTTP/1.1\r\nHost: localhost:\(served.port)\r\n"
        let claims = try served.client()
        claims.send(head + "Content-Length: 1000000\r\n\r\n")
        #expect(claims.answer()?.status == 413)
        #expect(claims.isClosed)
        let chunks = try served.client()
        chunks.send(head + "Transfer-Encoding: chunked\r\n\r\n")
        let chunk = "4000\r\n" + String(repeating: "x", count: 0x4000) + "\r\n"
        for _ in 0..<5 { chunks.send(chunk) }
        #expect(chunks.answer()?.status == 413)
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
        #expect(client.answer()?.status == status)
        #expect(client.isClosed)
        #expect(try served.isWell())
    }

    @Test func chunksAreForHTTPOfToday() throws {
        let served = try Served()
        let client = try served.client()
        client.send(
            "POST /api/v1/resync HTTP/1.0\r\nHost: localhost:\(served.port)\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        #expect(client.answer()?.status == 400)
        #expect(client.isClosed)
    }

    @Test func severalRequestsAtOnceAreAnsweredInOrder() throws {
        let served = try Served()
        let client = try served.client()
        let host = "Host: localhost:\(served.port)\r\n\r\n"
        client.send(
            "GET /healthz HTTP/1.1\r\n\(host)HEAD /healthz HTTP/1.1\r\n\(host)"
                + "GET /nothing HTTP/1.1\r\n\(host)")
        #expect(client.answer()?.status == 200)
        // A head alone has a length and no body.
        client.send("")
        #expect(try served.isWell())
    }

    /// What many small requests weigh together is no head.
    @Test(arguments: ["HEAD /core/words.js", "GET /healthz", "GET /api/v1/history", "GET /nothing"])
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
        #expect(client.answer()?.status == 202)
        #expect(client.get("/healthz", served.port)?.status == 200, "the connection goes on")
    }

    @Test(arguments: [
        "GET /api/v1/events HTTP/1.0", "GET /api/v1/events HTTP/1.1\r\nContent-Length: 1",
    ])
    func upgradesThatOthersMayReadOtherwiseAreRefused(_ start: String) throws {
        let served = try Served()
        let client = try served.client()
        let rest = RawClient.upgrade(served.port).drop { $0 != "\r\n" }
        client.send(start + rest + (start.hasSuffix("1") ? "x" : ""))
        #expect(client.answer()?.status == 400)
        #expect(client.isClosed)
    }

    /// One that asks for signs of life and never takes them costs no memory.
    @Test func pingsWithoutEndAreNotKept() throws {
        let served = try Served()
        let client = try served.client()
        client.readLittle()
        client.send(RawClient.upgrade(served.port))
        let ping = RawClient.frame(Array(repeating: 7, count: 125), opcode: 0x9)
        let block = (0..<500).flatMap { _ in ping }
        let before = Served.residentKilobytes
        var sent = 0
        while sent < 24 << 20, client.send(block) { sent += block.count }
        #expect(Served.residentKilobytes - before < 16 << 10)
        #expect(try served.isWell())
    }

    @Test func aLargeAnswerComesWholeBeforeTheEnd() throws {
        let served = try Served(isSimulated: true)
        let trace = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
        served.panel.simulation?.script.withLock { $0.trace = trace }
        let client = try served.client()
        let answer = client.get("/api/v1/trace", served.port, headers: ["Connection: close"])
        #expect(answer?.body == trace)
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
        #expect(answer.status == status)
        if status != 101 { #expect(client.isClosed) }
    }

    @Test func ownPagesMayUpgrade() throws {
        let served = try Served()
        let client = try served.client()
        let origin = "Origin: http://localhost:\(served.port)"
        client.send(RawClient.upgrade(served.port, headers: [origin]))
        let answer = try #require(client.answer())
        #expect(answer.status == 101)
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
        #expect(answer?.status == status)
        let names = answer?.head.lowercased().contains("sec-websocket-version: 13") == true
        #expect(names == name.hasSuffix("Version: "), "the version that it has")
        #expect(client.isClosed)
    }

    @Test func otherUpgradesAreOrdinaryRequests() throws {
        let served = try Served()
        let client = try served.client()
        let headers = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"]
        #expect(client.get("/healthz", served.port, headers: headers)?.status == 200)
        #expect(client.isClosed, "what follows would not be read")
    }

    /// The parser reads nothing behind a tunnel; a client must not wait for what it sent there.
    @Test func aTunnelIsRefusedAndClosed() throws {
        let served = try Served()
        let client = try served.client()
        let host = "Host: localhost:\(served.port)\r\n"
        client.send("CONNECT /a HTTP/1.1\r\n\(host)\r\nGET /healthz HTTP/1.1\r\n\(host)\r\n")
        #expect(client.answer()?.status == 404)
        #expect(client.isClosed)
    }

    @Test func whatFollowsAnUpgradeAtOnceIsRead() throws {
        let served = try Served()
        let client = try served.client()
        let message = RawClient.frame(Array(#"{"type": "resync", "id": 1}"#.utf8))
        client.send(Array(RawClient.upgrade(served.port).utf8) + message)
        #expect(client.answer()?.status == 101)
        #expect(client.message("answer")?["id"]?.whole == 1)
    }

    // MARK: Frames

    @Test(arguments: [1 << 40, UInt64(Int64.max), 16_385] as [UInt64])
    func framesThatClaimTooMuchAreRefused(_ length: UInt64) throws {
        let served = try Served()
        let client = try served.socket()
        client.send(RawClient.frame([], claiming: length))
        #expect(client.closingCode() == 1_009)
        #expect(client.isClosed)
        #expect(try served.isWell())
    }

    @Test func aHugeFrameIsNotTakenIn() throws {
        let served = try Served()
        let client = try served.socket()
        client.send(RawClient.frame([], claiming: 150 << 20))
        let block = [UInt8](repeating: 0, count: 65_536)
        var sent = 0
        while sent < 150 << 20, client.send(block) { sent += block.count }
        #expect(sent < 150 << 20, "it was cut off")
        #expect(try served.isWell())
    }

    private static let broken: [(bytes: [UInt8], code: Int)] = {
        var cases: [(bytes: [UInt8], code: Int)] = []
        cases.append((RawClient.frame([65], isMasked: false), 1_002))
        cases.append((RawClient.frame([0], opcode: 2), 1_003))
        cases.append((RawClient.frame([0xFF, 0xFE]), 1_007))
        cases.append((RawClient.frame([65], reserved: 4), 1_002))
        cases.append((RawClient.frame([65], opcode: 0), 1_002))
        cases.append((RawClient.frame([65], opcode: 3), 1_002))
        cases.append((RawClient.frame([65], opcode: 11), 1_002))
        cases.append((RawClient.frame([65], opcode: 9, isLast: false), 1_002))
        cases.append((RawClient.frame([UInt8](repeating: 0, count: 126), opcode: 9), 1_002))
        let unfinished = RawClient.frame([65], isLast: false)
        cases.append((unfinished + RawClient.frame([65]), 1_002))
        cases.append((RawClient.frame([3, 232], opcode: 8), 1_000))
        cases.append((RawClient.frame([], opcode: 8), 1_000))
        cases.append((RawClient.frame([3], opcode: 8), 1_002))
        // What is kept for other uses, what nobody has given a meaning, and what is no code at all.
        for code in [0, 999, 1_004, 1_005, 1_006, 1_015, 1_016, 2_999, 5_000, 65_535] {
            cases.append((RawClient.frame(RawClient.closing(code), opcode: 8), 1_002))
        }
        for code in [1_001, 1_014, 3_000, 4_999] {
            cases.append((RawClient.frame(RawClient.closing(code, [98]), opcode: 8), code))
        }
        cases.append((RawClient.frame(RawClient.closing(1_000, [0xC3, 0x28]), opcode: 8), 1_007))
        return cases
    }()

    @Test(arguments: broken.indices) func brokenFramesEndTheConnection(_ place: Int) throws {
        let (bytes, code) = Self.broken[place]
        let served = try Served()
        let client = try served.socket()
        client.send(bytes)
        #expect(client.closingCode() == code)
        #expect(client.isClosed)
        #expect(try served.isWell())
    }

    @Test func messagesInPiecesAreOneMessage() throws {
        let served = try Served()
        let client = try served.socket()
        client.send(RawClient.frame(Array(#"{"type": "#.utf8), isLast: false))
        client.send(RawClient.frame([1], opcode: 9))
        client.send(RawClient.frame(Array(#""resync", "id": 2}"#.utf8), opcode: 0))
        #expect(client.frame() == RawClient.Frame(opcode: 10, data: [1]), "asked in between")
        #expect(client.message("answer")?["id"]?.whole == 2)
    }

    @Test(arguments: [1, 16_384]) func messagesInTooManyPiecesAreRefused(_ size: Int) throws {
        let served = try Served()
        let client = try served.socket()
        let piece = [UInt8](repeating: 32, count: size)
        client.send(RawClient.frame(piece, isLast: false))
        for _ in 0..<ServerLimits.fragments {
            guard client.send(RawClient.frame(piece, opcode: 0, isLast: false)) else { break }
        }
        #expect(client.closingCode() == 1_009)
        #expect(try served.isWell())
    }

    // MARK: Silence and slowness

    @Test func whoGivesNoSignOfLifeIsLetGo() throws {
        let served = try Served(silence: .seconds(1), pingEvery: .milliseconds(100))
        let client = try served.socket()
        #expect(client.frame()?.opcode == 9, "it is asked")
        #expect(client.isClosed)
    }

    @Test func whoAnswersStays() throws {
        let served = try Served(silence: .seconds(1), pingEvery: .milliseconds(100))
        let client = try served.socket()
        for _ in 0..<15 {
            let ping = try #require(client.frame())
            #expect(ping.opcode == 9)
            client.send(RawClient.frame(ping.data, opcode: 10))
        }
    }

    @Test func whoDoesNotReadHoldsNobodyUp() throws {
        let served = try Served()
        let slow = try served.client()
        slow.readLittle()
        slow.send(RawClient.upgrade(served.port))
        #expect(slow.answer()?.status == 101)
        let reader = try served.socket()
        let dial = served.panel.control("level")
        var lost = 0
        for round in 0..<400 where lost == 0 {
            served.panel.flood(2_000)
            served.panel.handle(.intent(dial, Value(Int32(round % 20) * 5), .panel))
            _ = reader.message("state")
            lost = try lostListeners(served)
        }
        #expect(lost > 0, "what waits for it is bounded")
        #expect(slow.message("snapshot")?["lost"]?.truth == false)
        #expect(slow.message("snapshot")?["lost"]?.truth == true, "and it gets a fresh one")
    }

    private func lostListeners(_ served: Served) throws -> Int {
        let answer = try #require(served.client().get("/metrics", served.port))
        let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("detent_websocket_lost_total ") })
        return Int(line.split(separator: " ")[1]) ?? 0
    }

    // MARK: Bounds

    @Test func webSocketsAreCounted() throws {
        let served = try Served()
        let clients = try (0..<ServerLimits.webSockets).map { _ in try served.socket() }
        let surplus = try served.client()
        surplus.send(RawClient.upgrade(served.port))
        #expect(surplus.answer()?.status == 503)
        #expect(clients.count == ServerLimits.webSockets)
        #expect(try served.isWell(), "requests are answered still")
    }

    @Test func aWrongTokenCloses() throws {
        let served = try Served(token: "0123456789abcdef")
        let client = try served.client()
        client.send(RawClient.upgrade(served.port))
        #expect(client.answer()?.status == 101)
        client.say(#"{"type": "token", "token": "0123456789abcdeX"}"#)
        #expect(client.closingCode() == 1_008)
        let known = try served.client()
        let header = "Authorization: Bearer 0123456789abcdef"
        known.send(RawClient.upgrade(served.port, headers: [header]))
        #expect(known.answer()?.status == 101)
        #expect(known.frame()?.json?["type"]?.text == "snapshot")
    }

    // MARK: Beginning and end

    @Test func whatHappensArrives() throws {
        let served = try Served()
        let client = try served.socket()
        served.panel.handle(.intent(served.panel.control("level"), Value(15), .panel))
        let state = try #require(client.message("state"))
        #expect(state["state"]?["level"]?["value"] == .number("1.5"))
        client.say(#"{"type": "set", "id": 3, "control": "output", "value": "on"}"#)
        #expect(client.message("answer")?["id"]?.whole == 3)
        served.panel.finish()
        #expect(client.message("state") != nil)
    }

    @Test func theEndIsTold() throws {
        let served = try Served()
        let client = try served.socket()
        served.server.stop()
        #expect(client.closingCode() == 1_001)
        #expect(RawClient(port: served.port) == nil)
    }

    @Test func aPortThatIsTakenIsSaid() throws {
        let served = try Served()
        let options = try ServerOptions(listen: "127.0.0.1:\(served.port)")
        let second = try PanelServer(port: served.panel, options: options)
        #expect(throws: ServerError.self) { try second.start() }
        second.stop()
    }
}
