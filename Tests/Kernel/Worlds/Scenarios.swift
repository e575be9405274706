internal import Glibc

/// The scenarios that both worlds play.
enum Scenarios {
    /// Those of the panels, then those of this tool.
    static func all(in project: String) -> [String] {
        let panels = "\(project)/panels"
        let folders = names(in: panels).map { "\(panels)/\($0)" }
        return (folders + ["\(project)/Tests/Kernel/Worlds/Scenarios"]).flatMap { folder in
            names(in: folder).filter { $0.hasSuffix(".scenario.yaml") }.map { "\(folder)/\($0)" }
        }
    }

    /// The names in a folder, in alphabetical order.
    private static func names(in folder: String) -> [String] {
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
}
