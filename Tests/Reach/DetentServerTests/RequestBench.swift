import DetentPanel
import TestSupport
import Testing

@testable import DetentServer

/// A responder in memory.
final class RequestBench {
    /// Answers that take their time, made when the test says so.
    final class Later {
        private var works: [(@Sendable () -> HTTPResponse, RequestHandler.Reply)] = []

        func add(
            _ make: @escaping @Sendable () -> HTTPResponse, _ reply: @escaping RequestHandler.Reply
        ) {
            works.append((make, reply))
        }

        func run() {
            let taken = works
            works = []
            for (make, reply) in taken { reply(make()) }
        }
    }

    let later = Later()
    let bench: HubBench
    let responder: RequestHandler
    private(set) var answers: [HTTPResponse] = []

    init(
        _ plan: PanelPlan? = nil, isSimulated: Bool = false, names: [String] = [],
        token: String? = nil
    ) throws {
        let panel = try plan.map { try ServedPanel($0, isSimulated: isSimulated) }
        bench = try HubBench(panel, isSimulated: isSimulated)
        responder = RequestHandler(
            hub: bench.hub,
            policy: AccessPolicy(port: 8433, names: names, tokens: AccessTokens(token)),
            page: PageFiles(folder: nil), runInBackground: later.add)
    }

    var panel: ServedPanel { bench.panel }

    /// Asks, and lets the panel answer.
    func ask(
        _ method: String, _ target: String, _ body: String = "",
        headers: [(String, String)] = [("Host", "localhost:8433")]
    ) throws -> HTTPResponse {
        let before = answers.count
        start(method, target, body, headers: headers)
        bench.drain()
        later.run()
        expectEqual(answers.count, before + 1, "\(method) \(target) is answered once")
        return try #require(answers.last)
    }

    func start(
        _ method: String, _ target: String, _ body: String = "",
        headers: [(String, String)] = [("Host", "localhost:8433")]
    ) {
        guard
            var request = HTTPRequest(method: method, target: target, headers: headers)
        else {
            Issue.record("\(target) cannot be read")
            return
        }
        request.body = Array(body.utf8)
        responder.respond(to: request, now: bench.now) { self.answers.append($0) }
    }
}
