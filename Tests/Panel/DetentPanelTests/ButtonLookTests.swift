import DetentCore
import TestSupport
import Testing

@testable import DetentPanel

/// Buttons that are on the page alone, and keys that contradict each other.
@Suite struct ButtonLookTests {
    static func read(_ keys: String) -> PanelReader.Reading {
        KeyCase.read(
            "panel: P, board: none, controls: {c: {kind: button, label: Start, \(keys)}, "
                + "d: {kind: checkbox, label: Hall, input: H}}")
    }

    @Test(arguments: ButtonRole.allCases) func everyRoleIsRead(role: ButtonRole) throws {
        let keys =
            switch role {
            case .normal, .primary, .cancel, .close, .done: "input: A"
            case .destructive: "input: A, confirm: {hold: 2s}"
            case .info: "help: What this panel does"
            case .disclosure: "row: 1"
            }
        let reading = Self.read("role: \(role.word), \(keys)")
        expectEqual(ProblemRenderer.text(reading.problems), "")
        let control = try #require(reading.plan?.controls.first)
        expectEqual(control.layout.role, role)
        expectEqual(role.isOfThePage, (control.settings.contacts.count == 0))
    }

    @Test(arguments: [
        ("role: info", "missing-key"),
        ("role: info, help: It helps, input: A", "conflicting-keys"),
        ("role: disclosure, indicator: L", "conflicting-keys"),
        ("role: disclosure, action: {output: K}", "conflicting-keys"),
        ("role: info, help: It helps, confirm: {hold: 2s}", "conflicting-keys"),
        ("role: done", "missing-key"),
        ("input: A, caption: Air", "missing-key"),
        ("input: A, show-label: true", "missing-key"),
        ("input: A, role: destructive, confirm: {hold: 2s}, style: prominent", "conflicting-keys"),
    ])
    func whatWouldHaveNoEffectIsRefused(keys: String, rule: String) {
        let reading = Self.read(keys)
        #expect(reading.plan == nil)
        expectEqual(Set(reading.problems.map(\.rule.name)), [rule])
    }

    /// A menu has no room for what is revealed.
    @Test func itemsHaveRolesOfCommands() {
        for role in ButtonRole.allCases {
            let reading = KeyCase.read(
                "panel: P, board: none, controls: {c: {\(Base.pullDown), items: [{name: Copy}, "
                    + "{name: Cut, role: \(role.word), confirm: {hold: 1s}}]}}")
            expectEqual((reading.plan != nil), ButtonRole.commands.contains(role), "\(role)")
        }
    }
}
