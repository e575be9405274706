import DetentHAL
import DetentTypes

/// Outputs with levels.
extension ChannelKind {
    static let led = ChannelKind(
        keys: [
            KeySpec(
                .line, "led", .text,
                "A lamp of Linux's LED class, such as `ACT`; lamps and outputs only. `ls "
                    + "/sys/class/leds` shows the names. See [levels](../levels.md).")
        ],
        isInput: false
    ) { node, log in
        guard let name = node["led"], let text = name.text else { return nil }
        guard !text.contains("/"), !text.hasPrefix("."), text.utf8.count <= Limits.ledBytes else {
            return log.refuse(
                .invalidArgument, at: name.place, "`\(quoted(text))` is not the name of a LED",
                help: "write a name that `ls /sys/class/leds` shows, without the path")
        }
        return DeviceChannel(kind: .led, device: text, name: "", number: 0)
    }

    static let pwm = ChannelKind(
        keys: [
            KeySpec(
                .line, "pwm", .section(.pwm),
                "A channel of a chip that makes pulses (PWM); lamps and outputs only.")
        ],
        isInput: false
    ) { node, _ in
        guard let pwm = node["pwm"], let chip = pwm["chip"]?.text,
            let number = pwm["channel"]?.integerValue, let channel = UInt32(exactly: number)
        else { return nil }
        var found = DeviceChannel(
            kind: .pwm, device: chip, name: String(channel), number: channel)
        found.period = pwm["period"]?.durationValue ?? Defaults.pulsePeriod
        return found
    }

    /// The keys of the section `pwm`.
    static let pwmKeys = [
        KeySpec(
            .pwm, "chip", .text, isRequired: true,
            "The chip: its name, such as `pca9685`, where it is connected, such as `1-0040`, or "
                + "its driver. `detent doctor` tells the names."),
        KeySpec(
            .pwm, "channel", .integer(0...Limits.pulseChannel), isRequired: true,
            "The number of the channel on its chip."),
        KeySpec(
            .pwm, "period", .duration(.microseconds(1)...(.seconds(1))),
            default: .value(Defaults.pulsePeriod),
            "The time from one pulse to the next: 40us for a fan, 20ms for a servo. On some chips "
                + "all channels have one period."),
    ]
}
