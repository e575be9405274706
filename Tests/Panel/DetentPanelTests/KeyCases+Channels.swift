import DetentCore
import DetentHAL
import DetentPanel
import DetentTypes

/// Channels of devices that are no GPIO chips.
extension KeyCase {
    private static let pot = "kind: dial, label: Volume, range: {min: 0, max: 100}"
    private static let ladder = "kind: radio-group, label: Range, options: [x, y, z]"

    static let channels: [KeyCase] = [
        KeyCase(
            "analog.device", pot, "analog: {device: ads1015, channel: 0, ends: [0, 900]}",
            bad: "analog: {device: [1], channel: 0, ends: [0, 900]}", "wrong-type"
        ) { $0.lines.first?.channel?.device == "ads1015" },
        KeyCase(
            "analog.channel", pot, "analog: {device: ads1015, channel: 2, ends: [0, 900]}",
            bad: "analog: {device: ads1015, channel: AIN2, ends: [0, 900]}", "invalid-number"
        ) { $0.lines.first?.channel?.number == 2 && $0.contact?.bias == .asIs },
        KeyCase(
            "analog.ends", pot, "analog: {device: ads1015, channel: 2, ends: [900, 0]}",
            bad: "analog: {device: ads1015, channel: 2, ends: [900, 900]}", "out-of-range"
        ) { $0.analog?.scale == AnalogScale(first: 900, last: 0) },
        KeyCase(
            "analog.levels", ladder, "analog: {device: a, channel: 0, levels: [900, 500, 0]}",
            bad: "analog: {device: a, channel: 0, levels: [900, 0, 500]}", "out-of-range"
        ) { plan in
            plan.analog?.scale == AnalogScale(first: 900, last: 0)
                && (0..<3).map { plan.analog?.levels?[$0] ?? 9 } == [0, 29_127, 65_535]
        },
        KeyCase(
            "analog.hysteresis", pot,
            "analog: {device: a, channel: 2, ends: [0, 9000], hysteresis: 0.5%}",
            bad: "analog: {device: a, channel: 2, ends: [0, 9000], hysteresis: 5}",
            "invalid-number"
        ) { $0.analog?.hysteresis == 327 },
        KeyCase(
            "line.key", "kind: button, label: Start", "input: {device: box, key: BTN_BASE4}",
            bad: "input: {device: box, key: BTN_BASE99}", "unknown-word"
        ) { $0.lines[0].channel?.number == 0x129 && !$0.lines[0].isActiveLow },
        KeyCase(
            "line.device", "kind: button, label: Start", "input: {device: box, key: KEY_A}",
            bad: "input: {device: box, key: KEY_A, chip: x}", "conflicting-keys"
        ) { $0.lines[0].channel?.device == "box" && $0.contact?.bias == .asIs },
        KeyCase(
            "line.grab", "kind: button, label: Start",
            "input: {device: box, key: KEY_A, grab: true}", bad: "input: {grab: true}",
            "missing-key"
        ) { $0.lines[0].channel?.isExclusive == true },
        KeyCase(
            "line.led", Base.lever, "output: {led: \"a:b\"}", bad: "output: {led: a/b}",
            "invalid-argument"
        ) { $0.lines.last?.channel?.device == "a:b" },
        KeyCase(
            "line.pwm", Base.lever, "output: {pwm: {chip: pca9685, channel: 3}}",
            bad: "output: {pwm: {chip: pca9685, channel: 3}, led: ACT}", "conflicting-keys"
        ) { $0.lines.last?.channel?.kind == .pwm },
        KeyCase(
            "pwm.chip", Base.lever, "output: {pwm: {chip: pca9685, channel: 3}}",
            bad: "output: {pwm: {channel: 3}}", "missing-key"
        ) { $0.lines.last?.channel?.device == "pca9685" },
        KeyCase(
            "pwm.channel", Base.lever, "output: {pwm: {chip: pca9685, channel: 3}}",
            bad: "output: {pwm: {chip: pca9685, channel: 256}}", "out-of-range"
        ) { $0.lines.last?.channel?.number == 3 },
        KeyCase(
            "pwm.period", Base.lever, "output: {pwm: {chip: pca9685, channel: 3, period: 20ms}}",
            bad: "output: {pwm: {chip: pca9685, channel: 3, period: 2s}}", "out-of-range"
        ) { $0.lines.last?.channel?.period == .milliseconds(20) },
        KeyCase(
            "encoder.axis", "kind: dial, label: Volume, range: {min: 0, max: 9}",
            "encoder: {device: knob, axis: REL_DIAL}",
            bad: "encoder: {device: knob, axis: REL_DAIL}", "unknown-word"
        ) { plan in
            plan.lines.map { $0.channel?.part } == [0, 1] && plan.encoder?.transitions == 2
                && plan.lines.allSatisfy { $0.channel?.number == 7 }
        },
        KeyCase(
            "encoder.device", "kind: dial, label: Volume, range: {min: 0, max: 9}",
            "encoder: {device: knob, axis: REL_DIAL}",
            bad: "encoder: {device: knob, a: A, b: B}", "missing-key"
        ) { $0.lines.map { $0.channel?.device } == ["knob", "knob"] },
        KeyCase(
            "encoder.grab", "kind: dial, label: Volume, range: {min: 0, max: 9}",
            "encoder: {device: knob, axis: REL_DIAL, grab: true}",
            bad: "encoder: {axis: REL_DIAL, grab: true}", "missing-key"
        ) { $0.lines.contains { $0.channel?.isExclusive == true } },
    ]
}
