import DetentCore
import DetentPanel
import DetentPlatform
import DetentTypes
import Synchronization
import TestSupport
import Testing

@testable import DetentServer

/// Many connections and many requests: what they may take of the server, and who gets in still.
@Suite(.serialized) struct FloodTests {
    private static let token = "0123456789abcdef"
    private static let bearer = "Authorization: Bearer \(token)"

    // MARK: One connection

    /// A client that sends requests ahead and never reads fills its own socket, and nothing here.
    @Test(arguments: ["/", "/api/v1/panel", "/page.js", "/nothing"])
    func requestsAheadAreNotKept(_ target: String) throws {
        let served = try Served(write: .milliseconds(500))
        let request = Array("GET \(target) HTTP/1.1\r\nHost: localhost:\(served.port)\r\n\r\n".utf8)
        let block = (0..<500).flatMap { _ in request }
        let growth = try Served.growthInKilobytes(below: 16 << 10) {
            let client = try served.client()
            client.readLittle()
            var sent = 0
            while sent < 64 << 20, client.send(block) { sent += block.count }
            #expect(sent < 16 << 20, "it was closed")
        }
        #expect(growth < 16 << 10)
        #expect(try served.isWell())
    }

    /// Nor do they take stack, however many come in one piece.
    @Test func requestsAheadAreAnsweredInOrder() throws {
        let served = try Served()
        let client = try served.client()
        let count = TestLength.size(short: 1_000, long: 5_000)
        var requests = ""
        for number in 0..<count {
            requests += "GET /\(number) HTTP/1.1\r\nHost: localhost:\(served.port)\r\n\r\n"
        }
        client.send(requests)
        for number in 0..<count {
            let answer = try #require(client.answer(), "request \(number)")
            let body = String(decoding: answer.body, as: UTF8.self)
            guard answer.status == 404, body.contains("`/\(number)`") else {
                Issue.record("request \(number): \(answer.status) \(body)")
                return
            }
        }
    }

    @Test func whoDoesNotTakeItsAnswerIsClosed() throws {
        let served = try Served(write: .milliseconds(300), isSimulated: true)
        served.panel.simulation?.script.withLock {
            $0.trace = [UInt8](repeating: 65, count: 8 << 20)
        }
        let client = try served.client()
        client.readLittle()
        client.send("GET /api/v1/trace HTTP/1.1\r\nHost: localhost:\(served.port)\r\n\r\n")
        // Its own end says so: nothing more can be sent to a connection that was cut.
        let block = [UInt8](repeating: 65, count: 65_536)
        var sent = 0
        while sent < 64 << 20, client.send(block) { sent += block.count }
        #expect(sent < 64 << 20)
        #expect(try served.isWell())
    }

    @Test func aListenerThatTakesNothingIsClosed() throws {
        let served = try Served(silence: .seconds(1), pingEvery: .milliseconds(100))
        let client = try served.client()
        client.readLittle()
        client.send(RawClient.upgrade(served.port))
        expectEqual(client.answer()?.status, 101)
        var reader = try served.socket()
        let dial = served.panel.control("level")
        let pong = RawClient.frame([], opcode: 10)
        // It shows that it lives, and reads nothing.
        let end = MonotonicClock.now + .seconds(300)
        var isOpen = true
        var round: Int32 = 0
        while isOpen, MonotonicClock.now < end {
            round += 1
            served.panel.flood(2_000)
            served.panel.handle(.intent(dial, Value(round % 20 * 5), .panel))
            // The storms wait until one who reads has heard; else nobody gets anything to take.
            if reader.message("state", "snapshot") == nil { reader = try served.socket() }
            reader.send(pong)
            isOpen = client.send(pong)
        }
        #expect(!isOpen)
        #expect(try served.isWell())
    }

    // MARK: Many connections

    /// Connections that ask for nothing, and WebSockets that never show their token.
    private func crowd(_ served: Served) throws -> [RawClient] {
        var crowd: [RawClient] = []
        for number in 0..<200 {
            let client = try served.client()
            switch number % 4 {
            case 0: break
            case 1: client.send("GET /api/v1/panel HTTP/1.1\r\nHost: local")
            case 2: client.send(RawClient.upgrade(served.port))
            case _:
                client.send(
                    "PUT /api/v1/controls/output HTTP/1.1\r\nHost: localhost:\(served.port)\r\n"
                        + "Content-Length: 20\r\n\r\n{")
            }
            crowd.append(client)
        }
        return crowd
    }

