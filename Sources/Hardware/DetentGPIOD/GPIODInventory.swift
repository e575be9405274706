internal import CGPIOD
internal import Glibc

/// Where device nodes and their descriptions are.
public struct DevicePaths: Equatable, Sendable {
    /// The folder of the nodes, `/dev` on every Linux.
    public var devices = "/dev"
    /// The folder that lists the parents of chips.
    public var buses = "/sys/bus/gpio/devices"

    /// The paths of every Linux; tests use others.
    public static let `default` = DevicePaths()
}

/// All chips of this machine, for `detent doctor` and for finding lines.
public struct GPIODInventory: Equatable, Sendable {
    /// Chips in the order of their nodes' numbers, each once, including those that cannot be
    /// opened.
    public var chips: [ChipRecord]
    /// The error number of reading the folder of device nodes; 0 if it was read.
    public var errno: Int32 = 0

    /// The version of libgpiod in use, such as `1.6.3`.
    public static var libraryVersion: String {
        detent_gpio_library_version().map { String(cString: $0) } ?? "unknown"
    }

    /// The kernel interface that this libgpiod uses: 1 or 2.
    ///
    /// Interface 1 has neither sequence numbers nor kernel debounce, and newer kernels can omit it.
    public static var interface: Int { Int(detent_gpio_interface()) }

    /// The most chips that are scanned; further ones are ignored. A large server has about 20.
    public static let chipsMax = 64

    /// Scans every chip and every line: a few microseconds for each line, without access to a bus.
    public static func scan(_ paths: DevicePaths = .default) -> GPIODInventory {
        var found = [detent_gpio_chip_info](
            repeating: detent_gpio_chip_info(), count: chipsMax)
        let count = detent_gpio_scan(paths.devices, paths.buses, &found, chipsMax)
        guard count >= 0 else { return GPIODInventory(chips: [], errno: -count) }
        return GPIODInventory(
            chips: found.prefix(Int(count)).map { ChipRecord($0) })
    }
}

/// The text in a fixed field of a C structure.
func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension ChipRecord {
    fileprivate init(_ info: detent_gpio_chip_info) {
        self.init(
            path: text(info.path), label: text(info.label), parent: text(info.parent),
            model: text(info.model), subsystem: text(info.subsystem), sleeps: info.sleeps,
            errno: info.error, mode: info.mode, owner: Self.userName(info.owner),
            group: Self.groupName(info.group),
            lines: [])
        guard errno == 0 else { return }
        var opened: OpaquePointer?
        let result = detent_gpio_chip_open(path, &opened)
        guard result == 0, let opened else {
            errno = -result
            return
        }
        defer { detent_gpio_chip_close(opened) }
        lines.reserveCapacity(Int(info.lines))
        for offset in 0..<info.lines {
            var line = detent_gpio_line_info()
            let result = detent_gpio_line_info(opened, offset, &line)
            if result < 0 { lineErrno = -result }
            lines.append(
                LineRecord(
                    offset: offset, name: text(line.name), consumer: text(line.consumer),
                    isUsed: line.used, isOutput: line.output, isActiveLow: line.active_low))
        }
    }

    private static func userName(_ id: UInt32) -> String {
        var room = [CChar](repeating: 0, count: 4096)
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return room.withUnsafeMutableBufferPointer { room in
            guard let start = room.baseAddress,
                getpwuid_r(id, &entry, start, room.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return String(id) }
            return String(cString: name)
        }
    }

    private static func groupName(_ id: UInt32) -> String {
        var room = [CChar](repeating: 0, count: 4096)
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        return room.withUnsafeMutableBufferPointer { room in
            guard let start = room.baseAddress,
                getgrgid_r(id, &entry, start, room.count, &found) == 0, found != nil,
                let name = entry.gr_name
            else { return String(id) }
            return String(cString: name)
        }
    }
}
