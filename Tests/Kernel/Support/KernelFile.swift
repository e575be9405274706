internal import Glibc

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
}
