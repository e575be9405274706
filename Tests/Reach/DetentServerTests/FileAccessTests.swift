import DetentPanel
import DetentTypes
import Synchronization
import TestSupport
import Testing

@testable import DetentServer

/// The panel file of a simulation over HTTP: only who has its token and the role `configure` sees
/// or changes it.
@Suite struct FileAccessTests {
    private static let tokens = AccessTokens(
        all: AccessRole.allCases.map { AccessToken(role: $0, text: "token of \($0.word)") })

    /// A file in memory that counts what was asked.
    private final class Desk: Sendable {
        let asked = Mutex<[FileAccess.Request]>([])

        func answer(_ request: FileAccess.Request) -> Result<JSONValue, FileAccess.Refusal> {
            asked.withLock { $0.append(request) }
            guard case .save(_, let revision) = request, revision != "1" else {
                return .success(["revision": "2"])
            }
            return .failure(FileAccess.Refusal(cause: "changed", remedy: "load", isConflict: true))
        }
    }

    private let desk = Desk()
    private let access: FileAccess
    private let bench: HubBench
    private let responder: RequestHandler

    init() throws {
        access = FileAccess { [desk] in desk.answer($0) }
        bench = try HubBench(isSimulated: true, tokens: Self.tokens)
        responder = RequestHandler(
            hub: bench.hub, policy: AccessPolicy(port: 8_433, names: [], tokens: Self.tokens),
            page: PageFiles(folder: nil), panelFile: access,
            runInBackground: { make, reply in reply(make()) })
    }

    private var editToken: String { String(access.fragment.dropFirst("edit=".count)) }

