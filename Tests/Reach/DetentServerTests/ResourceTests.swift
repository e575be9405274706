import DetentRuntime
import DetentTypes
import TestSupport
import Testing

@testable import DetentServer

/// Every path, with every method and the token of every role: the method is looked at first, then
/// the role, and both follow from the one reading of the path.
@Suite struct ResourceTests {
    private static let tokens = AccessTokens(
        all: AccessRole.allCases.map { AccessToken(role: $0, text: "token of \($0.word)") })

    /// The methods and the role that docs/http.md promises; nil for a role that needs no token.
    private static let promised: [(path: String, methods: [String], role: AccessRole?)] = [
        ("/", ["GET", "HEAD"], nil), ("/healthz", ["GET", "HEAD"], nil),
        ("/metrics", ["GET", "HEAD"], .view), ("/api/v1/panel", ["GET", "HEAD"], .view),
        ("/api/v1/face?width=900&height=600", ["GET", "HEAD"], .view),
        ("/api/v1/wiring", ["GET", "HEAD"], .view), ("/api/v1/history", ["GET", "HEAD"], .view),
        ("/api/v1/scenario", ["GET", "HEAD"], .view), ("/api/v1/trace", ["GET", "HEAD"], .view),
        ("/api/v1/events", ["GET"], .view),
        ("/api/v1/controls/output", ["PUT", "PATCH"], .operate),
        ("/api/v1/controls/output/press", ["POST"], .operate),
        ("/api/v1/controls/tools/close", ["POST"], .operate),
        ("/api/v1/lines/I1/press", ["POST"], .operate), ("/api/v1/clock", ["POST"], .operate),
        ("/api/v1/simulation", ["POST"], .operate), ("/api/v1/resync", ["POST"], .operate),
        ("/api/v1/lamp-test", ["POST"], .operate), ("/api/v1/reload", ["POST"], .configure),
        ("/api/v1/file", ["GET", "HEAD", "POST", "PUT"], .configure),
    ]

    private static let methods = [
        "GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get",
        "Post", "X",
    ]

    private let bench: HubBench
    private let responder: RequestHandler

    init() throws {
        bench = try HubBench(isSimulated: true, tokens: Self.tokens)
        responder = RequestHandler(
            hub: bench.hub, policy: AccessPolicy(port: 8_433, names: [], tokens: Self.tokens),
            page: PageFiles(folder: nil), runInBackground: { make, reply in reply(make()) })
    }

    private func answer(_ method: String, _ target: String, _ role: AccessRole?) throws
        -> HTTPResponse
    {
        var headers = [("Host", "localhost:8433")]
        if let role { headers.append(("Authorization", "Bearer token of \(role.word)")) }
        let request = try #require(HTTPRequest(method: method, target: target, headers: headers))
        var answer: HTTPResponse?
        responder.respond(to: request, now: bench.now) { answer = $0 }
        bench.pass(.milliseconds(300))
        return try #require(answer, "\(method) \(target)")
    }

    @Test(arguments: promised.indices)
    func everyMethodWithEveryToken(index: Int) throws {
        let it = Self.promised[index]
        for method in Self.methods {
            for role in [nil, .view, .operate, .configure] as [AccessRole?] {
                let answer = try answer(method, it.path, role)
                let what: Comment = "\(method) \(it.path) as \(role?.word ?? "nobody")"
                guard it.methods.contains(method) else {
                    expectEqual(answer.status, 405, what)
                    let allowed = answer.headers.first { $0.0 == "Allow" }?.1
                    expectEqual(allowed, it.methods.joined(separator: ", "), what)
                    continue
                }
                switch (it.role, role) {
                case (nil, _): expectEqual(answer.status, 200, what)
                case (_?, nil): expectEqual(answer.status, 401, what)
                case (let needed?, let role?):
                    expectEqual(answer.status == 403, role < needed, what)
                    #expect(![401, 405].contains(answer.status), what)
                }
            }
        }
    }

    /// A path that is written in another way names nothing, whatever the method and the token.
    @Test(arguments: [
        "/api/v1/reload/", "/api/v1//reload", "//api/v1/reload", "/api//v1/reload",
        "/API/v1/reload", "/api/V1/reload", "/api/v1/Reload", "/api/v1/reload%2F",
        "/api/v1%2Freload/", "/api/v1/%2Freload", "/./api/v1/reload", "/x/../api/v1/reload",
        "/api/v1/reload/x", "/api/v1/controls/", "/api/v1/controls//press",
        "/api/v1/controls/output/", "/api/v1/controls/a/b/c", "/api/v1", "/api/v1/", "/metrics/",
        "/healthz/", "/Metrics", "/api/v2/reload", "/api/v1/reload\u{0}", "/api/v1/reload ",
    ])
    func oddPathsNameNothing(path: String) throws {
        for method in Self.methods {
            for role in [nil, .view, .configure] as [AccessRole?] {
                let status = try answer(method, path, role).status
                expectEqual(status, 404, "\(method) \(path) as \(role?.word ?? "nobody")")
            }
        }
    }

    /// A method of another path changes nothing, with any token.
    @Test func aWrongMethodReloadsNothing() throws {
        for method in Self.methods where method != "POST" {
            let status = try answer(method, "/api/v1/reload", .configure).status
            expectEqual(status, 405, "\(method)")
        }
    }
}
