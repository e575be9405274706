import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// How the device of a message confirms it: what the keys mean together.
@Suite struct ConfirmationReadingTests {
    private static func read(_ control: String) -> PanelReader.Reading {
        KeyCase.read(
            "panel: P, board: none, mqtt: {url: \"mqtt://h\"}, controls: {c: {\(control)}}")
    }

    private static func action(_ confirm: String) -> String {
        "action: {mqtt: {topic: a, payload: x, confirm: {\(confirm)}}, timeout: 1s}"
    }

    private static let lever = "kind: switch, label: Lamp, input: A, "

    @Test(
        arguments: [
            ("topic: detent/p/c/state", "invalid-argument"), ("topic: \"a/#\"", "invalid-argument"),
            ("topic: b, pointer: state", "invalid-argument"),
            ("topic: a", "invalid-argument"),
            ("topic: b, map: {\"ON\": auf}", "unknown-word"), ("pointer: /a", "missing-key"),
        ])
    func isRefused(confirm: String, rule: String) {
        let rules = Self.read(Self.lever + Self.action(confirm)).problems.map(\.rule.name)
        expectEqual(rules, [rule])
    }

    private static let wrong = "mqtt: {topic: a, payload: x, confirm: {topic: b, map: {z: y}}}"

    /// Also in a step, and in a map by value.
    @Test(
        arguments: [
            "action: {sequence: [{\(wrong)}], timeout: 1s}",
            "action: {\"on\": {\(wrong), timeout: 1s}}",
        ])
    func itIsCheckedWhereverItIs(action: String) {
        let rules = Self.read(Self.lever + action).problems.map(\.rule.name)
        expectEqual(rules, ["unknown-word"])
    }

    @Test func aControlWithoutAValueHasNothingToConfirm() {
        let problems = Self.read(
            "kind: button, label: Ring Bell, input: A, " + Self.action("topic: b")
        ).problems
        expectEqual(problems.map(\.rule.name), ["conflicting-keys"])
        expectEqual(problems.first?.text.contains("this control has no value"), true)
    }

    @Test func aNumberOfADialIsAValue() {
        let dial =
            "kind: dial, label: Level, encoder: {a: A, b: B}, range: {min: 0, max: 9, step: 1}, "
        #expect(Self.read(dial + Self.action("topic: b, map: {low: 1}")).plan != nil)
        expectEqual(
            Self.read(dial + Self.action("topic: b, map: {low: few}")).problems.map(\.rule.name),
            ["unknown-word"])
    }

    /// The process of the connection listens there, once.
    @Test func itsTopicIsASource() throws {
        let plan = try #require(
            Self.read(
                Self.lever + Self.action("topic: stat/b") + ", feedback: {mqtt: stat/f}"
            ).plan)
        expectEqual(plan.brokerSources, [.topic("stat/f"), .topic("stat/b")])
        let same = try #require(
            Self.read(
                Self.lever + Self.action("topic: stat/b") + ", feedback: {mqtt: stat/b}"
            ).plan)
        expectEqual(same.brokerSources, [.topic("stat/b")])
    }
}
