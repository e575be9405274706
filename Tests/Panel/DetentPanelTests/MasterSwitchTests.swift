import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

/// A switch with `members`: what it accepts, what it refuses, and what it becomes.
@Suite struct MasterSwitchTests {
    private static let members =
        "panel: P, board: none, controls: {a: {kind: switch, label: Hall, input: A}, "
        + "b: {kind: toggle-button, label: Lamp, input: B}, "
        + "c: {kind: dial, label: Volume, encoder: {a: E, b: F}, range: {min: 0, max: 9}}, "

    private static func read(_ keys: String) -> PanelReader.Reading {
        KeyCase.read(members + "m: {kind: switch, label: All, \(keys)}}")
    }

    private static func rules(_ keys: String) -> [String] {
        read(keys).problems.map(\.rule.name)
    }

    @Test(arguments: ["input: M", "input: M, latch: toggle", "lever: {on: M, off: N}"])
    func isAGroupOnItsOwnPart(part: String) throws {
        let plan = try #require(Self.read("\(part), members: [a, b]").plan)
        let master = plan.controls[3]
        expectEqual(master.settings.nature, .group)
        expectEqual(master.kind, "switch")
        #expect(master.settings.contacts.count > 0)
        let rules = plan.relations.settings[Int(master.settings.relation.index)]
        expectEqual(plan.relations.links[rules.members.places], [ControlID(0), ControlID(1)])
        #expect(master.settings.startRank > 0)
        let single = try #require(Self.read(part).plan)
        expectEqual(single.controls[3].settings.nature, .onOff(latch: .toggle))
    }

    @Test(
        arguments: [
            "action: {run: [x], timeout: 1s}", "output: O", "auto-off: 1h", "default: on",
            "startup: saved", "startup-delay: 1s", "query: {run: [x], timeout: 1s}",
            "latch: momentary", "latch: tap-or-hold",
        ])
    func aMasterHasNothingOfItsOwn(key: String) {
        #expect(Self.rules("input: M, members: [a, b], \(key)").contains("conflicting-keys"))
        #expect(!Self.rules("input: M, \(key)").contains("conflicting-keys"))
    }

    @Test(arguments: [("members: [c]", "wrong-member"), ("members: [x]", "unknown-control")])
    func membersAreOnOrOff(key: String, rule: String) {
        expectEqual(Self.rules("input: M, \(key)"), [rule])
    }

    @Test func aCheckboxHasNoMembers() {
        let reading = KeyCase.read(
            Self.members + "m: {kind: checkbox, label: All, input: M, members: [a, b]}}")
        expectEqual(reading.problems.map(\.rule.name), ["key-not-for-kind"])
    }

    /// A master under itself would never come to rest.
    @Test func noCircle() {
        let circle = KeyCase.read(
            "panel: P, board: none, controls: {"
                + "m: {kind: switch, label: All, input: A, members: [n]}, "
                + "n: {kind: switch, label: Rest, input: B, members: [m]}}")
        #expect(!circle.problems.filter { $0.severity == .error }.isEmpty)
    }
}
