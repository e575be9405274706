import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// What the keys of a feedback mean together.
@Suite struct FeedbackReadingTests {
    private static func read(_ keys: String, _ base: String = Base.acting) -> PanelReader.Reading {
        KeyCase.read("panel: P, board: none, controls: {c: {\(base), \(keys)}}")
    }

    private static func rules(_ keys: String, _ base: String = Base.acting) -> [String] {
        read(keys, base).problems.map(\.rule.name)
    }

    @Test(
        arguments: [
            ("watch: [a], line: B", "conflicting-keys"),
            ("line: B, pointer: /a", "conflicting-keys"),
            ("line: B, map: {\"a\": on}", "conflicting-keys"),
            ("mqtt: stat/x", "missing-key"),
            ("panel: kitchen, control: fan", "missing-key"),
            ("wacth: [a]", "unknown-key"),
        ]
    ) func isRefused(keys: String, rule: String) {
        let rules = Self.rules("feedback: {\(keys)}")
        #expect(rules.contains(rule), "\(rules)")
    }

    @Test(
        arguments: [
            ("panel: kitchen", "missing-key"),
            ("panel: kitchen, control: a/b", "invalid-argument"),
            ("panel: kitchen, control: fan, pointer: /a", "conflicting-keys"),
            ("mqtt: stat/x, panel: kitchen, control: fan", "conflicting-keys"),
            ("mqtt: detent/p/c/state", "invalid-argument"),
            ("mqtt: \"\"", "invalid-argument"),
        ]
    ) func aSourceAtTheBrokerIsRefused(keys: String, rule: String) {
        let base = "panel: P, board: none, mqtt: {url: \"mqtt://hub\"}, "
        let reading = KeyCase.read(
            base + "controls: {c: {\(Base.acting), feedback: {\(keys)}}}")
        let rules = reading.problems.map(\.rule.name)
        #expect(rules.contains(rule), "\(ProblemRenderer.text(reading.problems))")
    }

    /// A message that came back to this panel would be a command that it gave itself.
    @Test func aMessageNeedsABrokerAndIsForOthers() {
        let action = "action: {mqtt: {topic: %, payload: x}, timeout: 1s}"
        let without = Self.read(action.replacing("%", with: "a/b"), Base.lever)
        expectEqual(without.problems.map(\.rule.name), ["missing-key"])
        expectEqual(without.problems.first?.help.hasPrefix("add `mqtt: "), true)
        let own = KeyCase.read(
            "panel: P, board: none, mqtt: {url: \"mqtt://hub\"}, controls: {c: {\(Base.lever), "
                + action.replacing("%", with: "detent/p/c/set") + "}}")
        expectEqual(own.problems.map(\.rule.name), ["invalid-argument"])
    }

    /// Nothing tells the device what the switch asks for, so it could never agree.
    @Test func aControlWithoutAnActionHasNoUseForIt() {
        expectEqual(Self.rules("feedback: {watch: [a]}", Base.lever), ["missing-key"])
        expectEqual(Self.rules("output: B, feedback: {line: C}", Base.lever), [])
    }

    @Test func aLineReportsOnAndOffOnly() {
        let dial = Base.dial + ", action: {run: [a], timeout: 1s}"
        expectEqual(Self.rules("feedback: {line: C}", dial), ["wrong-type"])
        let stale = Self.read("stale-after: 5s, feedback: {line: B}")
        expectEqual(stale.problems.map(\.rule.name), ["conflicting-keys"])
    }

    @Test func aNumberMustBeInItsRange() {
        let dial = Base.dial + ", action: {run: [a], timeout: 1s}"
        let map = "feedback: {watch: [a], map: {full: %}}"
        expectEqual(Self.rules(map.replacing("%", with: "9"), dial), [])
        expectEqual(Self.rules(map.replacing("%", with: "10"), dial), ["unknown-word"])
    }

