import DetentPanel
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
    ]

    @Test(arguments: ways) func whoFollowsTheHelpIsServed(way: Way) throws {
        let bench = try RequestBench(isSimulated: true)
        func ask(_ request: (path: String, body: String)) throws -> HTTPResponse {
            try bench.ask(way.method, "/api/v1/" + request.path, request.body)
        }
        let refused = try ask(way.refused)
        #expect((400..<500).contains(refused.status))
        let problem = try JSONReader.read(refused.body)
        let said = [problem["title"]?.text ?? "", problem["detail"]?.text ?? ""]
            .joined(separator: ": ")
        for word in way.says { #expect(said.contains(word), "\(said)") }
        let followed = try ask(way.followed)
        #expect(
            (200..<300).contains(followed.status),
            "\(String(decoding: followed.body, as: UTF8.self))")
    }
}
