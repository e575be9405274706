internal import Glibc

/// A GPIO chip of the kernel's simulator gpio-sim: created, moved and read through configfs and
/// sysfs.
///
/// Needs root, and a kernel with CONFIG_GPIO_SIM; the rig has both. A pull on an input corresponds
/// to a finger. Requesting a line with a bias overwrites its pull.
///
/// Synchronization: none. No call starts a process, so it can be used between two edges.
public final class SimChip {
    /// The label of the chip.
    public let label: String
    /// The names of the lines, by their offsets; empty for lines without a name.
    public let lineNames: [String]
    /// The kernel's name while the chip is enabled, such as `gpiochip0`.
    public private(set) var chipName = ""
    /// The parent device while the chip is enabled, such as `gpio-sim.0`.
    public private(set) var deviceName = ""
    /// Whether the chip is enabled.
    public private(set) var isPlugged = false

    private let folder: String
    private var pulls: [Int32] = []
    private var values: [Int32] = []

    private static let root = "/sys/kernel/config/gpio-sim"

    /// Whether this kernel has gpio-sim, and this user may use it.
    public static var isAvailable: Bool { access(root, W_OK) == 0 }

    /// Creates and enables a chip, with all lines low.
    ///
    /// - Parameters:
    ///   - name: unique among the chips that exist.
    ///   - label: need not be unique; the name by default.
    ///   - hogs: names of drivers that take a line at once, by offset.
    public init(
        name: String, label: String? = nil, lines: [String], hogs: [Int: String] = [:]
    ) throws {
        self.label = label ?? name
        lineNames = lines
        folder = "\(Self.root)/\(name)"
        try Self.makeFolder(folder)
        try Self.makeFolder("\(folder)/bank")
        try Self.write(String(lines.count), to: "\(folder)/bank/num_lines")
        try Self.write(self.label, to: "\(folder)/bank/label")
        for (offset, line) in lines.enumerated() where !line.isEmpty || hogs[offset] != nil {
            try Self.makeFolder("\(folder)/bank/line\(offset)")
            if !line.isEmpty { try Self.write(line, to: "\(folder)/bank/line\(offset)/name") }
            if let hog = hogs[offset] {
                try Self.makeFolder("\(folder)/bank/line\(offset)/hog")
                try Self.write(hog, to: "\(folder)/bank/line\(offset)/hog/name")
                try Self.write("input", to: "\(folder)/bank/line\(offset)/hog/direction")
            }
        }
        try plug()
    }

    deinit { remove() }

    /// The folder of a line's `pull` and `value`, for programs that change it themselves.
    public func lineFolder(_ offset: Int) -> String {
        "/sys/devices/platform/\(deviceName)/\(chipName)/sim_gpio\(offset)"
    }

    /// Pulls a line up or down from outside.
    public func pull(_ offset: Int, high: Bool) {
        let text: StaticString = high ? "pull-up" : "pull-down"
        let written = pwrite(pulls[offset], text.utf8Start, text.utf8CodeUnitCount, 0)
        precondition(written == text.utf8CodeUnitCount, "the simulator refuses a pull: \(errno)")
    }

    /// The level of a line: the driven level of an output, or the pull of an input.
    public func isHigh(_ offset: Int) -> Bool {
        var letter: UInt8 = 0
        let count = pread(values[offset], &letter, 1, 0)
        precondition(count == 1, "the simulator does not tell a value: \(errno)")
        return letter == UInt8(ascii: "1")
    }

    /// Removes the chip, as unplugging does; does nothing if it is already removed.
    public func unplug() throws {
        guard isPlugged else { return }
        closeFiles()
        try Self.write("0", to: "\(folder)/live")
        isPlugged = false
    }

    /// Enables the chip, with all lines low; does nothing if it is enabled.
    public func plug() throws {
        guard !isPlugged else { return }
        try enable()
        isPlugged = true
        deviceName = try Self.read("\(folder)/dev_name")
        chipName = try Self.read("\(folder)/bank/chip_name")
        for offset in lineNames.indices {
            pulls.append(open("\(lineFolder(offset))/pull", O_WRONLY | O_CLOEXEC))
            values.append(open("\(lineFolder(offset))/value", O_RDONLY | O_CLOEXEC))
        }
        for offset in lineNames.indices where pulls[offset] < 0 || values[offset] < 0 {
            throw SimChipError(path: lineFolder(offset), errno: errno)
        }
    }

    /// The kernel has 512 numbers for lines, and those of a chip that has gone are free once no
    /// process has it open: one that is being killed takes a moment.
    private func enable() throws {
        for _ in 0..<200 {
            do {
                return try Self.write("1", to: "\(folder)/live")
            } catch let error as SimChipError where error.errno == ENXIO {
                usleep(50_000)
            }
        }
        try Self.write("1", to: "\(folder)/live")
    }

    /// Deletes the chip; does nothing if called again.
    public func remove() {
        try? unplug()
        for offset in lineNames.indices {
            rmdir("\(folder)/bank/line\(offset)/hog")
            rmdir("\(folder)/bank/line\(offset)")
        }
        rmdir("\(folder)/bank")
        rmdir(folder)
    }

    private func closeFiles() {
        for file in pulls + values where file >= 0 { close(file) }
        pulls.removeAll()
        values.removeAll()
    }

    private static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o755) != 0, errno != EEXIST { throw SimChipError(path: path, errno: errno) }
    }

    private static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw SimChipError(path: path, errno: errno) }
        defer { close(file) }
        var text = text
        let written = text.withUTF8 { Glibc.write(file, $0.baseAddress, $0.count) }
        guard written >= 0 else { throw SimChipError(path: path, errno: errno) }
    }

    private static func read(_ path: String) throws -> String {
        let text = try KernelFile.text(path)
        return String(text.prefix { $0 != "\n" })
    }
}

/// A file of the simulator that cannot be used.
public struct SimChipError: Error, CustomStringConvertible {
    /// The file or folder.
    public var path: String
    /// The system's error number.
    public var errno: Int32

    /// The text, as the check prints it.
    public var description: String { "\(path): \(String(cString: strerror(errno)))" }
}
