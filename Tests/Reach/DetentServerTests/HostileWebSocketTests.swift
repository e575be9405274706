import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentServer

/// Hostile and broken WebSocket clients, against the real server on a loopback socket.
@Suite(.serialized) struct HostileWebSocketTests {
    /// One that asks for signs of life and never takes them costs no memory.
    @Test func pingsWithoutEndAreNotKept() throws {
        let served = try Served(write: .milliseconds(300))
        let ping = RawClient.frame(Array(repeating: 7, count: 125), opcode: 0x9)
        let block = (0..<500).flatMap { _ in ping }
        let growth = try Served.growthInKilobytes(below: 16 << 10) {
            let client = try served.client()
            client.readLittle()
            client.send(RawClient.upgrade(served.port))
            var sent = 0
            while sent < 24 << 20, client.send(block) { sent += block.count }
        }
        #expect(growth < 16 << 10)
        #expect(try served.isWell())
    }

    // MARK: Frames

    @Test(arguments: [1 << 40, UInt64(Int64.max), 16_385] as [UInt64])
    func framesThatClaimTooMuchAreRefused(_ length: UInt64) throws {
        let served = try Served()
        let client = try served.socket()
        client.send(RawClient.frame([], claiming: length))
        expectEqual(client.closingCode(), 1_009)
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
        expectEqual(client.closingCode(), code)
        #expect(client.isClosed)
        #expect(try served.isWell())
    }

    @Test func messagesInPiecesAreOneMessage() throws {
        let served = try Served()
        let client = try served.socket()
        client.send(RawClient.frame(Array(#"{"type": "#.utf8), isLast: false))
        client.send(RawClient.frame([1], opcode: 9))
        client.send(RawClient.frame(Array(#""resync", "id": 2}"#.utf8), opcode: 0))
        expectEqual(client.frame(), RawClient.Frame(opcode: 10, data: [1]), "asked in between")
        expectEqual(client.message("answer")?["id"]?.whole, 2)
    }

    @Test(arguments: [1, 16_384]) func messagesInTooManyPiecesAreRefused(_ size: Int) throws {
        let served = try Served()
        let client = try served.socket()
        let piece = [UInt8](repeating: 32, count: size)
        client.send(RawClient.frame(piece, isLast: false))
        for _ in 0..<ServerLimits.fragments {
            guard client.send(RawClient.frame(piece, opcode: 0, isLast: false)) else { break }
        }
        expectEqual(client.closingCode(), 1_009)
        #expect(try served.isWell())
    }

    // MARK: Silence and slowness

    @Test func whoGivesNoSignOfLifeIsLetGo() throws {
        let served = try Served(silence: .seconds(1), pingEvery: .milliseconds(100))
        let client = try served.socket()
        expectEqual(client.frame()?.opcode, 9, "it is asked")
        #expect(client.isClosed)
    }

    @Test func whoAnswersStays() throws {
        let served = try Served(silence: .seconds(2), pingEvery: .milliseconds(100))
        let client = try served.socket()
        for _ in 0..<25 {
            let ping = try #require(client.frame())
            expectEqual(ping.opcode, 9)
            client.send(RawClient.frame(ping.data, opcode: 10))
        }
    }

    @Test func whoDoesNotReadHoldsNobodyUp() throws {
        // It is not closed for its silence, however long this takes.
        let served = try Served(write: .seconds(3_600), silence: .seconds(3_600))
        let slow = try served.client()
        slow.readLittle()
        slow.send(RawClient.upgrade(served.port))
        expectEqual(slow.answer()?.status, 101)
        let reader = try served.socket()
        let dial = served.panel.control("level")
        var lost = 0
        for round in 0..<400 where lost == 0 {
            served.panel.flood(2_000)
            served.panel.handle(.intent(dial, Value(Int32(round % 20) * 5), .panel))
            // A client that reads gets each state, or a snapshot where the storm took it along.
            try #require(reader.message("state", "snapshot") != nil, "round \(round)")
            lost = try lostListeners(served)
        }
        #expect(lost > 0, "what waits for it is bounded")
        expectEqual(slow.message("snapshot")?["lost"]?.truth, false)
        expectEqual(slow.message("snapshot")?["lost"]?.truth, true, "and it gets a fresh one")
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
        expectEqual(surplus.answer()?.status, 503)
        expectEqual(clients.count, ServerLimits.webSockets)
        #expect(try served.isWell(), "requests are answered still")
    }

    @Test func aWrongTokenCloses() throws {
        let served = try Served(token: "0123456789abcdef")
        let client = try served.client()
        client.send(RawClient.upgrade(served.port))
        expectEqual(client.answer()?.status, 101)
        client.say(#"{"type": "token", "token": "0123456789abcdeX"}"#)
        expectEqual(client.closingCode(), 1_008)
        let known = try served.client()
        let header = "Authorization: Bearer 0123456789abcdef"
        known.send(RawClient.upgrade(served.port, headers: [header]))
        expectEqual(known.answer()?.status, 101)
        expectEqual(known.frame()?.json?["type"]?.text, "snapshot")
    }

    // MARK: Beginning and end

    @Test func whatHappensArrives() throws {
        let served = try Served()
        let client = try served.socket()
        served.panel.handle(.intent(served.panel.control("level"), Value(15), .panel))
        let state = try #require(client.message("state"))
        expectEqual(state["state"]?["level"]?["value"], .number("1.5"))
        client.say(#"{"type": "set", "id": 3, "control": "output", "value": "on"}"#)
        expectEqual(client.message("answer")?["id"]?.whole, 3)
        served.panel.finish()
        #expect(client.message("state") != nil)
    }

    @Test func theEndIsTold() throws {
        let served = try Served()
        let client = try served.socket()
        served.server.stop()
        expectEqual(client.closingCode(), 1_001)
        #expect(RawClient(port: served.port) == nil)
    }
}
