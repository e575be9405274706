import DetentHAL

/// A kind of channel that makes a line without a GPIO chip: its keys in the panel file, and how
/// they become a line.
struct ChannelKind: Sendable {
    /// The keys of the section `line`. The first one tells this kind from the others.
    let keys: [KeySpec]
    /// Whether the line is an input.
    let isInput: Bool
    /// Finds the channel; nil with a problem in the log.
    let resolve: @Sendable (YAMLNode, ProblemLog) -> DeviceChannel?

    /// Every kind.
    static let all: [ChannelKind] = [.inputKey, .led, .pwm]

    /// The kind that a map of the panel file names; nil for a line of a chip.
    static func kind(of node: YAMLNode) -> ChannelKind? {
        guard node.entries != nil else { return nil }
        return all.first { kind in kind.keys.contains { node[$0.name] != nil } }
    }
}

extension LineResolver {
    /// The line of a channel; nil with a problem in the log.
    func line(of kind: ChannelKind, _ node: YAMLNode) -> ResolvedLine? {
        let own = kind.keys[0].name
        let others = ["line", "pin", "chip", "offset"] + ChannelKind.all.map { $0.keys[0].name }
        if let key = others.first(where: { $0 != own && node[$0] != nil }) {
            return log.refuse(
                .conflictingKeys, at: node.place,
                "`\(key)` and `\(own)` name two lines", help: "remove one of them")
        }
        node.refuse(["bias", "poll"], log, .keyNotForKind) {
            ("`\($0)` is valid only for lines of GPIO chips", "remove it")
        }
        guard let channel = kind.resolve(node, log) else { return nil }
        if channel.kind == .led, let led = node["led"], isOfBoard(channel.device) {
            return log.refuse(
                .invalidArgument, at: led.place,
                "`\(quoted(channel.device))` is a line of the board, and no LED of the kernel",
                help: "write `line: \(quoted(channel.device))`")
        }
        return line(of: channel, node)
    }

    /// The line of a channel that was found.
    func line(of channel: DeviceChannel, _ node: YAMLNode) -> ResolvedLine {
        let part = channel.part == 0 ? "" : ":\(channel.part)"
        // A device that is one channel.
        let isWhole = channel.name.isEmpty
        let name =
            isWhole
            ? "\(channel.kind.word):\(channel.device)"
            : "\(channel.device):\(channel.name)\(part)"
        return ResolvedLine(
            name: name, identity: "\(channel.kind.word) \(name)", lineNames: [], channel: channel,
            place: node.place, node: node)
    }
}
