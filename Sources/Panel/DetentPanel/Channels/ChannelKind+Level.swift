import DetentHAL

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
}
