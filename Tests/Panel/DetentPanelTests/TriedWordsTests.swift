import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Every value of a control is tried where an action puts it into an address, a topic or JSON.
@Suite struct TriedWordsTests {
    private static let broker = "mqtt: {url: \"mqtt://broker.lan\"}"

    private static func problems(_ options: String, _ action: String) -> [String] {
        let count = options.split(separator: ",").count
        let buttons = (0..<count).map { "B\($0)" }.joined(separator: ", ")
        let text =
            "panel: P, board: none, \(broker), controls: {c: {kind: radio-group, label: Source, "
            + "buttons: [\(buttons)], options: [\(options)], action: \(action)}}"
        return KeyCase.read(text).problems.map { "\($0.rule.name): \($0.text)" }
    }

    private static func topic(_ topic: String) -> String {
        "{mqtt: {topic: \"\(topic)\", payload: x}, timeout: 1s}"
    }

    private static func post(_ address: String, _ body: String = "x") -> String {
        "{http: {post: \"\(address)\", body: '\(body)'}, timeout: 1s}"
    }

    @Test(arguments: [
        (
            "Line, \"R#1\"", topic("amp/{value}"),
            "invalid-argument: the value `R#1` makes `amp/R#1`, which is not a topic"
        ),
        (
            "\"L+R\", Left", topic("amp/{previous}"),
            "invalid-argument: the value `L+R` makes `amp/L+R`, which is not a topic"
        ),
        (
            "Line, Tape Deck", post("http://{value}.lan/on"),
            "invalid-argument: the value `Tape Deck` makes `http://Tape%20Deck.lan/on`, which is "
                + "not the address of a web service"
        ),
        (
            "Line, Tape Deck",
            "{osc: {to: \"desk.lan:9000\", address: \"/{value}\"}, timeout: 1s}",
            "invalid-argument: the value `Tape Deck` makes `/Tape Deck`, which is not the address "
                + "of a message"
        ),
        (
            "\"1\", \"2 V\"", post("http://amp.lan", "{\"range\": {value}}"),
            "value-not-json: the value `2 V` makes a `body` that is not JSON"
        ),
        (
            "Line, Tape Deck",
            "{sequence: [{wait: 1s}, \(topic("amp/{value}").replacing(", timeout: 1s", with: ""))]"
                + ", timeout: 5s}",
            "invalid-argument: the value `Tape Deck` makes `amp/Tape Deck`, which is not a topic"
        ),
        (
            "Line, Tape Deck",
            "{Line: {wait: 1s}, Tape Deck: \(topic("amp/{value}"))}",
            "invalid-argument: the value `Tape Deck` makes `amp/Tape Deck`, which is not a topic"
        ),
    ])
    func whatDoesNotFitIsNamed(options: String, action: String, problem: String) {
        expectEqual(Self.problems(options, action), [problem])
    }

    @Test(arguments: [
        ("Line, R&B", post("http://amp.lan/{value}?v={value}")),
        ("Line, \"The \\\"Live\\\" Show\"", post("http://amp.lan", "{\"t\": \"{value}\"}")),
        ("\"1\", \"2\"", post("http://amp.lan", "{\"range\": {value}}")),
        ("Line, Tape Deck", post("http://amp.lan", "{value}")),
        ("Line, Tape Deck", post("http://amp.lan", "[status] {value}")),
        ("Line, Tape Deck", "{Line: \(topic("amp/{value}")), Tape Deck: {wait: 1s}}"),
        ("Line, Tape", topic("amp/{value}/{control}/{origin}")),
    ])
    func whatFitsIsNot(options: String, action: String) {
        expectEqual(Self.problems(options, action), [])
    }

    @Test func theWordsOfASwitchAreTriedToo() {
        let switched = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(Base.lever), action: "
                + Self.post("http://amp.lan", "{\"on\": {value}}") + "}}")
        expectEqual(
            switched.problems.map(\.text), ["the value `off` makes a `body` that is not JSON"])
    }

    @Test func twoOptionsAtOnceAreTried() {
        let several = KeyCase.read(
            "panel: P, board: none, \(Self.broker), controls: {c: {\(Base.rowOfSegments), "
                + "selection: multiple, action: \(Self.topic("amp/{value}"))}}")
        #expect(several.problems.contains { $0.text.contains("+") && $0.rule == .invalidArgument })
    }
}
