import Glibc

/// Files of other tests.
enum Fixtures {
    /// The faulty panels below a folder: `rejected/*.yaml`, and `lint/RULE/breaks.yaml`.
    static func faulty(below folder: String) -> [String] {
        let rejected = names(folder + "rejected").filter { $0.hasSuffix(".yaml") }
            .map { folder + "rejected/" + $0 }
        let lint = names(folder + "lint").map { folder + "lint/" + $0 }
            .flatMap { rule in names(rule).map { rule + "/" + $0 } }
            .filter { $0.hasSuffix(".yaml") && !$0.hasSuffix("keeps.yaml") }
        return rejected + lint
    }

    private static func names(_ folder: String) -> [String] {
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
