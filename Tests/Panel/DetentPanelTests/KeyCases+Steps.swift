import DetentCore
import DetentHAL
import DetentPanel
import DetentTypes

extension KeyCase {
    /// Actions that the core does by itself.
    static let steps: [KeyCase] = [
        KeyCase(
            "action.output", Base.lever, "action: {output: B}", bad: "action: {output: [B]}",
            "wrong-type"
        ) {
            $0.relations.sequenceSteps == [.drive(LineID(1), .active)]
                && $0.first.stepOutputs == PlanRange(first: 1, count: 1)
                && $0.lines.last?.use == .output(exit: .off) && $0.action?.timeout == .seconds(1)
        },
        KeyCase(
            "action.set", Base.pump, "action: {set: {c: on}}", bad: "action: {set: {c: true}}",
            "unknown-word"
        ) {
            $0.relations.sequenceSteps == [.set(ControlID(0), .on)]
                && $0.relations.links == [ControlID(1)] && $0.action?.timeout == nil
        },
        KeyCase(
            "change.by",
            "kind: dial, label: Level, encoder: {a: A, b: B}, range: {min: 0, max: 9, step: 0.5}}, "
                + "up: {kind: button, label: Raise, input: C",
            "action: {set: {c: {by: -1.5}}}", bad: "action: {set: {c: {by: 0.25}}}",
            "invalid-number"
        ) { $0.relations.sequenceSteps == [.change(ControlID(0), by: -15)] },
        KeyCase(
            "action.wait", Base.lever, "action: {wait: 500ms}", bad: "action: {wait: 500}",
            "invalid-duration"
        ) { $0.relations.sequenceSteps == [.wait(.milliseconds(500))] },
        KeyCase(
            "action.sequence", Base.lever,
            "action: {sequence: [{output: B}, {wait: 2s}, {output: {line: B, level: off}}]}",
            bad: "action: {sequence: [{sequence: [{wait: 1s}]}]}", "unknown-key"
        ) {
            $0.relations.sequenceSteps == [
                .drive(LineID(1), .active), .wait(.seconds(2)), .drive(LineID(1), .inactive),
            ] && $0.action?.steps == PlanRange(first: 0, count: 3)
                && $0.action?.timeout == .seconds(4) && $0.lines.count == 2
        },
        KeyCase(
            "step.run", Base.lever, "action: {sequence: [{run: [a]}], timeout: 2s}",
            bad: "action: {sequence: [{run: [a]}]}", "action-without-timeout"
        ) {
            $0.relations.sequenceSteps == [.run(ActionID(1))]
                && $0.actions.map(\.command) == [.steps, .run(arguments: ["a"])]
                && $0.actions[1].settings.timeout == nil
        },
        KeyCase(
            "step.timeout", Base.lever, "action: {sequence: [{run: [a], timeout: 2s}]}",
            bad: "action: {sequence: [{wait: 1s, timeout: 2s}]}", "conflicting-keys"
        ) { $0.actions.last?.settings.timeout == .seconds(2) && $0.action?.timeout == nil },
        KeyCase(
            "step.output", Base.lever, "action: {sequence: [{output: B}]}",
            bad: "action: {sequence: [{output: A}]}", "pin-used-twice"
        ) { $0.relations.sequenceSteps == [.drive(LineID(1), .active)] },
        KeyCase(
            "step.set", Base.pump, "action: {sequence: [{set: {c: off}}]}",
            bad: "action: {sequence: [{set: {d: off}}]}", "unknown-control"
        ) { $0.relations.sequenceSteps == [.set(ControlID(0), .off)] },
        KeyCase(
            "step.wait", Base.lever, "action: {sequence: [{wait: 1s}]}",
            bad: "action: {sequence: [{wait: 0s}]}", "out-of-range"
        ) { $0.relations.sequenceSteps == [.wait(.seconds(1))] },
    ]

    /// Outputs of options, and for a pulse.
    static let pulses: [KeyCase] = [
        KeyCase(
            "control.pulse", Base.lever + ", output: B", "pulse: 200ms",
            bad: "pulse: 200ms, on-exit: on", "conflicting-keys"
        ) { $0.first.pulse == .milliseconds(200) },
        KeyCase(
            "option.output", "kind: radio-group, label: Range, selector: [A, B]",
            "options: [x, {name: y, output: K}]",
            bad: "options: [x, {name: y, output: K}], outputs: {x: L}", "conflicting-keys"
        ) {
            $0.first.outputs == PlanRange(first: 2, count: 1) && $0.first.outputsPresent == 0b10
                && $0.first.transition
                    == .breakBeforeMake(deadTime: OutputTransition.defaultDeadTime)
        },
    ]

    /// The map of an output that an action drives.
    static let outputSteps: [KeyCase] = [
        KeyCase(
            "outputAction.line", Base.lever, "action: {output: {line: B}}",
            bad: "action: {output: {line: B, bias: disabled}}", "unknown-key"
        ) { $0.lines.last?.name == "B" },
        KeyCase(
            "panel.outputAction.pin",
            "panel: P, controls: {c: {kind: switch, label: Lamp, input: GPIO17, "
                + "action: {output: {pin: 13}}}}",
            "board: raspberry-pi-5", bad: "board: none", "unknown-line"
        ) { $0.lines.last?.offset == 27 },
        KeyCase(
            "outputAction.chip", Base.lever, "action: {output: {chip: c0, offset: 3}}",
            bad: "action: {output: {chip: c0}}", "missing-key"
        ) { $0.lines.last?.chipLabels == ["c0"] },
        KeyCase(
            "outputAction.offset", Base.lever, "action: {output: {chip: c0, offset: 3}}",
            bad: "action: {output: {chip: c0, offset: x}}", "invalid-number"
        ) { $0.lines.last?.offset == 3 },
        KeyCase(
            "outputAction.active", Base.lever, "action: {output: {line: B, active: low}}",
            bad: "action: {output: {line: B, active: lo}}", "unknown-word"
        ) { $0.lines.last?.name == "B" && $0.lines.last?.isActiveLow == true },
        KeyCase(
            "outputAction.led", Base.lever, "action: {output: {led: ACT}}",
            bad: "action: {output: {led: ../ACT}}", "invalid-argument"
        ) { $0.lines.last?.channel?.device == "ACT" },
        KeyCase(
            "outputAction.pwm", Base.lever, "action: {output: {pwm: {chip: x, channel: 0}}}",
            bad: "action: {output: {pwm: x}}", "wrong-type"
        ) { $0.lines.last?.channel?.kind == .pwm },
        KeyCase(
            "outputAction.level", Base.lever, "action: {output: {line: B, level: off}}",
            bad: "action: {output: {line: B, level: low}}", "unknown-word"
        ) { $0.relations.sequenceSteps == [.drive(LineID(1), .inactive)] },
        KeyCase(
            "outputAction.pulse", Base.lever, "action: {output: {line: B, pulse: 200ms}}",
            bad: "action: {output: {line: B, pulse: 200ms, level: off}}", "conflicting-keys"
        ) {
            $0.relations.sequenceSteps == [.pulse(LineID(1), .milliseconds(200))]
                && $0.action?.timeout == .milliseconds(2_200)
        },
    ]
}
