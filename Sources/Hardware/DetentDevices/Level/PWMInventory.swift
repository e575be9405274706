internal import DetentHAL
internal import DetentPlatform
internal import DetentTypes
internal import Glibc

/// A chip of this machine that makes pulses.
public struct PWMRecord: Equatable, Sendable {
    /// The name of its folder, such as `pwmchip0`. It changes when it is found again.
    public var node: String
    /// What may mean it: its name, where it is connected, and its driver.
    public var names: [String]
    /// How many channels it has.
    public var channels: UInt32
}

/// The chips of pulse width modulation on this machine. Looking changes none of them.
public struct PWMInventory: Equatable, Sendable {
    /// Where the kernel describes its chips; tests use another folder.
    public static let folder = "/sys/class/pwm"

    /// Chips in the order of their nodes.
    public var records: [PWMRecord]
    let folder: String

    /// How long the rule of udev may take to give a channel to its group.
    private static let patience = TimeSpan.milliseconds(500)

    /// Reads the kernel's descriptions.
    public static func scan(_ folder: String = Self.folder) -> PWMInventory {
        let nodes = SystemFolder.names(in: folder).filter { $0.hasPrefix("pwmchip") }
        let records = nodes.map { node in
            let device = "\(folder)/\(node)/device"
            let names = [
                SystemFolder.text("\(device)/name"), lastName(SystemFolder.realPath(device)),
                lastName(SystemFolder.realPath("\(device)/driver")), node,
            ]
            let count = SystemFolder.text("\(folder)/\(node)/npwm").flatMap { UInt32($0) }
            return PWMRecord(node: node, names: names.compactMap(\.self), channels: count ?? 0)
        }
        return PWMInventory(records: records, folder: folder)
    }

    private static func lastName(_ path: String?) -> String? {
        path?.split(separator: "/").last.map(String.init)
    }

    /// What means this chip alone in a panel file.
    public func ownName(of record: PWMRecord) -> String {
        record.names.first { name in records.count { $0.names.contains(name) } == 1 }
            ?? record.node
    }

    /// Switches off the channels of these lines that have another period: where all channels of a
    /// chip have one, it can change only while none is on.
    func switchOff(_ lines: [LineSettings]) {
        for settings in lines {
            guard let channel = settings.location.channel, channel.kind == .pwm,
                let chip = try? folder(of: settings, channel)
            else { continue }
            let output = "\(chip)/pwm\(channel.number)"
            let period = String(channel.period.nanoseconds)
            guard let found = SystemFolder.text("\(output)/period"), found != period else {
                continue
            }
            _ = LevelNode.Setting(path: "\(output)/enable", text: "0").put()
        }
    }

    /// Opens the channel of a line; exports it if it is not yet.
    func node(of settings: LineSettings, _ channel: DeviceChannel) throws(HALError) -> LevelNode {
        let chip = try folder(of: settings, channel)
        let output = "\(chip)/pwm\(channel.number)"
        let path = "\(output)/duty_cycle"
        if access(output, F_OK) != 0 {
            let export = LevelNode.Setting(path: "\(chip)/export", text: "\(channel.number)")
            let errno = export.put()
            guard errno == 0 else { throw .levelRefused(settings, export.path, errno: errno) }
            let end = MonotonicClock.now + Self.patience
            while access(path, W_OK) != 0, MonotonicClock.now < end { usleep(5_000) }
        }
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw .levelRefused(settings, path, errno: errno) }
        let period = channel.period.nanoseconds
        var node = LevelNode(file: ChannelFile(file), path: path, full: period)
        node.slowChip = chip
        // A longer duty than the period is refused, and so is any duty before the first period.
        if SystemFolder.text(path) != "0" {
            node.before.append(LevelNode.Setting(path: path, text: "0"))
        }
        node.before.append(LevelNode.Setting(path: "\(output)/period", text: "\(period)"))
        node.after = [LevelNode.Setting(path: "\(output)/enable", text: "1")]
        return node
    }

    /// What would keep a panel from using the channel of a line; nil if nothing does.
    func problem(of settings: LineSettings) -> HALError? {
        guard let channel = settings.location.channel else { return nil }
        do throws(HALError) {
            let chip = try folder(of: settings, channel)
            let output = "\(chip)/pwm\(channel.number)"
            let path = access(output, F_OK) == 0 ? "\(output)/duty_cycle" : "\(chip)/export"
            return access(path, W_OK) == 0 ? nil : .levelRefused(settings, path, errno: errno)
        } catch {
            return error
        }
    }

    /// The folder of the chip that a line names.
    private func folder(
        of settings: LineSettings, _ channel: DeviceChannel
    ) throws(HALError) -> String {
        let found = records.filter { $0.names.contains(channel.device) }
        guard let first = found.first else { throw .noSuchPWM(settings, channel, of: self) }
        guard found.count == 1 else { throw .ambiguousPWM(settings, channel, found, of: self) }
        guard channel.number < first.channels else {
            throw HALError(
                code: .noSuchLine, line: settings.name, errno: ENOENT,
                cause: "\"\(channel.device)\" has no channel \(channel.number)",
                remedy: "it has 0 to \(max(first.channels, 1) - 1)")
        }
        return "\(folder)/\(first.node)"
    }
}

extension HALError {
    fileprivate static func noSuchPWM(
        _ settings: LineSettings, _ channel: DeviceChannel, of inventory: PWMInventory
    ) -> HALError {
        let names = inventory.records.map { "\"\(inventory.ownName(of: $0))\"" }
        return HALError(
            code: .noSuchChip, line: settings.name, errno: ENODEV,
            cause: "no PWM chip is called \"\(channel.device)\"",
            remedy: names.isEmpty
                ? "load its driver, such as `dtoverlay=pwm` in config.txt; "
                    + "`ls \(inventory.folder)` then shows it"
                : "write `chip:` with one of \(names.joined(separator: ", "))")
    }

    fileprivate static func ambiguousPWM(
        _ settings: LineSettings, _ channel: DeviceChannel, _ found: [PWMRecord],
        of inventory: PWMInventory
    ) -> HALError {
        HALError(
            code: .ambiguousLine, line: settings.name,
            cause: "\(found.count) PWM chips are called \"\(channel.device)\"",
            remedy: "write "
                + found.map { "`chip: \"\(inventory.ownName(of: $0))\"`" }
                .joined(separator: " or "))
    }
}
