import DetentPanel
import Glibc

/// Finds the scenarios of a panel in folders.
enum ScenarioSearch {
    /// The paths of files that end as scenarios do, in folders and what they contain, sorted.
    static func files(below folders: [String]) -> [String] {
        var found: Set<String> = []
        var left = LanguageLimits.filesLookedAt
        for folder in folders {
            look(FileAddress.normal(folder), LanguageLimits.folderDepth, &left, &found)
        }
        return found.sorted()
    }

    private static func look(
        _ folder: String, _ depth: Int, _ left: inout Int, _ found: inout Set<String>
    ) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        var inner: [String] = []
        while left > 0, let entry = readdir(stream) {
            left -= 1
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = folder + "/" + name
            switch entry.pointee.d_type {
            case UInt8(DT_DIR): inner.append(path)
            case UInt8(DT_REG) where name.hasSuffix(".yaml"): found.insert(path)
            default: break
            }
        }
        guard depth > 0 else { return }
        for path in inner.sorted() { look(path, depth - 1, &left, &found) }
    }
}
