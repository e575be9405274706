import Glibc

/// Where tests find the project's own files.
public enum Repository {
    /// The root, by the place of this file.
    public static let root: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/")
    }()

    /// The path of a file that is named from the root.
    public static func path(_ name: String) -> String { root + "/" + name }

    /// The names in a folder, sorted, without hidden ones. None if it cannot be read.
    public static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
