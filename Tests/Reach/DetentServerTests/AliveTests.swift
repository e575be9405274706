import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
import Synchronization
import TestSupport
import Testing

@testable import DetentServer

/// A panel that hangs is told, and one that lives is not asked more than it has to be.
@Suite struct AliveTests {
    private final class Bench {
        let bench: HubBench
        let responder: RequestHandler
        private(set) var answers: [HTTPResponse] = []
        var panel: ServedPanel { bench.panel }

        init() throws {
            bench = try HubBench()
            responder = RequestHandler(
                hub: bench.hub,
                policy: AccessPolicy(port: 8433, names: [], tokens: AccessTokens(nil)),
                page: PageFiles(folder: nil), runInBackground: { _, _ in })
        }

        /// Asks; the panel is not looked at.
        func ask(_ path: String) throws {
            let request = try #require(
                HTTPRequest(method: "GET", target: path, headers: [("Host", "localhost:8433")]))
            responder.respond(to: request, now: bench.now) { self.answers.append($0) }
        }
    }

    private static let paths = ["/healthz", "/metrics", "/api/v1/panel", "/api/v1/history"]

    @Test func aPanelThatHangsIsToldInTime() throws {
        let bench = try Bench()
        bench.panel.hold()
        for path in Self.paths { try bench.ask(path) }
        #expect(bench.answers.isEmpty)
        expectEqual(bench.bench.hub.deadline, bench.bench.now + RuntimeLimits.answerTime)
        bench.bench.pass(RuntimeLimits.answerTime)
        expectEqual(bench.answers.map(\.status), [503, 503, 503, 503])
        // It still owes an answer, so the next ones do not wait; and none takes a place.
        for _ in 0..<2 * ServerLimits.waitingRequests { try bench.ask("/healthz") }
        expectEqual(bench.answers.count, 4 + 2 * ServerLimits.waitingRequests)
        #expect(bench.answers.allSatisfy { $0.status == 503 })
        expectEqual(bench.bench.hub.deadline, .never)
        // It goes on, and answers what it was asked.
        bench.panel.release()
        bench.bench.drain()
        for path in Self.paths { try bench.ask(path) }
        bench.bench.drain()
        expectEqual(bench.answers.suffix(4).map(\.status), [200, 200, 200, 200])
        #expect(!bench.panel.updates.isWatched, "and nobody is watched any more")
    }

    /// Also where a page is open, and all states are known.
    @Test func whatIsKnownIsNoProof() throws {
        let bench = try Bench()
        let (ear, _) = bench.bench.listen()
        bench.bench.pass(ServerLimits.sharedAnswer)
        ear.forget()
        bench.panel.hold()
        for path in Self.paths { try bench.ask(path) }
        #expect(bench.answers.isEmpty)
        bench.panel.release()
        bench.bench.drain()
        expectEqual(bench.answers.map(\.status), [200, 200, 200, 200])
        #expect(ear.all("state").isEmpty, "what did not change is not told again")
    }

    /// However many ask, the panel is asked once in a second.
    @Test func anAnswerIsShared() throws {
        let bench = try Bench()
        try bench.ask("/healthz")
        bench.bench.drain()
        expectEqual(bench.answers.count, 1)
        bench.panel.hold()
        for _ in 0..<100 {
            try bench.ask("/healthz")
            try bench.ask("/metrics")
        }
        #expect(bench.answers.count == 201 && !bench.bench.hub.isAwaited)
        bench.bench.pass(ServerLimits.sharedAnswer)
        try bench.ask("/healthz")
        expectEqual(bench.answers.count, 201, "asked anew")
        bench.panel.release()
        bench.bench.drain()
        expectEqual(bench.answers.count, 202)
        #expect(bench.answers.allSatisfy { $0.status == 200 })
    }

    /// What a client has just changed is in the answer to its next question.
    @Test func statesAndHistoryAreNotShared() throws {
        let bench = try Bench()
        try bench.ask("/api/v1/panel")
        bench.bench.drain()
        bench.panel.handle(.intent(bench.panel.control("output"), .on, .panel))
        try bench.ask("/api/v1/panel")
        bench.bench.drain()
        let last = try #require(bench.answers.last)
        let state = try JSONReader.read(last.body, depth: 32)["state"]
        expectEqual(state?["output"]?["value"]?.text, "on")
    }

    @Test func aPingIsAWordOfThePanel() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.pass(ServerLimits.sharedAnswer)
        bench.panel.hold()
        bench.say(#"{"type": "ping", "id": 1}"#, source)
        #expect(ear.last("answer") == nil)
        bench.panel.release()
        bench.drain()
        expectEqual(ear.last("answer")?["id"]?.whole, 1)
        #expect(ear.last("answer")?["problem"]?["status"] == nil)
        bench.panel.hold()
        bench.pass(ServerLimits.sharedAnswer)
        bench.say(#"{"type": "ping", "id": 2}"#, source)
        bench.pass(RuntimeLimits.answerTime)
        expectEqual(ear.last("answer")?["id"]?.whole, 2)
        expectEqual(ear.last("answer")?["problem"]?["status"]?.whole, 503)
    }

    /// One page cannot take the places of others by pings.
    @Test func pingsThatWaitAreBounded() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.pass(ServerLimits.sharedAnswer)
        bench.panel.hold()
        for id in 0...ServerLimits.waitingPerConnection {
            bench.say(#"{"type": "ping", "id": \#(id)}"#, source)
        }
        expectEqual(bench.hub.waitingForStates, ServerLimits.waitingPerConnection)
        expectEqual(ear.last("answer")?["problem"]?["status"]?.whole, 429)
    }

    // MARK: The thread of the server

    /// What the server said of its connections.
    private final class Proofs: Sendable {
        private let said = Mutex<[Bool]>([])
        private let bell: WakeUp

        init() throws { bell = try WakeUp() }

        func add(_ isBusy: Bool) {
            said.withLock { $0.append(isBusy) }
            bell.ring()
        }

        var all: [Bool] { said.withLock { $0 } }

        /// All of them, when there is another one.
        func next() -> [Bool] {
            bell.wait(until: MonotonicClock.now + .seconds(20))
            bell.clear()
            return all
        }
    }

    /// What the thread of the server has to answer is not answered while that thread hangs.
    @Test func onlyTheServersThreadProvesThatItLives() throws {
        let gate = try WakeUp()
        let entered = try WakeUp()
        let proofs = try Proofs()
        let panel = try ServedPanel()
        let server = try PanelServer(
            port: panel, options: ServerOptions(listen: "127.0.0.1:0"), listening: nil,
            resuming: nil, reload: nil,
            becomesBusy: {
                entered.ring()
                gate.wait(until: MonotonicClock.now + .seconds(20))
            })
        let url = try server.start()
        defer { server.stop() }
        server.proveAlive { proofs.add($0) }
        expectEqual(proofs.next(), [false])
        let port = url.split(separator: ":").last.flatMap { Int($0.prefix { $0.isNumber }) }
        let client = try #require(RawClient(port: port ?? 0))
        entered.wait(until: MonotonicClock.now + .seconds(20))
        server.proveAlive { proofs.add($0) }
        expectEqual(proofs.all, [false], "it hangs")
        gate.ring()
        expectEqual(proofs.next(), [false, true], "it has a connection")
        _ = client
    }
}
