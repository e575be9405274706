import DetentPanel

/// A panel whose controls look at each other, are found by turning, and want to be confirmed, read
/// from text as a user writes it.
enum RelatedPanel {
    static let plan =
        PanelReader.read(SourceText(file: "related.yaml", text: text)).plan

    private static let action = "action: {run: [act, \"{value}\"], timeout: 2s}"
    private static let abcd = "options: [a, b, c, d]"
    private static let hold = "confirm: {hold: 600ms}"

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
          bus:
            {kind: radio-group, label: Bus, buttons: [P1, P2, P3], options: [a, b, c],
             outputs: {a: P4, b: P5, c: P6}, transition: break-before-make, \(action)}
          several:
            {kind: segmented, label: Several, buttons: [Q1, Q2, Q3, Q4], \(abcd),
             selection: {multiple: {min: 1, max: 3}}, \(action)}
          keys:
            {kind: segmented, label: Keys, buttons: [R1, R2], options: [Up, Down],
             selection: momentary, \(action)}
          tuned: {kind: segmented, label: Tuned, encoder: {a: S1, b: S2}, \(abcd), \(action)}
          found:
            {kind: radio-group, label: Found, encoder: {a: T1, b: T2, push: T3}, \(abcd), \(action)}
          picked:
            {kind: pop-up, label: Picked, encoder: {a: U1, b: U2, push: U3}, \(abcd),
             close-after: 3s, \(action)}
          menu:
            kind: pull-down
            label: Menu
            buttons: {up: V1, down: V2, select: V3, back: V4}
            close-after: 4s
            items:
              - {name: First, \(action)}
              - {name: More, items: [{name: Inner, \(action)}, {name: Wipe, \(hold), \(action)}]}
          single:
            kind: pull-down
            label: Single
            input: W1
            close-after: 2s
            items: [{name: First, \(action)}, {name: Second, \(action)}]
          held: {kind: button, label: Hold, input: X1, \(hold), \(action)}
          twice: {kind: button, label: Ask, input: X2, confirm: {press-twice: 1s}, \(action)}
          armed: {kind: button, label: Arm, input: X3, confirm: {arm: 2s}, \(action)}
          guarded: {kind: button, label: Open, input: X4, confirm: {guard: X5}, \(action)}
          chord: {kind: button, label: Join, confirm: {chord: [held, guarded]}, \(action)}
          row:
            kind: radio-group
            label: Row
            buttons: [Y1, Y2, Y3]
            options: [a, {name: b, double-click: {gap: 250ms, \(action)}}, c]
            hold: {after: 700ms, action: {run: [keep, "{value}", "{bus}"], timeout: 2s}}
            \(action)
          needy:
            kind: toggle-button
            label: Needy
            input: Y4
            action: {run: [act, "{value}", "{main}", "{level.shown}"], timeout: 2s}
          copy: {kind: button, label: Copy, input: Y5, action: {set: {row: "{bus}"}}}
        """
}
