internal import DetentHAL
internal import DetentPlatform
internal import Glibc

/// A converter of this machine.
public struct ConverterRecord: Equatable, Sendable {
    /// The name of its folder, such as `iio:device0`. It changes when it is found again.
    public var node: String
    /// The name that its driver gave it, such as `ads1015`.
    public var name: String
    /// Where it is connected, such as `1-0048`.
    public var place: String
    /// The numbers of the channels that can be sampled.
    public var channels: [UInt32]
}

/// The converters of this machine (IIO). Looking samples none of them.
public struct AnalogInventory: Equatable, Sendable {
    /// Where the kernel describes its converters; tests use another folder.
    public static let folder = "/sys/bus/iio/devices"

    /// Converters in the order of their nodes.
    public var records: [ConverterRecord]
    let folder: String

    /// Reads the kernel's descriptions.
    public static func scan(_ folder: String = Self.folder) -> AnalogInventory {
        let nodes = SystemFolder.names(in: folder).filter { $0.hasPrefix("iio:device") }
        let records = nodes.compactMap { node -> ConverterRecord? in
            let path = "\(folder)/\(node)"
            guard let name = SystemFolder.text("\(path)/name") else { return nil }
            let channels = SystemFolder.names(in: path).compactMap(channel).sorted()
            return ConverterRecord(
                node: node, name: name, place: location(of: path), channels: channels)
        }
        return AnalogInventory(records: records, folder: folder)
    }

    /// The number in `in_voltage2_raw`; nil for other files, such as those of differences.
    private static func channel(_ file: String) -> UInt32? {
        guard file.hasPrefix("in_voltage"), file.hasSuffix("_raw") else { return nil }
        return UInt32(file.dropFirst("in_voltage".count).dropLast("_raw".count))
    }

    /// The name of the device that the folder is in.
    private static func location(of path: String) -> String {
        let parts = (SystemFolder.realPath(path) ?? path).split(separator: "/")
        return parts.dropLast().last.map(String.init) ?? ""
    }

    /// The file of a channel.
    func path(of record: ConverterRecord, _ channel: DeviceChannel) -> String {
        "\(folder)/\(record.node)/in_voltage\(channel.number)_raw"
    }

    /// Finds the converter of a line, by its name or its place.
    func record(
        of settings: LineSettings, _ channel: DeviceChannel
    ) throws(HALError) -> ConverterRecord {
        let named = records(named: channel.device)
        guard let first = named.first else { throw .noSuchConverter(settings, channel, of: self) }
        guard named.count == 1 else { throw .ambiguousConverter(settings, channel, named) }
        guard first.channels.contains(channel.number) else {
            throw .noSuchAnalogChannel(settings, channel, of: first)
        }
        return first
    }

    /// The converters that a text of the panel file may mean.
    func records(named text: String) -> [ConverterRecord] {
        let named = records.filter { $0.name == text }
        return named.isEmpty ? records.filter { $0.place == text } : named
    }

    /// What means this converter alone in a panel file; nil if nothing does.
    public func ownName(of record: ConverterRecord) -> String? {
        [record.name, record.place].first {
            !$0.isEmpty && records(named: $0).map(\.node) == [record.node]
        }
    }
}

/// Messages for channels of converters that cannot be used.
extension HALError {
    static func noSuchConverter(
        _ settings: LineSettings, _ channel: DeviceChannel, of inventory: AnalogInventory
    ) -> HALError {
        let names = inventory.records.compactMap(inventory.ownName).map { "\"\($0)\"" }
        return HALError(
            code: .noSuchChip, line: settings.name, errno: ENODEV,
            cause: "no converter is called \"\(channel.device)\"",
            remedy: names.isEmpty
                ? "load its driver, such as `dtoverlay=ads1015` in config.txt; "
                    + "`ls \(inventory.folder)` then shows it"
                : "connect it, or write `device:` with one of \(names.joined(separator: ", "))")
    }

    static func noSuchAnalogChannel(
        _ settings: LineSettings, _ channel: DeviceChannel, of record: ConverterRecord
    ) -> HALError {
        HALError(
            code: .noSuchLine, line: settings.name, errno: ENOENT,
            cause: "\"\(channel.device)\" has no channel \(channel.number)",
            remedy: record.channels.isEmpty
                ? "use another converter: this one has no voltages"
                : "it has " + record.channels.map(String.init).joined(separator: ", "))
    }

    static func ambiguousConverter(
        _ settings: LineSettings, _ channel: DeviceChannel, _ found: [ConverterRecord]
    ) -> HALError {
        HALError(
            code: .ambiguousLine, line: settings.name,
            cause: "\(found.count) converters are called \"\(channel.device)\"",
            remedy: "write "
                + found.map { "`device: \"\($0.place)\"`" }.joined(separator: " or "))
    }

    static func converterRefused(
        _ settings: LineSettings, _ path: String, errno: Int32
    ) -> HALError {
        refused(
            settings, path, errno: errno, use: "read",
            permission: "give the group of this user the right to read it, by a rule of udev",
            own: [
                ETIMEDOUT: (
                    .system, "\(path) does not answer",
                    "check the wires of its bus; the line recovers automatically"
                )
            ])
    }

    static func channelUsedTwice(_ settings: LineSettings, _ first: LineSettings) -> HALError {
        HALError(
            code: .busy, line: settings.name, errno: EBUSY, holder: first.name,
            cause: "\(first.name) uses the same channel",
            remedy: "give one of the two another channel")
    }
}
