import DetentPanel
import Glibc

/// Finds the lines of a panel among the chips of the kernel's simulator gpio-sim.
///
/// Configfs contains each chip's label and the names of its lines; sysfs has a `pull` and a `value`
/// for each line.
struct GPIOSimChips {
    private struct Bank {
        var label: String
        var device: String
        var folder: String
        var names: [Int: String]
    }

    static let root = "/sys/kernel/config/gpio-sim"
    private var banks: [Bank] = []

    /// Finds every chip that is enabled.
    init() {
        for chip in Self.entries(Self.root) {
            let path = "\(Self.root)/\(chip)"
            guard Self.word("\(path)/live") == "1", let device = Self.word("\(path)/dev_name")
            else { continue }
            for entry in Self.entries(path) {
                guard let name = Self.word("\(path)/\(entry)/chip_name") else { continue }
                banks.append(
                    Bank(
                        label: Self.word("\(path)/\(entry)/label") ?? "", device: device,
                        folder: "/sys/devices/platform/\(device)/\(name)",
                        names: Self.lineNames("\(path)/\(entry)")))
            }
        }
    }

    /// The folder of a line, with its `pull` and `value`; nil if no simulated chip has the line.
    func folder(of line: LinePlan) -> String? {
        let expected = banks.filter {
            line.chipLabels.isEmpty || line.chipLabels.contains($0.label)
                || $0.device == line.platformDevice
        }
        for name in line.lineNames {
            for bank in expected {
                if let offset = bank.names.first(where: { $0.value == name })?.key {
                    return "\(bank.folder)/sim_gpio\(offset)"
                }
            }
        }
        guard let offset = line.offset, !line.chipLabels.isEmpty else { return nil }
        return expected.first.map { "\($0.folder)/sim_gpio\(offset)" }
    }

    private static func lineNames(_ bank: String) -> [Int: String] {
        var names: [Int: String] = [:]
        for entry in entries(bank) where entry.hasPrefix("line") {
            guard let offset = Int(entry.dropFirst(4)) else { continue }
            names[offset] = word("\(bank)/\(entry)/name")
        }
        return names
    }

    /// The names in a folder, sorted, so that the choice is deterministic.
    private static func entries(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// The first line of a file; nil if it cannot be read.
    private static func word(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
