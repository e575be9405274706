import Glibc

/// What the kernel tells in files, such as those of `/sys`.
public enum SystemFolder {
    /// The names in a folder, sorted, without hidden ones; empty if it cannot be read.
    public static func names(in path: String) -> [String] {
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

    /// The text of a file of at most one page, without the line's end; nil if it cannot be read.
    public static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        let isLine = bytes[..<count].last == UInt8(ascii: "\n")
        return String(decoding: bytes[..<(isLine ? count - 1 : count)], as: UTF8.self)
    }

    /// The path behind all links; nil if there is nothing.
    public static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
