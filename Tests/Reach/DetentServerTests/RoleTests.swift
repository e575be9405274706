import DetentPanel
import DetentRuntime
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentServer

/// What a token of each role allows, for each request and message of docs/http.md.
@Suite struct RoleTests {
    private static let tokens = AccessTokens(
        all: AccessRole.allCases.map { AccessToken(role: $0, text: "token of \($0.word)") })

    /// The role that docs/http.md promises.
    private static func promised(_ words: String) -> AccessRole {
        if words.contains("reload") || words.contains("/file") { return .configure }
        let reads = ["GET ", #"{"type": "token""#, #"{"type": "ping""#, #"{"type": "trace""#]
        return reads.contains { words.hasPrefix($0) } ? .view : .operate
    }

    @Test(arguments: DocumentTests.requests, AccessRole.allCases)
    func requests(_ words: String, _ role: AccessRole) throws {
        let bench = try HubBench(isSimulated: true, tokens: Self.tokens)
        let responder = RequestHandler(
            hub: bench.hub, policy: AccessPolicy(port: 8_433, names: [], tokens: Self.tokens),
            page: PageFiles(folder: nil), runInBackground: { make, reply in reply(make()) })
        let parts = words.split(separator: " ").map(String.init)
        let target = parts[1].replacing("ID/VERB", with: "erase/press").replacing(
            "ID", with: "output")
        let request = try #require(
            HTTPRequest(
                method: parts[0], target: target,
                headers: [
                    ("Host", "localhost:8433"), ("Authorization", "Bearer token of \(role.word)"),
                ]))
        var answer: HTTPResponse?
        responder.respond(to: request, now: bench.now) { answer = $0 }
        bench.pass(.milliseconds(300))
        let isRefused = answer?.status == 403
        expectEqual(isRefused, (role < Self.promised(words)), "\(words) as \(role)")
    }

    @Test(arguments: DocumentTests.messages, AccessRole.allCases)
    func messages(_ words: String, _ role: AccessRole) throws {
        let bench = try HubBench(isSimulated: true, tokens: Self.tokens)
        let (ear, source) = bench.listen()
        bench.say(#"{"type": "token", "token": "token of \#(role.word)"}"#, source)
        expectEqual(ear.last("snapshot")?["role"]?.text, role.word)
        guard case .object(let members) = try JSONReader.read(Array(words.utf8)) else {
            Issue.record("\(words) is no object")
            return
        }
        let numbered = members.filter { $0.0 != "id" } + [("id", .integer(7))]
        bench.say(JSONValue.object(numbered).line, source)
        let isRefused = ear.last("answer")?["problem"]?["status"]?.whole == 403
        expectEqual(isRefused, (role < Self.promised(words)), "\(words) as \(role)")
    }

    /// A page that views and one that operates listen at the same time; each knows its own role.
    @Test func eachListenerHasItsOwnRole() throws {
        let bench = try HubBench(tokens: Self.tokens)
        let (viewer, viewing) = bench.listen(role: .view)
        let (operator_, operating) = bench.listen(role: .operate)
        expectEqual(viewer.last("snapshot")?["role"]?.text, "view")
        expectEqual(operator_.last("snapshot")?["role"]?.text, "operate")
        let set = #"{"type": "set", "id": 1, "control": "output", "value": "on"}"#
        bench.say(set, viewing)
        let problem = viewer.last("answer")?["problem"]
        expectEqual(problem?["title"]?.text, "This token has the role `view`; this needs `operate`")
        expectEqual(problem?["detail"]?.text, "use a token of `--token-file operate=FILE`")
        bench.say(set, operating)
        #expect(operator_.last("answer")?["problem"] == nil)
    }

    /// Viewers cannot take all places: some are kept for those who may do more.
    @Test func everyRoleHasAPlace() throws {
        let bench = try HubBench(tokens: Self.tokens)
        func join(_ role: AccessRole) -> Bool {
            let hasRoom = bench.hub.hasRoomForListener(role)
            if hasRoom { _ = bench.listen(role: role) }
            return hasRoom
        }
        var all: [AccessRole: Int] = [:]
        for role in AccessRole.allCases {
            while join(role) { all[role, default: 0] += 1 }
        }
        expectEqual(all, [.view: 6, .operate: 1, .configure: 1])
        #expect(!join(.view) && !join(.operate) && !join(.configure))
        let refused = APIError.tooManyListeners(.view)
        expectEqual(
            refused.title, "6 WebSockets are open, which is the limit for the role `view`")
    }

    /// How many callers of each role wait, when those that may do less come first.
    private func waiting(_ ask: (AccessRole, @escaping (APIError?) -> Void) -> Void)
        -> [AccessRole: Int]
    {
        var all: [AccessRole: Int] = [:]
        for role in AccessRole.allCases {
            for _ in 0..<100 {
                var problem: APIError?
                ask(role) { problem = $0 }
                if problem == nil { all[role, default: 0] += 1 }
            }
        }
        return all
    }

    /// The panel hangs, and all ask: nobody takes the places of those who may do more.
    @Test func everyRoleHasAPlaceForStates() throws {
        let bench = try HubBench(tokens: Self.tokens)
        bench.panel.hold()
        let all = waiting { role, finish in
            bench.hub.withStates(as: role, now: bench.now, finish)
        }
        expectEqual(all, [.view: 48, .operate: 8, .configure: 8])
    }

    @Test func everyRoleHasAPlaceForChanges() throws {
        let bench = try HubBench(tokens: Self.tokens)
        bench.panel.hold()
        let on = JSONValue.object([("value", .string("on"))])
        let all = waiting { role, finish in
            guard role >= .operate else { return finish(.tooMuch) }
            bench.hub.change("output", on, origin: .api, as: Caller(role: role), now: bench.now) {
                result in
                if case .failure(let problem) = result { finish(problem) }
            }
        }
        expectEqual(all, [.operate: 56, .configure: 8])
    }

    @Test func aTokenOfTwoRolesHasTheGreaterOne() {
        let both = AccessTokens(all: [
            AccessToken(role: .operate, text: "same"), AccessToken(role: .view, text: "same"),
        ])
        expectEqual(both.caller(of: "same")?.role, .operate)
        #expect(
            both.caller(of: "sama") == nil && both.caller(of: "") == nil
                && both.caller(of: nil) == nil)
        expectEqual(AccessTokens().caller(of: nil)?.role, .configure, "no tokens: all is allowed")
    }

