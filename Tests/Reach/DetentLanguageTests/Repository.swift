/// Where the tests find the project's own files.
enum Repository {
    /// The root, by the place of this file.
    static let root: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/")
    }()

    static func path(_ name: String) -> String { root + "/" + name }
}
