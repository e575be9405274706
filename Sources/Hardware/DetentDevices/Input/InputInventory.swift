public import DetentHAL
internal import CInput
internal import DetentPlatform

/// Where the kernel describes its input devices; tests use others.
public struct InputFolders: Equatable, Sendable {
    /// The folder of the device nodes.
    public var devices = "/dev/input"
    /// The folder of their descriptions.
    public var classes = "/sys/class/input"

    /// The folders of every Linux.
    public init() {}
}

/// An input device of this machine.
public struct InputRecord: Equatable, Sendable {
    /// The name of its node, such as `event3`. It changes when it is plugged in again.
    public var node: String
    /// The name that its maker gave it.
    public var name: String
    /// Where it is plugged in, such as `usb-0000:01:00.0-1.3/input0`; empty if it is not known.
    public var place: String
    /// Links to its node below the folder of nodes, such as `by-id/usb-…-event-kbd`.
    public var links: [String]
    /// The codes of its keys.
    public var keys: [UInt16]
    /// The codes of its axes that report steps.
    public var axes: [UInt16]

    /// Whether it has a channel.
    public func has(_ channel: DeviceChannel) -> Bool {
        (channel.kind == .inputAxis ? axes : keys).contains { UInt32($0) == channel.number }
    }

    /// The names of its channels of a kind; those without a name are left out.
    public func channelNames(of kind: DeviceChannel.Kind) -> [String] {
        let isAxis = kind == .inputAxis
        return (isAxis ? axes : keys).compactMap { Self.name(of: $0, isAxis: isAxis) }
    }

    /// The name of a code; nil if it has none.
    static func name(of code: UInt16, isAxis: Bool) -> String? {
        detent_input_name(isAxis ? 1 : 0, Int32(code)).map { String(cString: $0) }
    }
}

/// The input devices of this machine. Looking opens none of them.
public struct InputInventory: Equatable, Sendable {
    /// Devices in the order of their nodes.
    public var records: [InputRecord]
    let folders: InputFolders

    /// Reads the kernel's descriptions: about 100 µs for each device.
    public static func scan(_ folders: InputFolders = InputFolders()) -> InputInventory {
        var links: [String: [String]] = [:]
        for folder in ["by-id", "by-path"] {
            for link in SystemFolder.names(in: "\(folders.devices)/\(folder)") {
                guard let path = SystemFolder.realPath("\(folders.devices)/\(folder)/\(link)"),
                    let slash = path.lastIndex(of: "/")
                else { continue }
                links[String(path[path.index(after: slash)...]), default: []]
                    .append("\(folder)/\(link)")
            }
        }
        let nodes = SystemFolder.names(in: folders.classes).filter { $0.hasPrefix("event") }
        let records = nodes.compactMap { node -> InputRecord? in
            let device = "\(folders.classes)/\(node)/device"
            guard let name = SystemFolder.text("\(device)/name") else { return nil }
            return InputRecord(
                node: node, name: name, place: SystemFolder.text("\(device)/phys") ?? "",
                links: links[node] ?? [],
                keys: codes(SystemFolder.text("\(device)/capabilities/key")),
                axes: codes(SystemFolder.text("\(device)/capabilities/rel")))
        }
        return InputInventory(
            records: records.sorted { number($0.node) < number($1.node) }, folders: folders)
    }

    private static func number(_ node: String) -> Int { Int(node.dropFirst(5)) ?? .max }

    /// The bits that are set in words of 64 bits, the highest word first.
    static func codes(_ bitmap: String?) -> [UInt16] {
        let words = (bitmap ?? "").split(separator: " ").reversed()
        var codes: [UInt16] = []
        for (place, word) in words.enumerated().prefix(12) {
            guard let bits = UInt64(word, radix: 16) else { continue }
            for bit in 0..<64 where bits >> UInt64(bit) & 1 == 1 {
                codes.append(UInt16(place * 64 + bit))
            }
        }
        return codes
    }

    /// The path of the node of a device.
    func path(of record: InputRecord) -> String { "\(folders.devices)/\(record.node)" }

    /// Finds the device of a line.
    ///
    /// A path finds the node that it leads to. Other texts are compared with the names, then with
    /// the places, then with the links. Of several devices with one name, as a keyboard with media
    /// keys has them, the one with the channel is meant.
    func record(of settings: LineSettings, _ channel: DeviceChannel) throws(HALError) -> InputRecord
    {
        let named = records(named: channel.device)
        let able = named.filter { $0.has(channel) }
        if able.count == 1 { return able[0] }
        if named.isEmpty { throw .noSuchInput(settings, channel, of: self) }
        if able.isEmpty { throw .noSuchInputChannel(settings, channel, of: named) }
        throw .ambiguousInput(settings, channel, able, of: self)
    }

    /// The devices that a text of the panel file may mean.
    func records(named text: String) -> [InputRecord] {
        if text.hasPrefix("/") {
            guard let path = SystemFolder.realPath(text) else { return [] }
            return records.filter {
                let node = self.path(of: $0)
                return node == path || SystemFolder.realPath(node) == path
            }
        }
        let named = records.filter { $0.name == text }
        if !named.isEmpty { return named }
        return records.filter { record in
            record.place == text
                || record.links.contains { $0 == text || $0.hasSuffix("/" + text) }
        }
    }

    /// What means this device alone in a panel file; nil if nothing does.
    public func ownName(of record: InputRecord) -> String? {
        let link = record.links.first.map { "\(folders.devices)/\($0)" }
        let names = [record.name, link, record.place].compactMap(\.self)
        return names.first { !$0.isEmpty && records(named: $0).map(\.node) == [record.node] }
    }
}