    @Test func aCrowdWithoutTokenLocksNobodyOut() throws {
        let served = try Served(token: Self.token)
        let early = try served.client()
        expectEqual(early.get("/api/v1/panel", served.port, headers: [Self.bearer])?.status, 200)
        let listener = try served.client()
        listener.send(RawClient.upgrade(served.port, headers: [Self.bearer]))
        expectEqual(listener.answer()?.status, 101)
        let crowd = try crowd(served)
        #expect(try served.isWell(), "health")
        let late = try served.client()
        expectEqual(late.get("/api/v1/panel", served.port, headers: [Self.bearer])?.status, 200)
        expectEqual(early.get("/api/v1/panel", served.port, headers: [Self.bearer])?.status, 200)
        let socket = try served.client()
        socket.send(RawClient.upgrade(served.port))
        expectEqual(socket.answer()?.status, 101)
        socket.say(#"{"type": "token", "id": 1, "token": "\#(Self.token)"}"#)
        #expect(socket.message("snapshot") != nil)
        served.panel.handle(.intent(served.panel.control("output"), .on, .panel))
        #expect(listener.message("state") != nil, "it hears on")
        expectEqual(crowd.count, 200)
    }

    private static let wrong = "Authorization: Bearer 0123456789abcdeX"

    /// Whoever tries tokens waits for each answer; whoever has one does not.
    @Test func guessingTakesTime() throws {
        let served = try Served(wrongToken: .seconds(60), token: Self.token)
        var guessers: [RawClient] = []
        for number in 0..<ServerLimits.strangersPerPeer - 2 {
            let client = try served.client()
            let isUpgrade = number % 2 == 0
            let start =
                isUpgrade
                ? RawClient.upgrade(served.port, headers: [Self.wrong])
                : "GET /api/v1/panel HTTP/1.1\r\nHost: localhost:\(served.port)\r\n"
                    + "\(Self.wrong)\r\n\r\n"
            client.send(start)
            guessers.append(client)
        }
        let owner = try served.client()
        for _ in 0..<20 {
            expectEqual(
                owner.get("/api/v1/panel", served.port, headers: [Self.bearer])?.status, 200)
        }
        #expect(guessers.allSatisfy { !$0.hasMore })
    }

    @Test func aConnectionHasOneGuess() throws {
        let served = try Served(token: Self.token)
        let client = try served.client()
        let answer = client.get("/api/v1/panel", served.port, headers: [Self.wrong])
        expectEqual(answer?.status, 401)
        #expect(client.isClosed)
        let viewer = try served.client()
        expectEqual(viewer.get("/api/v1/panel", served.port)?.status, 401)
        expectEqual(
            viewer.get("/api/v1/panel", served.port, headers: [Self.bearer])?.status, 200,
            "without a token it is no guess")
        let socket = try served.client()
        socket.send(RawClient.upgrade(served.port, headers: [Self.wrong]))
        expectEqual(socket.answer()?.status, 401)
        #expect(socket.isClosed)
    }

    @Test func whereNoTokenIsAskedForIdleOnesGiveWay() throws {
        let served = try Served()
        var crowd: [RawClient] = []
        for _ in 0..<200 {
            let client = try served.client()
            expectEqual(client.get("/healthz", served.port)?.status, 200)
            crowd.append(client)
        }
        #expect(try served.isWell())
        expectEqual(crowd.first?.isClosed, true, "the one that was idle for longest")
        expectEqual(crowd.last?.get("/api/v1/panel", served.port)?.status, 200)
    }

    @Test func listenersAreCountedByTheirToken() throws {
        let served = try Served(token: Self.token)
        var listeners: [RawClient] = []
        for _ in 0..<ServerLimits.webSockets {
            let client = try served.client()
            client.send(RawClient.upgrade(served.port, headers: [Self.bearer]))
            expectEqual(client.answer()?.status, 101)
            #expect(client.message("snapshot") != nil)
            listeners.append(client)
        }
        let refused = try served.client()
        refused.send(RawClient.upgrade(served.port, headers: [Self.bearer]))
        expectEqual(refused.answer()?.status, 503)
        expectEqual(listeners.count, ServerLimits.webSockets)
    }

    /// Room that is gone between the upgrade and the token is told as well.
    @Test func aTokenThatComesTooLateIsAnswered() throws {
        let bench = try HubBench(token: Self.token)
        let (waiting, source) = bench.listen()
        for _ in 0..<ServerLimits.webSockets { _ = bench.listen(role: .configure) }
        bench.say(#"{"type": "token", "id": 1, "token": "\#(Self.token)"}"#, source)
        expectEqual(waiting.last("answer")?["problem"]?["status"]?.whole, 503)
        expectEqual(waiting.end, .tooMany)
        #expect(waiting.last("snapshot") == nil)
    }

    // MARK: Damage

    /// A few hundred damaged requests on real connections; what was damaged is printed on failure.
    @Test(arguments: [11, 12] as [UInt64]) func damagedRequestsHarmNobody(_ seed: UInt64) throws {
        let served = try Served(isSimulated: true)
        var maker = RequestMaker(seed: seed, host: "localhost:\(served.port)")
        var client = try served.client()
        for round in 0..<300 {
            let bytes = maker.next()
            if !client.send(bytes) || round % 7 == 0 { client = try served.client() }
        }
        #expect(try served.isWell(), "seed \(seed)")
    }
}
