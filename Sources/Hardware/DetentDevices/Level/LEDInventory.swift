internal import DetentHAL
internal import DetentPlatform
internal import Glibc

/// The lamps of Linux's LED class on this machine. Looking changes none of them.
public struct LEDInventory: Equatable, Sendable {
    /// Where the kernel describes its lamps; tests use another folder.
    public static let folder = "/sys/class/leds"

    /// The names of the lamps, such as `ACT` or `panel:green:battery`.
    public var names: [String]
    let folder: String

    /// Reads the names.
    public static func scan(_ folder: String = Self.folder) -> LEDInventory {
        LEDInventory(names: SystemFolder.names(in: folder), folder: folder)
    }

    /// Opens the lamp of a line.
    func node(of settings: LineSettings, _ channel: DeviceChannel) throws(HALError) -> LevelNode {
        let device = try device(of: settings, channel)
        let path = "\(device)/brightness"
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw .levelRefused(settings, path, errno: errno) }
        var node = LevelNode(file: ChannelFile(file), path: path, full: Self.full(of: device))
        if let trigger = Self.trigger(of: device) {
            func setting(_ word: String) -> LevelNode.Setting {
                LevelNode.Setting(path: "\(device)/trigger", text: word)
            }
            node.before = [setting("none")]
            node.atEnd = [setting(trigger)]
        }
        return node
    }

    /// What would keep a panel from using the lamp of a line; nil if nothing does.
    func problem(of settings: LineSettings) -> HALError? {
        guard let channel = settings.location.channel else { return nil }
        do throws(HALError) {
            let device = try device(of: settings, channel)
            let needed = Self.trigger(of: device) == nil ? [] : ["\(device)/trigger"]
            for path in ["\(device)/brightness"] + needed where access(path, W_OK) != 0 {
                return .levelRefused(settings, path, errno: errno)
            }
            return nil
        } catch {
            return error
        }
    }

    private func device(
        of settings: LineSettings, _ channel: DeviceChannel
    ) throws(HALError) -> String {
        guard names.contains(channel.device) else { throw .noSuchLED(settings, channel, of: self) }
        return "\(folder)/\(channel.device)"
    }

    private static func full(of device: String) -> UInt64 {
        SystemFolder.text("\(device)/max_brightness").flatMap { UInt64($0) } ?? 255
    }

    /// The word in brackets; nil for `none`, and where there are no triggers.
    private static func trigger(of device: String) -> String? {
        guard let text = SystemFolder.text("\(device)/trigger"),
            let start = text.firstIndex(of: "["), let end = text[start...].firstIndex(of: "]")
        else { return nil }
        let word = text[text.index(after: start)..<end]
        return word == "none" ? nil : String(word)
    }
}

/// Messages for outputs with levels that cannot be used.
extension HALError {
    static func noSuchLED(
        _ settings: LineSettings, _ channel: DeviceChannel, of inventory: LEDInventory
    ) -> HALError {
        let names = NameDistance.nearest(to: [channel.device], in: inventory.names)
        return HALError(
            code: .noSuchLine, line: settings.name, errno: ENODEV,
            cause: "no LED is called \"\(channel.device)\"",
            remedy: names.isEmpty
                ? "load its driver; `ls \(inventory.folder)` then shows it"
                : "write `led:` with a name of `ls \(inventory.folder)`, such as "
                    + names.map { "\"\($0)\"" }.joined(separator: ", "))
    }

    static func levelRefused(
        _ settings: LineSettings, _ path: String, errno: Int32
    ) -> HALError {
        refused(
            settings, path, errno: errno, use: "written",
            permission: "add this user to the group gpio, and install the rule of udev that gives "
                + "it to that group: docs/levels.md has it",
            own: [
                EROFS: (
                    .permissionDenied, "\(path) is read-only for this process",
                    "a service needs `ReadWritePaths=/sys/devices` in its unit"
                ),
                EBUSY: (
                    .busy, "\(path) is in use by the kernel",
                    "use another output, stop the driver that uses this one, or write the "
                        + "`period` that other channels of its chip have"
                ),
                EINVAL: (
                    .unsupported, "\(path) refuses its value",
                    "write another `period`; the channels of some chips have one period together"
                ),
            ])
    }
}
