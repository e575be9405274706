import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentServer

/// Messages with random damage: never a trap, each is answered, and what follows still works.
@Suite struct MessageFuzzTests {
    private typealias Numbers = RequestMaker.Numbers

    private static let originals = [
        #"{"type": "set", "id": 1, "control": "output", "value": "on", "confirm": "x"}"#,
        #"{"type": "set", "id": 1, "control": "level", "value": 2.5}"#,
        #"{"type": "set", "id": 1, "control": "parts", "value": ["Pump", "Fan"]}"#,
        #"{"type": "fire", "id": 1, "control": "erase", "confirm": "\#(TokenCount.token(1))"}"#,
        #"{"type": "trace", "id": 1, "lines": ["I1", "L1"]}"#,
        #"{"type": "gesture", "id": 1, "verb": "hold", "control": "erase", "for": "2s"}"#,
        #"{"type": "gesture", "id": 1, "verb": "stick", "line": "I1", "value": "active"}"#,
        #"{"type": "clock", "id": 1, "do": "rate", "rate": 0.1}"#,
        #"{"type": "simulate", "id": 1, "control": "output", "bounce": {"closes": "3ms"}}"#,
        #"{"type": "simulate", "id": 1, "control": "output", "action": {"takes": "2s"}}"#,
        #"{"type": "lamp-test", "id": 1, "on": true}"#,
    ]

    private static let words = [
        "null", "true", "[]", "{}", "-1", "1e999", "99999999999999999999", "\"\"", "\"on\"",
        "0.0000000000000001", "\\ud800", "\\u0000", "[[[[[[[[[[", "\u{0}", "ü", "\"",
    ]

    @Test(arguments: [1, 2, 3] as [UInt64]) func damagedMessagesAreAnswered(_ seed: UInt64) throws {
        var numbers = Numbers(state: seed)
        let bench = try HubBench(isSimulated: true)
        let (ear, source) = bench.listen()
        for round in 0..<600 {
            var bytes = Array(
                Self.originals[Int.random(in: 0..<Self.originals.count, using: &numbers)].utf8)
            for _ in 0...Int.random(in: 0..<4, using: &numbers) { damage(&bytes, &numbers) }
            ear.forget()
            bench.hub.receive(bytes, from: source, now: bench.now)
            bench.pass(.milliseconds(300))
            let isAnswered = !ear.all("answer").isEmpty
            let text = String(decoding: bytes, as: UTF8.self)
            let hasNumber = (try? JSONReader.read(bytes))?["id"]?.whole != nil
            #expect(isAnswered || !hasNumber, "seed \(seed), round \(round): \(text)")
        }
        #expect(ear.end == nil && bench.hub.changes.isEmpty)
        bench.say(#"{"type": "lamp-test", "id": 7, "on": false}"#, source)
        expectEqual(ear.last("answer")?.line, #"{"type": "answer", "id": 7}"#, "seed \(seed)")
    }

    private func damage(_ bytes: inout [UInt8], _ numbers: inout Numbers) {
        let place = Int.random(in: 0...bytes.count, using: &numbers)
        let end = min(bytes.count, place + Int.random(in: 0..<12, using: &numbers))
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &numbers) }
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 3: bytes.removeSubrange(place...)
        case _:
            let word = Self.words[Int.random(in: 0..<Self.words.count, using: &numbers)]
            bytes.replaceSubrange(place..<end, with: word.utf8)
        }
    }

    /// Requests as damaged as that make no request, or one that is answered.
    @Test(arguments: [1, 2] as [UInt64]) func damagedTargetsAreRead(_ seed: UInt64) {
        var numbers = Numbers(state: seed)
        for _ in 0..<2_000 {
            var bytes = Array("/api/v1/history?since=1&control=a%20b".utf8)
            for _ in 0...Int.random(in: 0..<4, using: &numbers) { damage(&bytes, &numbers) }
            let target = String(decoding: bytes, as: UTF8.self)
            let request = HTTPRequest(method: "GET", target: target, headers: [])
            #expect(request == nil || target.hasPrefix("/"), "seed \(seed): \(target)")
        }
    }

    /// Whatever a parser of HTTP may hand over is answered, and with no fault of the server.
    @Test(arguments: [1, 2, 3] as [UInt64]) func anyRequestIsAnswered(_ seed: UInt64) throws {
        var maker = RequestMaker(seed: seed, host: "localhost:8433")
        let bench = try HubBench(isSimulated: true)
        let responder = RequestHandler(
            hub: bench.hub, policy: AccessPolicy(port: 8_433, names: [], tokens: AccessTokens()),
            page: PageFiles(folder: nil), runInBackground: { make, reply in reply(make()) })
        for round in 0..<3_000 {
            let (method, target, headers, body) = maker.parts()
            guard var request = HTTPRequest(method: method, target: target, headers: headers)
            else { continue }
            request.body = body
            for name in ["expect", "upgrade", "connection", "accept-encoding"] {
                _ = request.lists("gzip", in: name)
            }
            _ = responder.refusalOfWebSocket(request)
            var status = 0
            responder.respond(to: request, now: bench.now) { status = $0.status }
            bench.pass(.milliseconds(300))
            #expect((200..<500).contains(status), "seed \(seed), round \(round): \(request)")
        }
    }
}
