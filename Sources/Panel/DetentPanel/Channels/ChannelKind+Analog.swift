import DetentCore
import DetentHAL
import DetentTypes

/// Channels of converters.
extension ChannelKind {
    /// The keys of the section `analog`.
    static let analogKeys = [
        KeySpec(
            .analog, "device", .text, isRequired: true,
            "The converter: the name that its driver gives it, such as `ads1015`, or where it is "
                + "connected, such as `1-0048`. `detent identify` tells it."),
        KeySpec(
            .analog, "channel", .integer(0...Limits.analogChannel), isRequired: true,
            "The number of the channel: 2 for `in_voltage2_raw`."),
        KeySpec(
            .analog, "ends", .list(.integer(samples), 2...2), isRequired: true,
            substitute: "levels",
            "The samples at the lowest and at the highest value, in either direction; `detent "
                + "measure` finds them."),
        KeySpec(
            .analog, "levels", .list(.integer(samples), 2...AnalogLevels.maximum),
            default: "equal steps between the `ends`",
            "The samples of the positions of a selector, in the order of its options."),
        KeySpec(
            .analog, "hysteresis", .text, default: .text(Defaults.hysteresis),
            "How far a part must be moved back before its value follows, in percent of its way "
                + "from 0.1% to 10%. Noise below that moves nothing."),
    ]

    private static let samples = -8_388_608...8_388_607

    /// The channel of an `analog` map; nil if a key is missing, which has been reported.
    static func analogChannel(_ node: YAMLNode) -> DeviceChannel? {
        guard let device = node["device"]?.text, let number = node["channel"]?.integerValue,
            let channel = UInt32(exactly: number)
        else { return nil }
        return DeviceChannel(
            kind: .analog, device: device, name: String(channel), number: channel)
    }
}
