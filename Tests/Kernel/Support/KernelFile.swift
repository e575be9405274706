internal import DetentTypes
public import Glibc

/// Small files of the kernel, read and written whole.
public enum KernelFile {
    /// The text of a file, at most 1 MiB.
    public static func text(_ path: String) throws -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SimChipError(path: path, errno: errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 1 << 20 {
            let count = read(file, &room, room.count)
            guard count >= 0 else { throw SimChipError(path: path, errno: errno) }
            if count == 0 { break }
            bytes.append(contentsOf: room.prefix(count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes a short text; false if that fails.
    @discardableResult
    public static func put(_ text: String, into path: String) -> Bool {
        let file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var text = text
        return text.withUTF8 { write(file, $0.baseAddress, $0.count) } >= 0
    }

    /// The names in a folder, in alphabetical order; none if it cannot be read.
    public static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { found.append(name) }
        }
        return found.sorted()
    }

    /// A child of a process, with this name if one is given; nil if it has none.
    public static func child(of parent: pid_t, named wanted: String? = nil) -> pid_t? {
        for name in names(in: "/proc") {
            guard let process = pid_t(name), let text = try? text("/proc/\(name)/stat")
            else { continue }
            // 81 (detent) S 80 …
            let words = text.split(separator: ")").last?.split(separator: " ") ?? []
            if let wanted, !text.contains("(\(wanted))") { continue }
            if words.count > 1, words[0] != "Z", words[1] == "\(parent)" { return process }
        }
        return nil
    }
}
