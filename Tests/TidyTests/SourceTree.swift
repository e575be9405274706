import Glibc

/// The files of this repository, found from the place of this file.
enum SourceTree {
    /// The folder that Package.swift is in.
    static let root: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/")
    }()

    /// Every text file, by its path from the root, in alphabetical order.
    static let files: [SourceFile] = paths(below: "").sorted().compactMap(SourceFile.read)

    /// Every Swift file of the package.
    static let swift: [SourceFile] = files.filter { $0.path.hasSuffix(".swift") }

    /// The names in a folder; empty if it is none. Links are not followed.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir("\(root)/\(folder)") else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// What is built, kept by a tool, or measured on one machine.
    private static func isForeign(_ name: String) -> Bool {
        name.hasPrefix(".build") || name == ".git" || name == ".swiftpm" || name == "artefacts"
            || name == "Package.resolved" || name.hasPrefix("callgrind.out")
    }

    private static func paths(below folder: String) -> [String] {
        var found: [String] = []
        for name in names(in: folder) where !isForeign(name) {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            var status = stat()
            guard lstat("\(root)/\(path)", &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: found += paths(below: path)
            case S_IFREG: found.append(path)
            default: break
            }
        }
        return found
    }
}
