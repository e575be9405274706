import DetentCore
import DetentPanel
import DetentTypes

extension KeyCase {
    /// Keys of segments, menus and contracts.
    static let choices: [KeyCase] =
        hardware + contracts + items("item", "items: [{", "}]")
        + items("submenuItem", "items: [{name: More, items: [{", "}]}]")

    private static let hardware: [KeyCase] = [
        KeyCase(
            "control.buttons", Base.segmented, "buttons: [A, B, C]", bad: "buttons: [A, B]",
            "options-do-not-fit"
        ) { $0.first.decoder == .buttonRow && $0.first.contacts.count == 3 },
        KeyCase(
            "control.selection", Base.rowOfSegments, "selection: momentary",
            bad: "selection: both", "unknown-word"
        ) { $0.first.nature == .commands(3) },
        KeyCase(
            "selection.multiple", Base.rowOfSegments, "selection: {multiple: {max: 2}}",
            bad: "selection: {several: {}}", "unknown-key"
        ) { $0.first.nature == .selection(of: 3, minimum: 0, maximum: 2) },
        KeyCase(
            "bounds.min", Base.rowOfSegments, "selection: {multiple: {min: 1}}",
            bad: "selection: {multiple: {min: 4}}", "out-of-range"
        ) { $0.first.nature == .selection(of: 3, minimum: 1, maximum: 3) },
        KeyCase(
            "bounds.max", Base.rowOfSegments, "selection: {multiple: {max: 1}}",
            bad: "selection: {multiple: {max: 0}}", "out-of-range"
        ) { $0.first.nature == .selection(of: 3, minimum: 0, maximum: 1) },
        KeyCase(
            "menuButtons.up", Base.popUp, "buttons: {up: U, down: B, select: C}",
            bad: "buttons: {down: B, select: C}", "missing-key"
        ) { $0.lines.map(\.name) == ["U", "B", "C"] },
        KeyCase(
            "menuButtons.down", Base.popUp, "buttons: {up: A, down: D, select: C}",
            bad: "buttons: {up: A, select: C}", "missing-key"
        ) { $0.lines.map(\.name) == ["A", "D", "C"] },
        KeyCase(
            "menuButtons.select", Base.popUp, "buttons: {up: A, down: B, select: S}",
            bad: "buttons: {up: A, down: B}", "missing-key"
        ) { $0.lines.map(\.name) == ["A", "B", "S"] },
        KeyCase(
            "menuButtons.back", Base.popUp, "buttons: {up: A, down: B, select: C, back: D}",
            bad: "buttons: {up: A, down: B, select: C, back: A}", "pin-used-twice"
        ) { $0.lines.map(\.name) == ["A", "B", "C", "D"] },
        KeyCase(
            "control.close-after", Base.popUp + ", encoder: {a: A, b: B, push: C}",
            "close-after: 3s", bad: "close-after: 3", "invalid-duration"
        ) {
            $0.relations.settings.map(\.navigation?.style) == [.menu(closeAfter: .seconds(3))]
        },
        KeyCase(
            "control.items", Base.pullDown, "items: [{name: Reboot}, separator, {name: Stop}]",
            bad: "items: [{name: Reboot}, {name: Reboot}]", "duplicate-option"
        ) {
            $0.first.nature == .commands(2) && $0.relations.items.count == 2
                && $0.controls[0].layout.items.map(\.group) == [1, 2]
        },
        KeyCase(
            "item.items", Base.pullDown, "items: [{name: More, items: [{name: Stop}]}]",
            bad: "items: [{name: More, items: [{name: Stop, items: []}]}]", "unknown-key"
        ) {
            $0.relations.items == [MenuItem(isSubmenu: true), MenuItem(parent: 0)]
                && $0.controls[0].layout.items.map(\.parent) == [nil, 0]
        },
    ]

    private static let contracts: [KeyCase] = [
        KeyCase(
            "control.role", Base.erase + ", confirm: {hold: 1s}", "role: destructive",
            bad: "role: evil", "unknown-word"
        ) { $0.controls[0].layout.role == .destructive },
        KeyCase(
            "control.active-label", Base.erase, "active-label: Erasing", bad: "active-label: ''",
            "empty-text"
        ) { $0.controls[0].layout.activeLabel == "Erasing" },
        KeyCase(
            "control.confirm", Base.erase, "confirm: {hold: 2s}", bad: "confirm: {}",
            "conflicting-keys"
        ) { $0.relations.settings.map(\.confirm) == [.hold(.seconds(2))] },
        KeyCase(
            "confirm.hold", Base.erase, "confirm: {hold: 1s}",
            bad: "confirm: {hold: 1s, arm: 2s}", "conflicting-keys"
        ) { $0.relations.settings.map(\.confirm) == [.hold(.seconds(1))] },
        KeyCase(
            "confirm.press-twice", Base.erase, "confirm: {press-twice: 3s}",
            bad: "confirm: {press-twice: 3}", "invalid-duration"
        ) { $0.relations.settings.map(\.confirm) == [.pressTwice(within: .seconds(3))] },
        KeyCase(
            "confirm.arm", Base.erase, "confirm: {arm: 5s}", bad: "confirm: {arm: 400ms}",
            "out-of-range"
        ) { $0.relations.settings.map(\.confirm) == [.arm(.seconds(5))] },
        KeyCase(
            "confirm.guard", Base.erase, "confirm: {guard: G}", bad: "confirm: {guard: A}",
            "pin-used-twice"
        ) {
            $0.relations.settings.map(\.confirm) == [.guarded] && $0.first.hasGuard
                && $0.lines.map(\.name) == ["A", "G"]
        },
        KeyCase(
            "confirm.chord", "\(Base.erase)}, staff: {kind: button, label: Open",
            "confirm: {chord: [c], hold: 2s}", bad: "confirm: {chord: [d]}", "unknown-control"
        ) {
            $0.relations.settings.contains { $0.confirm == .chord(hold: .seconds(2)) }
                && $0.relations.links.contains(ControlID(0))
        },
    ]

    private static func items(
        _ section: String, _ before: String, _ after: String
    ) -> [KeyCase] {
        let last = { @Sendable (plan: PanelPlan) in plan.controls[0].layout.items.last }
        return [
            KeyCase(
                "\(section).name", Base.pullDown, "\(before)name: Stop\(after)",
                bad: "\(before)symbol: x\(after)", "missing-key"
            ) { $0.controls[0].valueNames.words.last == "Stop" },
            KeyCase(
                "\(section).symbol", Base.pullDown, "\(before)name: Stop, symbol: x\(after)",
                bad: "\(before)name: Stop, symbol: []\(after)", "wrong-type"
            ) { last($0)?.symbol == "x" },
            KeyCase(
                "\(section).role", Base.pullDown, "\(before)name: Stop, role: cancel\(after)",
                bad: "\(before)name: Stop, role: destructive\(after)",
                "destructive-without-confirm"
            ) { last($0)?.role == .cancel },
            KeyCase(
                "\(section).confirm", Base.pullDown,
                "\(before)name: Stop, confirm: {press-twice: 2s}\(after)",
                bad: "\(before)name: Stop, confirm: {guard: G}\(after)", "conflicting-keys"
            ) { $0.relations.items.last?.confirm == .pressTwice(within: .seconds(2)) },
            KeyCase(
                "\(section).action", Base.pullDown,
                "\(before)name: Stop, action: {run: [stop], timeout: 1s}\(after)",
                bad: "\(before)name: Stop, action: {run: [stop]}\(after)",
                "action-without-timeout"
            ) { $0.actions.count == 1 },
        ]
    }
}