    @Test func aFileCanNameItsRole() throws {
        let file = TemporaryToken("0123456789abcdef")
        for (option, role) in [
            (file.path, AccessRole.configure), ("view=" + file.path, .view),
            ("operate=" + file.path, .operate), ("configure=" + file.path, .configure),
        ] {
            let options = try ServerOptions(listen: "127.0.0.1:8433", tokenFiles: [option])
            expectEqual(options.tokens.caller(of: "0123456789abcdef")?.role, role, "\(option)")
        }
        let two = try ServerOptions(
            listen: "127.0.0.1:8433", tokenFiles: ["view=" + file.path, file.path])
        expectEqual(two.tokens.all.count, 2)
    }

    /// Events say whose token it was: the name of its file.
    @Test func aTokenHasTheNameOfItsFile() throws {
        let file = TemporaryToken("0123456789abcdef")
        let options = try ServerOptions(
            listen: "127.0.0.1:8433", tokenFiles: ["view=" + file.path, "operate=" + file.path])
        let last = file.path.split(separator: "/").last ?? ""
        let name = last.split(separator: ".").first.map(String.init)
        expectEqual(options.callers, [name, name])
        var plan = try ServedPanel.plan()
        let tokens = AccessTokens(all: [
            AccessToken(role: .view, text: "one", name: "door"),
            AccessToken(role: .operate, text: "two", name: "kitchen"),
        ])
        plan.callers = tokens.names
        let bench = try HubBench(ServedPanel(plan), tokens: tokens)
        let (ear, source) = bench.listen()
        bench.say(#"{"type": "token", "token": "two"}"#, source)
        bench.say(#"{"type": "set", "id": 1, "control": "output", "value": "on"}"#, source)
        bench.say(#"{"type": "lamp-test", "id": 2, "on": true}"#, source)
        bench.pass(.milliseconds(300))
        func isTold(_ event: String, from origin: String) -> Bool {
            ear.all("events").flatMap { $0["events"]?.items ?? [] }.contains {
                $0["event"]?.text == event && $0["origin"]?.text == origin
                    && $0["by"]?.text == "kitchen"
            }
        }
        #expect(isTold("changed", from: "web") && isTold("lamp-test", from: "web"))
        var answer: HTTPResponse?
        let responder = RequestHandler(
            hub: bench.hub, policy: AccessPolicy(port: 8_433, names: [], tokens: tokens),
            page: PageFiles(folder: nil), runInBackground: { make, reply in reply(make()) })
        let requests = [
            ("PUT", "/api/v1/controls/level", #"{"value": 5}"#),
            ("POST", "/api/v1/lamp-test", #"{"on": false}"#),
        ]
        for (method, target, body) in requests {
            var request = try #require(
                HTTPRequest(
                    method: method, target: target,
                    headers: [("Host", "localhost:8433"), ("Authorization", "Bearer two")]))
            request.body = Array(body.utf8)
            answer = nil
            responder.respond(to: request, now: bench.now) { answer = $0 }
            bench.pass(.milliseconds(300))
            expectEqual(answer?.status, 202)
        }
        #expect(isTold("changed", from: "api") && isTold("lamp-test", from: "api"))
    }

    /// A panel that nobody reads again says so.
    @Test func aPanelWithoutItsFileIsNotReloaded() throws {
        let panel = try ServedPanel()
        let hub = Hub(port: panel, makeSession: { "session" })
        #expect(throws: APIError.noReload) { try hub.askForReload(by: .web) }
    }
}

/// A file with a token, removed with this value.
private final class TemporaryToken {
    let path: String

    init(_ token: String) {
        var template = Array("/tmp/detent-token-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = write(file, token, token.utf8.count)
        close(file)
    }

    deinit { unlink(path) }
}
