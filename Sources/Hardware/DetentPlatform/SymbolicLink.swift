import Glibc

/// Links to files and folders.
enum SymbolicLink {
    /// Where a link leads; nil for what is no link.
    static func target(of path: String) -> String? {
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBytes {
            readlink(path, $0.bindMemory(to: CChar.self).baseAddress!, $0.count)
        }
        return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
    }
}