    private func answer(
        _ method: String, _ body: String = "", edit: String?, role: AccessRole? = .configure,
        more: [(String, String)] = [], host: String = "localhost:8433"
    ) throws -> HTTPResponse {
        var headers = [("Host", host)] + more
        if let role { headers.append(("Authorization", "Bearer token of \(role.word)")) }
        if let edit { headers.append(("Detent-Edit", edit)) }
        var request = try #require(
            HTTPRequest(method: method, target: "/api/v1/file", headers: headers))
        request.body = Array(body.utf8)
        var answer: HTTPResponse?
        responder.respond(to: request, now: bench.now) { answer = $0 }
        return try #require(answer)
    }

    private static let save = #"{"text": "panel: A\n", "revision": "1"}"#

    @Test func withBothTokensItIsReadCheckedAndSaved() throws {
        expectEqual(try answer("GET", edit: editToken).status, 200)
        expectEqual(try answer("POST", #"{"text": "a"}"#, edit: editToken).status, 200)
        expectEqual(
            try answer("POST", #"{"text": "a", "fixes": true}"#, edit: editToken).status, 200)
        expectEqual(try answer("PUT", Self.save, edit: editToken).status, 200)
        expectEqual(
            desk.asked.withLock { $0 },
            [
                .read, .check("a", withFixes: false), .check("a", withFixes: true),
                .save("panel: A\n", over: "1"),
            ])
    }

    @Test func anotherRevisionIsNotOverwritten() throws {
        let body = #"{"text": "", "revision": "0"}"#
        expectEqual(try answer("PUT", body, edit: editToken).status, 412)
    }

    @Test(arguments: ["GET", "POST", "PUT"])
    func whoLacksATokenReachesNothing(method: String) throws {
        for edit in [nil, "", "0", String(editToken.dropLast()), editToken + "0"] {
            expectEqual(try answer(method, Self.save, edit: edit).status, 403)
        }
        for role in [AccessRole.view, .operate] {
            let answer = try answer(method, Self.save, edit: editToken, role: role)
            expectEqual(answer.status, 403, "\(role)")
        }
        expectEqual(try answer(method, Self.save, edit: editToken, role: nil).status, 401)
        let twice = [("Detent-Edit", editToken)]
        expectEqual(try answer(method, Self.save, edit: editToken, more: twice).status, 403)
        #expect(desk.asked.withLock { $0.isEmpty })
    }

    @Test func otherPagesAndNamesReachNothing() throws {
        for method in ["GET", "POST", "PUT"] {
            let site = [("Sec-Fetch-Site", "cross-site")]
            expectEqual(
                try answer(method, Self.save, edit: editToken, more: site).status, 403)
            expectEqual(
                try answer(method, Self.save, edit: editToken, host: "evil.example").status, 421)
            guard method != "GET" else { continue }
            let origin = [("Origin", "http://evil.example")]
            expectEqual(
                try answer(method, Self.save, edit: editToken, more: origin).status, 403)
        }
        #expect(desk.asked.withLock { $0.isEmpty })
    }

    @Test(arguments: [
        ("PUT", #"{"text": "a"}"#, 400), ("PUT", #"{"revision": "1"}"#, 400),
        ("PUT", #"{"text": 1, "revision": "1"}"#, 400), ("PUT", "", 400), ("POST", "[]", 400),
        ("POST", #"{"text": "\ud800"}"#, 400), ("PUT", #"{"text": "a", "revision": 1}"#, 400),
    ])
    func whatIsIncompleteChangesNothing(method: String, body: String, status: Int) throws {
        expectEqual(try answer(method, body, edit: editToken).status, status)
        #expect(desk.asked.withLock { $0.isEmpty })
    }

    @Test func aTextLongerThanAFileIsRefused() throws {
        let text = String(repeating: "a", count: Limits.fileBytes + 1)
        let body = "{\"text\": \"\(text)\", \"revision\": \"1\"}"
        expectEqual(try answer("PUT", body, edit: editToken).status, 413)
        #expect(desk.asked.withLock { $0.isEmpty })
    }

    /// Whoever lacks the token sends no more than others.
    @Test func onlyTheTokenMakesRoomForAFile() throws {
        for (edit, most) in [
            (nil, ServerLimits.bodyBytes), ("0", ServerLimits.bodyBytes),
            (editToken, ServerLimits.fileBodyBytes),
        ] {
            for path in ["/api/v1/file", "/api/v1/reload"] {
                let headers = edit.map { [("Detent-Edit", $0)] } ?? []
                let request = try #require(
                    HTTPRequest(method: "PUT", target: path, headers: headers))
                expectEqual(
                    responder.bodyBytes(of: request),
                    path.hasSuffix("file") ? most : ServerLimits.bodyBytes)
            }
        }
    }

    @Test func aThirdRequestAtOnceIsRefused() throws {
        var waiting: [() -> Void] = []
        let slow = RequestHandler(
            hub: bench.hub, policy: AccessPolicy(port: 8_433, names: [], tokens: AccessTokens()),
            page: PageFiles(folder: nil), panelFile: access,
            runInBackground: { make, reply in waiting.append { reply(make()) } })
        var statuses: [Int] = []
        for _ in 0..<3 {
            let request = try #require(
                HTTPRequest(
                    method: "GET", target: "/api/v1/file",
                    headers: [("Host", "localhost:8433"), ("Detent-Edit", editToken)]))
            slow.respond(to: request, now: bench.now) { statuses.append($0.status) }
        }
        expectEqual(statuses, [429])
        for end in waiting { end() }
        expectEqual(statuses, [429, 200, 200])
    }

    @Test func withoutAccessNothingIsThere() throws {
        let closed = RequestHandler(
            hub: bench.hub, policy: AccessPolicy(port: 8_433, names: [], tokens: AccessTokens()),
            page: PageFiles(folder: nil), runInBackground: { make, reply in reply(make()) })
        for method in ["GET", "POST", "PUT"] {
            let request = try #require(
                HTTPRequest(
                    method: method, target: "/api/v1/file",
                    headers: [("Host", "localhost:8433"), ("Detent-Edit", editToken)]))
            var status = 0
            closed.respond(to: request, now: bench.now) { status = $0.status }
            expectEqual(status, 409, "\(method)")
        }
    }
}
