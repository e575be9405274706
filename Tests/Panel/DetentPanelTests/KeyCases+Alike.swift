import DetentCore
import DetentHAL
import DetentTypes

@testable import DetentPanel

extension KeyCase {
    /// Keys of what many controls have in common.
    static let alike: [KeyCase] =
        groups + chips
        + [
            KeyCase(
                "panel.defaults", one, "defaults: {switch: {debounce: 7ms}}",
                bad: "defaults: {switch: {debounce: 7}}", "invalid-duration"
            ) { $0.contact?.debounce.algorithm == .defer(time: .milliseconds(7)) },
            KeyCase(
                "panel.defaults.action", one,
                "defaults: {action: {run: [psu, \"{control}\"], timeout: 1s}}",
                bad: "defaults: {action: {run: psu, timeout: 1s}}", "wrong-type"
            ) { $0.action?.timeout == .seconds(1) },
        ]
        + Kind.all.map { kind in
            KeyCase(
                "panel.defaults.\(kind.word)", "panel: P, board: none, controls: \(everyKind)",
                "defaults: {\(kind.word): {row: 3}}",
                bad: "defaults: {\(kind.word): {nonsense: 3}}", "unknown-key"
            ) { plan in
                plan.controls.allSatisfy { ($0.layout.row == 3) == ($0.kind == kind.word) }
            }
        }

    private static let chips: [KeyCase] = [
        KeyCase(
            "panel.chips", one, "chips: {left: {i2c: 1-0021, model: mcp23017}}",
            bad: "chips: {Left: {i2c: 1-0021}}", "invalid-id"
        ) { $0.chips.map(\.name) == ["left"] },
        KeyCase(
            "panel.chip.i2c", one, "chips: {left: {i2c: 1-0021}}",
            bad: "chips: {left: {i2c: 0x21}}", "wrong-type"
        ) { $0.chips.first?.device == "1-0021" },
        KeyCase(
            "panel.chip.label", one, "chips: {left: {label: mcp23017}}",
            bad: "chips: {left: {label: []}}", "wrong-type"
        ) { $0.chips.first?.model?.lines == 16 },
        KeyCase(
            "panel.chip.device", one, "chips: {left: {device: spi0.1}}",
            bad: "chips: {left: {device: ''}}", "empty-text"
        ) { $0.chips.first?.device == "spi0.1" },
        KeyCase(
            "panel.chip.model", one, "chips: {left: {i2c: 1-0021, model: pca9505}}",
            bad: "chips: {left: {i2c: 1-0021, model: pca9599}}", "unknown-word"
        ) { $0.chips.first?.model?.lines == 40 },
        KeyCase(
            "panel.chip.bias", "panel: P, board: none, controls: {c: {\(lever(at: "left.3"))}}",
            "chips: {left: {i2c: 1-0021, model: mcp23017, interrupt: INT, bias: disabled}}",
            bad: "chips: {left: {i2c: 1-0021, interrupt: INT, bias: external}}", "unknown-word"
        ) { $0.contact?.bias == .disabled },
        KeyCase(
            "panel.chip.interrupt", one, "chips: {left: {i2c: 1-0021, interrupt: INT}}",
            bad: "chips: {left: {i2c: 1-0021, interrupt: A}}", "pin-used-twice"
        ) { $0.chips.first?.hasInterrupt == true },
    ]

    private static func lever(at line: String) -> String {
        Base.lever.replacing("input: A", with: "input: \(line)")
    }

    private static let one = "panel: P, board: none, controls: {c: {\(Base.lever)}}"
    private static let grouped = "name: Power, controls: {c: {\(Base.lever)}}"

    private static let groups: [KeyCase] = [
        KeyCase(
            "panel.groups", "panel: P, board: none", "groups: [{\(grouped)}]", bad: "groups: []",
            "out-of-range"
        ) { $0.controls[0].layout.group == "Power" },
        KeyCase(
            "panel.group.name", "panel: P, board: none",
            "groups: [{\(grouped)}, {name: Fuel, controls: {d: {\(Base.secondLever)}}}]",
            bad: "groups: [{controls: {c: {\(Base.lever)}}}]", "missing-key"
        ) { $0.controls.map(\.layout.group) == ["Power", "Fuel"] },
        KeyCase(
            "panel.group.help", "panel: P, board: none",
            "groups: [{\(grouped), help: Mind the guard.}]",
            bad: "groups: [{\(grouped), help: []}]", "wrong-type"
        ) { $0.groupHelps == [GroupHelp(name: "Power", help: "Mind the guard.")] },
        KeyCase(
            "panel.group.defaults", "panel: P, board: none",
            "groups: [{name: Power, defaults: {kind: switch, mismatch: toggle}, "
                + "controls: {c: {label: Lamp, input: A}}}]",
            bad: "groups: [{\(grouped), defaults: {encoder: {a: A, b: B}}}]", "key-not-for-kind"
        ) { $0.first.mismatch == .toggle },
        KeyCase(
            "panel.group.controls", "panel: P, board: none", "groups: [{\(grouped)}]",
            bad: "groups: [{name: Power, controls: {}}]", "no-controls"
        ) { $0.controls.map(\.id) == ["c"] },
    ]

    /// A control of each kind.
    private static let everyKind =
        "{c: {\(Base.lever)}, t: {kind: toggle-button, label: T, input: B}, "
        + "x: {kind: checkbox, label: X, input: C, latch: toggle}, "
        + "xs: {kind: checkbox-group, label: All, input: D, members: [x, y]}, "
        + "y: {kind: checkbox, label: Y, input: Y, latch: toggle}, "
        + "b: {kind: button, label: Start, input: E, role: primary}, "
        + "k: {kind: button, label: Stop, input: K, role: cancel}, "
        + "r: {kind: radio-group, label: Range, selector: [F, G], options: [x, y]}, "
        + "s: {kind: segmented, label: Bus, buttons: [H, I], options: [x, y]}, "
        + "p: {kind: pop-up, label: Band, encoder: {a: J, b: L, push: M}, options: [x, y]}, "
        + "m: {kind: pull-down, label: System, encoder: {a: N, b: O, push: P}, items: [{name: Go, "
        + "action: {run: [go], timeout: 1s}}]}, "
        + "w: {kind: three-way, label: Blinds, lever: {up: Q, down: R}}, "
        + "d: {kind: dial, label: Volume, encoder: {a: S, b: T}, range: {min: 0, max: 9}}, "
        + "v: {kind: dial, label: Level, encoder: {a: U, b: V, push: Z}, "
        + "range: {min: 0, max: 9}}, "
        + "f: {kind: form, label: Form, members: [v], apply: b, cancel: k}, "
        + "i: {kind: indicator, label: Alarm, indicator: W, show: c}}"
}
