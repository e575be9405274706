import DetentCore
import DetentPanel
import DetentTypes
import TestPanels

/// A panel whose controls look at each other, are found by turning, and want to be confirmed: what
/// a file can say of it as a user writes it, the rest beside it.
enum RelatedPanel {
    static let plan: PanelPlan? = {
        guard let read = PanelReader.read(SourceText(file: "related.yaml", text: text)).plan else {
            return nil
        }
        var builder = PlanBuilder(read)
        addRows(&builder)
        addNavigation(&builder)
        addContracts(&builder)
        return builder.plan
    }()

    private static let action = "action: {run: [act, \"{value}\"], timeout: 2s}"

    private static let text = """
        panel: Related
        board: none
        controls:
          main: {kind: switch, label: Main, input: A1, \(action)}
          gated:
            {kind: toggle-button, label: Gated, input: B1, enabled-when: main is on, \(action)}
          following:
            {kind: switch, label: Following, input: C1, enabled-when: main is on,
             on-enable: follow, \(action)}
          one: {kind: checkbox, label: One, input: D1, latch: toggle, \(action)}
          two:
            {kind: checkbox, label: Two, input: E1, latch: toggle,
             enabled-when: not (main is on and gated is on), \(action)}
          both: {kind: checkbox-group, label: Both, input: F1, members: [one, two]}
          all: {kind: checkbox-group, label: All, members: [both, gated]}
          mode: {kind: toggle-button, label: Mode, input: G1, \(action)}
          level:
            {kind: dial, label: Level, encoder: {a: H1, b: H2}, range: {min: 0, max: 9}, \(action)}
          settings:
            {kind: form, label: Settings, members: [mode, level], apply: use, cancel: drop}
          use: {kind: button, label: Use, input: I1}
          drop: {kind: button, label: Drop, input: J1}
          short: {kind: toggle-button, label: Short, input: K1, auto-off: 2s, \(action)}
          override: {kind: toggle-button, label: Override, input: L1, expires: 3s, \(action)}
          heard: {kind: switch, label: Heard, input: M1, stale-after: 4s, \(action)}
          shown: {kind: indicator, label: Shown, show: main, indicator: N1}
          warning: {kind: indicator, label: Warning, show: "main is on and level > 3", output: O1}
        """

    private static let act = ActionSettings(timeout: .seconds(2))

    private static func addRows(_ builder: inout PlanBuilder) {
        builder.add(
            "bus", .radioGroup(options: 3), .options(["a", "b", "c"]), .buttonRow, contacts: 3,
            outputs: 3, transition: .breakBeforeMake(deadTime: .milliseconds(50)), action: act)
        builder.add(
            "several", .selection(options: 4, minimum: 1, maximum: 3),
            .several(["a", "b", "c", "d"]), .buttonRow, contacts: 4, action: act)
        builder.add(
            "keys", .commands(count: 2), .commands(["up", "down"]), .buttonRow, contacts: 2,
            action: act)
    }

    private static func addNavigation(_ builder: inout PlanBuilder) {
        func rules(
            _ style: NavigationSettings.Style, _ hardware: NavigationSettings.Hardware,
            _ count: UInt8, _ items: PlanRange = .none
        ) -> RulesSettings {
            .with {
                $0.navigation = NavigationSettings(
                    style: style, hardware: hardware, count: count, items: items)
            }
        }
        let names = ValueNames.options(["a", "b", "c", "d"])
        let hold = ButtonSettings(hold: .milliseconds(500))
        let knob = DecoderSettings.encoder(EncoderSettings(push: hold))
        builder.add(
            "tuned", .radioGroup(options: 4), names, knob, contacts: 3,
            rules: rules(.followTurn(settle: .milliseconds(300)), .encoder, 4), action: act)
        builder.add(
            "picked", .radioGroup(options: 4), names, knob, contacts: 3,
            rules: rules(.menu(closeAfter: .seconds(3)), .encoder, 4), action: act)
        builder.add(
            "found", .selection(options: 4, minimum: 0, maximum: 4),
            .several(["a", "b", "c", "d"]), knob, contacts: 3,
            rules: rules(.focus(closeAfter: .seconds(2)), .encoder, 4), action: act)
        let items = builder.menu(
            MenuItem(), MenuItem(isSubmenu: true), MenuItem(parent: 1),
            MenuItem(parent: 1, confirm: .hold(.milliseconds(600))))
        builder.add(
            "menu", .commands(count: 4), .commands(["a", "more", "b", "c"]), .buttonRow,
            contacts: 4, rules: rules(.menu(closeAfter: .seconds(4)), .buttons, 4, items),
            action: act)
        builder.add(
            "single", .radioGroup(options: 3), .options(["a", "b", "c"]), .button(hold),
            contacts: 1, rules: rules(.menu(closeAfter: .seconds(2)), .oneButton, 3), action: act)
    }

    private static func addContracts(_ builder: inout PlanBuilder) {
        let button = DecoderSettings.button(ButtonSettings())
        let contracts: [(String, ConfirmSettings)] = [
            ("held", .hold(.milliseconds(700))), ("twice", .pressTwice(within: .seconds(1))),
            ("armed", .arm(.seconds(2))), ("guarded", .guarded),
        ]
        for (id, contract) in contracts {
            let isGuarded = contract == .guarded
            builder.add(
                id, .button, .none, button, contacts: isGuarded ? 2 : 1,
                rules: .with { $0.confirm = contract }, hasGuard: isGuarded, action: act)
        }
    }
}
