internal import DetentHAL
internal import Glibc

/// Messages for channels of input devices that cannot be used.
extension HALError {
    static func noSuchInput(
        _ settings: LineSettings, _ channel: DeviceChannel, of inventory: InputInventory
    ) -> HALError {
        let names = Set(inventory.records.filter { $0.has(channel) }.map { "\"\($0.name)\"" })
        return HALError(
            code: .noSuchChip, line: settings.name, errno: ENODEV,
            cause: "no input device is called \"\(channel.device)\"",
            remedy: names.isEmpty
                ? "connect it; `detent identify` shows the names"
                : "connect it, or write `device:` with one that has \(channel.name): "
                    + names.sorted().prefix(6).joined(separator: ", "))
    }

    static func noSuchInputChannel(
        _ settings: LineSettings, _ channel: DeviceChannel, of records: [InputRecord]
    ) -> HALError {
        let names = records.flatMap { $0.channelNames(of: channel.kind) }
        let more = names.count > 12 ? ", …" : ""
        let what = channel.kind == .inputAxis ? "axis" : "key"
        return HALError(
            code: .noSuchLine, line: settings.name, errno: ENOENT,
            cause: "\"\(channel.device)\" has no \(what) \(channel.name)",
            remedy: names.isEmpty
                ? "use another device: this one has no \(what) at all"
                : "it has \(names.prefix(12).joined(separator: ", "))\(more)")
    }

    static func ambiguousInput(
        _ settings: LineSettings, _ channel: DeviceChannel, _ found: [InputRecord],
        of inventory: InputInventory
    ) -> HALError {
        let names = found.compactMap(inventory.ownName).map { "`device: \"\($0)\"`" }
        return HALError(
            code: .ambiguousLine, line: settings.name,
            cause: "\(found.count) input devices are called \"\(channel.device)\": "
                + found.map { $0.place.isEmpty ? $0.node : $0.place }.joined(separator: ", "),
            remedy: names.count == found.count
                ? "write \(names.joined(separator: " or "))"
                : "disconnect one: the kernel gives nothing that tells them apart")
    }

    static func inputRefused(
        _ settings: LineSettings, _ path: String, errno: Int32
    ) -> HALError {
        refused(
            settings, path, errno: errno, use: "read",
            permission: "add the user to the group of the node (`ls -l \(path)`), usually `input`",
            own: [
                EBUSY: (
                    .busy, "another program has grabbed \(path), and gets all of its keys",
                    "end that program; `fuser -v \(path)` names it"
                )
            ])
    }

    static func inputUsedTwice(_ settings: LineSettings, _ first: LineSettings) -> HALError {
        HALError(
            code: .busy, line: settings.name, errno: EBUSY, holder: first.name,
            cause: "\(first.name) uses the same key", remedy: "give one of the two another key")
    }
}
