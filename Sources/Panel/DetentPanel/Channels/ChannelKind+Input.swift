import CInput
import DetentHAL
import DetentTypes

/// Keys and axes of input devices.
extension ChannelKind {
    static let inputKey = ChannelKind(
        keys: [
            KeySpec(
                .line, "key", .text,
                "A key of an input device, such as `BTN_BASE4` or `KEY_F1`. `detent identify` "
                    + "tells the names. See [input devices](../input-devices.md)."),
            device(.line),
            grab(.line),
        ],
        isInput: true
    ) { node, log in
        channel(node, "key", .inputKey, log)
    }

    /// The keys of an encoder that is an axis.
    static let axisKeys = [
        KeySpec(
            .encoder, "axis", .words(names(.inputAxis)),
            "An axis of an input device, in place of `a` and `b`; each step is a detent."),
        device(.encoder),
        grab(.encoder),
    ]

    private static func device(_ section: Section) -> KeySpec {
        KeySpec(
            section, "device", .text,
            "The input device: its name, a path such as `/dev/input/by-id/…`, or where it is "
                + "plugged in.")
    }

    private static func grab(_ section: Section) -> KeySpec {
        KeySpec(
            section, "grab", .boolean, default: .value(Defaults.grabsInput),
            "Whether other programs get nothing from the device while the panel runs, so that a "
                + "key types nothing.")
    }

    /// The two contacts of an encoder that is an axis; nil with a problem in the log.
    static func axis(_ node: YAMLNode, _ log: ProblemLog) -> [DeviceChannel]? {
        node.refuse(["a", "b", "transitions", "rest"], log, .conflictingKeys) {
            ("`\($0)` has no effect: the axis reports whole steps", "remove `\($0)`")
        }
        return channel(node, "axis", .inputAxis, log).map { channel in
            ([0, 1] as [UInt8]).map { part in
                var channel = channel
                channel.part = part
                return channel
            }
        }
    }

    private static func channel(
        _ node: YAMLNode, _ key: String, _ kind: DeviceChannel.Kind, _ log: ProblemLog
    ) -> DeviceChannel? {
        guard let name = node[key]?.text, let device = node["device"]?.text else {
            let missing = node[key] == nil ? key : "device"
            return log.refuse(
                .missingKey, at: node.place, "the map has no `\(missing)`",
                help: key == "key"
                    ? "write `{device: \"NAME\", key: BTN_BASE4}`; `detent identify` tells both"
                    : "write `{device: \"NAME\", axis: REL_DIAL}`; `detent identify` tells both")
        }
        let code = detent_input_code(kind == .inputAxis ? 1 : 0, name)
        guard code >= 0 else {
            let near = nearestWord(to: name, among: names(kind))
            return log.refuse(
                .unknownWord, at: node[key]?.place ?? node.place,
                "there is no key `\(quoted(name))`",
                help: (near.map { "did you mean `\($0)`? " } ?? "")
                    + "names begin with `KEY_` or `BTN_`; `detent identify` tells them")
        }
        return DeviceChannel(
            kind: kind, device: device, name: name, number: UInt32(code),
            isExclusive: node["grab"]?.booleanValue ?? Defaults.grabsInput)
    }

    static func names(_ kind: DeviceChannel.Kind) -> [String] {
        var names: [String] = []
        while let name = detent_input_name_at(kind == .inputAxis ? 1 : 0, Int32(names.count)) {
            names.append(String(cString: name))
        }
        return names
    }
}
