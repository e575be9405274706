import DetentPanel
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentServer

/// Whoever follows what a refusal says gets what was asked for.
@Suite struct HTTPRemedyTests {
    struct Way: CustomTestStringConvertible, Sendable {
        var method = "POST"
        var refused: (path: String, body: String)
        /// What the answer has to say, of which `followed` is made.
        var says: [String]
        var followed: (path: String, body: String)
        /// Another method, where the help names one.
        var then: String?

        var testDescription: String { "\(refused.path) \(refused.body)" }
    }

    /// A request that is wrong in its body only.
    private static func way(
        _ path: String, _ refused: String, _ says: [String], _ followed: String,
        method: String = "POST"
    ) -> Way {
        Way(method: method, refused: (path, refused), says: says, followed: (path, followed))
    }

    static let ways: [Way] = [
        Way(
            method: "PUT", refused: ("controls/outptu", #"{"value": "on"}"#), says: ["`output`"],
            followed: ("controls/output", #"{"value": "on"}"#)),
        Way(
            method: "PUT", refused: ("controls/xyzzy", #"{"value": "on"}"#), says: ["`output`"],
            followed: ("controls/output", #"{"value": "on"}"#)),
        way("controls/output", #"{"value": "maybe"}"#, ["on"], #"{"value": "on"}"#, method: "PUT"),
        way(
            "controls/output", "[]", [#"such as {"value": "on"}"#], #"{"value": "on"}"#,
            method: "PUT"),
        way("controls/output", "{", [#"{"value": "on"}"#], #"{"value": "on"}"#, method: "PUT"),
        way("controls/output", "{}", ["value"], #"{"value": "on"}"#, method: "PUT"),
        way("controls/level", #"{"value": 11}"#, ["10"], #"{"value": 10}"#, method: "PUT"),
        way(
            "controls/parts", #"{"value": "Pumpe"}"#, ["Pump"], #"{"value": ["Pump"]}"#,
            method: "PUT"),
        Way(
            refused: ("controls/output/pres", ""), says: ["flip"],
            followed: ("controls/output/flip", #"{"value": "on"}"#)),
        Way(
            refused: ("lines/I9/stick", #"{"value": "active"}"#), says: ["`I1`"],
            followed: ("lines/I1/stick", #"{"value": "active"}"#)),
        way("lines/I1/stick", #"{"value": "up"}"#, ["active"], #"{"value": "active"}"#),
        way("clock", #"{"do": "stop"}"#, ["pause"], #"{"do": "pause"}"#),
        way("clock", "{}", ["do", "pause"], #"{"do": "pause"}"#),
        way("clock", #"{"do": "step"}"#, ["by", "20ms"], #"{"do": "step", "by": "20ms"}"#),
        way("clock", #"{"do": "step", "by": 5}"#, ["20ms"], #"{"do": "step", "by": "20ms"}"#),
        way("clock", #"{"do": "rate", "rate": 0}"#, ["0.1"], #"{"do": "rate", "rate": 0.1}"#),
        way("clock", #"{"do": "rate"}"#, [#""rate": 0.5"#], #"{"do": "rate", "rate": 0.5}"#),
        way(
            "simulation", #"{"control": "output"}"#, [#""fail": 1"#],
            #"{"control": "output", "fail": 1}"#),
        way("simulation", #"{"fail": 1}"#, ["control"], #"{"control": "output", "fail": 1}"#),
        way(
            "simulation", #"{"control": "output", "fail": 700}"#, ["-1", "599"],
            #"{"control": "output", "fail": 1}"#),
        way(
            "simulation", #"{"control": "output", "finish": 1}"#, [#"{"finish": true}"#],
            #"{"control": "output", "finish": true}"#),
        way(
            "simulation", #"{"control": "erase", "device": "on"}"#, ["has a value"],
            #"{"control": "output", "device": "on"}"#),
        way(
            "simulation", #"{"control": "output", "bounce": 7}"#, [#"{"closes": "3ms"}"#],
            #"{"control": "output", "bounce": {"closes": "3ms"}}"#),
        way(
            "simulation", #"{"control": "output", "bounce": {}}"#, [#""closes": "3ms""#],
            #"{"control": "output", "bounce": {"closes": "3ms"}}"#),
        way(
            "simulation", #"{"control": "output", "action": {"takes": "1s", "then": "maybe"}}"#,
            ["succeed"],
            #"{"control": "output", "action": {"takes": "1s", "then": "succeed"}}"#),
        way(
            "simulation", #"{"control": "output", "action": {}}"#, ["takes", "20ms"],
            #"{"control": "output", "action": {"takes": "20ms"}}"#),
        Way(
            refused: ("controls/output/close", ""), says: ["pull-down"],
            followed: ("controls/tools/close", "")),
        Way(
            method: "GET", refused: ("face?width=x&height=1", ""), says: ["whole number"],
            followed: ("face?width=100&height=100", "")),
        Way(
            method: "GET", refused: ("face?width=20000&height=100", ""), says: ["to 10000 pixels"],
            followed: ("face?width=10000&height=400", "")),
        Way(
            method: "GET", refused: ("history?limit=-1", ""), says: ["whole number"],
            followed: ("history?limit=1", "")),
        Way(
            method: "GET", refused: ("panel?control=outptu", ""), says: ["`output`"],
            followed: ("panel?control=output", "")),
        Way(
            refused: ("controls/output", #"{"value": "on"}"#), says: ["use PUT"],
            followed: ("controls/output", #"{"value": "on"}"#), then: "PUT"),
        Way(
            method: "PUT", refused: ("controls/level", #"{"by": 1}"#), says: ["with PATCH"],
            followed: ("controls/level", #"{"by": 1}"#), then: "PATCH"),
        way("lamp-test", "{}", [#""on": true"#], #"{"on": true}"#),
        way(
            "controls/level/turn", #"{"value": 1.5}"#, ["or 2"], #"{"value": 2}"#),
    ]

    @Test(arguments: ways) func whoFollowsTheHelpIsServed(way: Way) throws {
        let bench = try RequestBench(isSimulated: true)
        func ask(_ request: (path: String, body: String)) throws -> HTTPResponse {
            try bench.ask(method, "/api/v1/" + request.path, request.body)
        }
        var method = way.method
        let refused = try ask(way.refused)
        #expect((400..<500).contains(refused.status))
        let problem = try JSONReader.read(refused.body)
        let said = [problem["title"]?.text ?? "", problem["detail"]?.text ?? ""]
            .joined(separator: ": ")
        for word in way.says { #expect(said.contains(word), "\(said)") }
        method = way.then ?? method
        let followed = try ask(way.followed)
        #expect(
            (200..<300).contains(followed.status),
            "\(String(decoding: followed.body, as: UTF8.self))")
    }

    private func detail(_ answer: HTTPResponse) throws -> String {
        try JSONReader.read(answer.body)["detail"]?.text ?? ""
    }

    /// Helps that are about the caller, and not about the request.
    @Test func whoComesAsTheHelpSaysIsServed() throws {
        let bench = try RequestBench(names: ["panel.lan"], token: "0123456789abcdef")
        func ask(_ host: String, _ more: [(String, String)] = []) throws -> HTTPResponse {
            try bench.ask("GET", "/api/v1/panel", headers: [("Host", host)] + more)
        }
        let bearer = ("Authorization", "Bearer 0123456789abcdef")
        let strange = try ask("evil.lan:8433", [bearer])
        expectEqual(strange.status, 421)
        #expect(try detail(strange).contains("--allow-host evil.lan:8433"))
        let stranger = try ask("panel.lan:8433")
        expectEqual(stranger.status, 401)
        #expect(try detail(stranger).contains("send `Authorization: Bearer TOKEN`"))
        expectEqual(try ask("panel.lan:8433", [bearer]).status, 200)
        let real = try RequestBench()
        let refused = try real.ask("POST", "/api/v1/clock", #"{"do": "pause"}"#)
        expectEqual(refused.status, 409)
        #expect(try detail(refused).contains("`detent sim`"))
        let simulated = try RequestBench(isSimulated: true)
        expectEqual(try simulated.ask("POST", "/api/v1/clock", #"{"do": "pause"}"#).status, 202)
    }

    @Test func whoConfirmsAsTheHelpSaysIsServed() throws {
        let bench = try RequestBench()
        func fire(_ more: String = "") throws -> HTTPResponse {
            try bench.ask("PUT", "/api/v1/controls/erase", #"{"value": "press"\#(more)}"#)
        }
        let refused = try fire()
        expectEqual(refused.status, 409)
        #expect(try detail(refused).contains(#"again with "confirm" within the time"#))
        let token = try #require(try JSONReader.read(refused.body)["confirm"]?.text)
        expectEqual(try fire(#", "confirm": "\#(token)""#).status, 202)
    }

    /// Messages that are refused, what is said, and what is taken then.
    static let messages: [(refused: String, says: String, followed: String)] = [
        ("[]", #"{"type": …}"#, #"{"type": "ping", "id": 2}"#),
        ("{", "one JSON object", #"{"type": "ping", "id": 2}"#),
        (#"{"id": 1}"#, #""type": "ping""#, #"{"type": "ping", "id": 2}"#),
        (#"{"type": "pong", "id": 1}"#, "did you mean `ping`?", #"{"type": "ping", "id": 2}"#),
        (
            #"{"type": "trace", "id": 1}"#, #""lines": ["I1"]"#,
            #"{"type": "trace", "lines": ["I1"], "id": 2}"#
        ),
        (
            #"{"type": "trace", "lines": [7], "id": 1}"#, "such as \"GPIO17\"",
            #"{"type": "trace", "lines": ["I1"], "id": 2}"#
        ),
        (
            #"{"type": "gesture", "control": "erase", "id": 1}"#, #""verb": "press""#,
            #"{"type": "gesture", "verb": "press", "control": "erase", "id": 2}"#
        ),
        (
            #"{"type": "close", "id": 1}"#, #""control": "output""#,
            #"{"type": "close", "control": "tools", "id": 2}"#
        ),
        (
            #"{"type": "lamp-test", "id": 1}"#, #""on": true"#,
            #"{"type": "lamp-test", "on": true, "id": 2}"#
        ),
    ]

    @Test(arguments: messages) func whoFollowsTheHelpIsHeard(
        refused: String, says: String, followed: String
    ) throws {
        let bench = try HubBench(isSimulated: true)
        let (ear, source) = bench.listen()
        bench.say(refused, source)
        let said = ear.last("answer")?["problem"]?["detail"]?.text ?? ""
        #expect(said.contains(says), "\(said)")
        bench.say(followed, source)
        bench.pass(.seconds(1))
        let answer = try #require(ear.last("answer"))
        #expect(answer["id"]?.whole == 2 && answer["problem"] == nil, "\(answer)")
    }

    /// Helps of the tests above, by a part that is in the sources.
    private static let followed = [
        "use localhost, or start the server", #"use \(allowed)"#, "name a pop-up, a pull-down",
        "programs send `Authorization", "send the same request again with", "one of: ",
        "use 0.1 to 100", "use a control that has a value", "send a whole number from",
        #"such as \"on\" or 2"#, "send it, such as", "`detent sim`", "remedy.isEmpty",
        #"such as {\"type"#, "send one JSON object", #"such as \"GPIO17"#, #"write {\"finish"#,
        #"write \"cherry-mx"#, "use a number with its unit", #"such as {\"value"#, " pixels",
        "\"send a whole number\"", "send it with PATCH",
        // What is missing, by its example.
        #""type": "ping""#, #""on": true"#, #"\"lines\""#, #""verb": "press""#,
        #""do": "pause""#, #""by": "20ms""#, #""rate": 0.5"#, #""fail": 1"#, #""closes": "3ms""#,
        #""takes": "20ms""#, #"\"control\""#,
    ]
    /// Helps that name no other request, or that other tests follow: RoleTests, HostileHTTPTests,
    /// FloodTests, HubTests, AliveTests, FileAccessTests, AnswerTimeTests, ReloadTests.
    private static let elsewhere = [
        "use the panel's own page", "check the wiring", "check the folder of --web-dir",
        "docs/http.md", "request an upgrade", "restart the panel", "trace fewer lines",
        "close a page of this panel", "restart it", "use a token of `--token-file",
        "it hangs or has too much to do", "wait for an answer", "read the state of the control",
        "retry shortly", "start `detent sim` on an address", "open that address, or send",
        "send the whole text of the panel file", "send that of the text that was read",
        "send the request again later", "title, detail", "send at most",
        "Transfer-Encoding: chunked", "Sec-WebSocket-Version: 13", "exactly one `Host`",
        // The form of a request: HostileHTTPTests sends both the wrong and the right one.
        "with `Connection: Upgrade`", "send it once", "16 random bytes", "send one of them",
        "send Content-Length instead", "use HTTP/1.1", "such as /api/v1", "see RFC 6455",
    ]

    /// A new error of the server has a row here.
    @Test func everyHelpOfTheServerIsKnown() throws {
        var found = 0
        for text in Self.errors() {
            found += 1
            #expect(
                (Self.followed + Self.elsewhere).contains { text.contains($0) },
                "no row for: \(text)")
        }
        #expect(found > 45, "the sources were read: \(found)")
    }

    /// The arguments of each error in the sources of the server, but of those that pass on what
    /// another error says.
    private static func errors() -> [String] {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let command = "find \(root)/Sources/Reach/DetentServer -name '*.swift' -exec cat {} +"
        guard let pipe = popen(command, "r") else { return [] }
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
            bytes += buffer.prefix(count)
        }
        let sources = String(decoding: bytes, as: UTF8.self)
        return ["APIError(", ".unreadable(", ".missing("].flatMap { mark in
            sources.split(separator: mark, omittingEmptySubsequences: false).dropFirst()
                .map { arguments(String($0)) }
        }
        .filter { text in
            ![", remedy", ".remedy", "status: ", #"", "\(error)"#].contains { text.contains($0) }
        }
    }

    /// The text up to the parenthesis that closes.
    private static func arguments(_ text: String) -> String {
        var depth = 1
        var isQuoted = false
        let end = text.firstIndex { sign in
            if sign == "\"" { isQuoted.toggle() }
            if !isQuoted, sign == "(" { depth += 1 }
            if !isQuoted, sign == ")" { depth -= 1 }
            return depth == 0
        }
        return String(text[..<(end ?? text.endIndex)])
    }
}