    @Test func anIndicatorCanShowADevice() throws {
        let base = "kind: indicator, label: Tally, indicator: L"
        let plan = try #require(Self.read("feedback: {watch: [a]}", base).plan)
        #expect(plan.first.isReported)
        expectEqual(plan.first.nature, .onOff(latch: .toggle))
        let both = Self.rules("feedback: {watch: [a]}, show: c", base)
        #expect(both.contains("conflicting-keys"))
    }

    @Test func noActionAndNoGroupCanSetWhatOnlyADeviceChanges() {
        let tally = "kind: indicator, label: Tally, feedback: {watch: [a]}"
        let set = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(Base.lever), action: {set: {t: on}}}, "
                + "t: {\(tally)}}")
        expectEqual(set.problems.map(\.rule.name), ["wrong-member"])
        let group = KeyCase.read(
            "panel: P, board: none, controls: {t: {\(tally)}, "
                + "g: {kind: checkbox-group, label: All, input: B, members: [t]}}")
        #expect(group.problems.map(\.rule.name).contains("wrong-member"))
    }

    @Test func theWordsOfTheControlAreUnderstoodBesideItsMap() throws {
        let keys = "feedback: {watch: [a], map: {\"AN\": on}}"
        let plan = try #require(Self.read(keys).plan)
        let feedback = try #require(plan.controls[0].feedback)
        expectEqual(feedback.value(of: "AN", for: plan.controls[0]), .on)
        expectEqual(feedback.value(of: "off", for: plan.controls[0]), .off)
        #expect(feedback.value(of: "AUS", for: plan.controls[0]) == nil)
    }

    /// Another source knows nothing of what the former one said.
    @Test func anotherSourceStartsTheControlAgain() throws {
        func plan(_ keys: String) throws -> PanelPlan {
            try #require(Self.read("feedback: {\(keys)}").plan)
        }
        let former = try plan("watch: [a]")
        #expect(PanelDifference(from: former, to: try plan("watch: [a]")).isEmpty)
        expectEqual(PanelDifference(from: former, to: try plan("watch: [b]")).changed, ["c"])
        let line = try plan("line: B")
        #expect(PanelDifference(from: line, to: line).isEmpty)
        expectEqual(PanelDifference(from: line, to: try plan("line: C")).changed, ["c"])
    }

    /// Sources at the broker are numbered; two controls with one source have one number.
    @Test func sourcesAtTheBrokerAreCountedOnce() throws {
        func tally(_ id: String, _ keys: String) -> String {
            "\(id): {kind: indicator, label: \(id.uppercased()), feedback: {\(keys)}}"
        }
        let controls = [
            tally("a", "mqtt: x/y"), tally("b", "panel: Kitchen Light, control: fan"),
            tally("c", "mqtt: x/y"), tally("d", "watch: [tool, -v]"), tally("e", "line: L"),
            tally("f", "http: {get: \"http://h/\"}"),
            tally("g", "osc: {listen: \"127.0.0.1:9000\", address: /x}"),
        ].joined(separator: ", ")
        let plan = try #require(
            KeyCase.read(
                "panel: P, board: none, mqtt: {url: \"mqtt://hub\"}, "
                    + "controls: {\(controls)}"
            ).plan)
        let sources = plan.controls.compactMap(\.feedback?.source)
        expectEqual(plan.brokerSources, [sources[0], sources[1]])
        expectEqual(
            sources.map(\.topic),
            [
                "x/y", "detent/kitchen-light/fan/state", "x/y", nil, nil, nil, nil,
            ])
        expectEqual(sources[1].availability, "detent/kitchen-light/availability")
        #expect(sources[0].availability == nil)
        expectEqual(plan.controls[1].feedback?.pointer, "/actual")
        expectEqual(
            sources.map(\.subject),
            [
                "the topic x/y", "fan of the panel Kitchen Light", "the topic x/y",
                "the program tool", "the line", "http://h/", "the message /x",
            ])
    }
}
