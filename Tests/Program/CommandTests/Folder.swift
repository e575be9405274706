import Glibc

/// A folder of one test, removed with this value and all that is in it.
final class Folder {
    let path: String

    init() {
        var template = Array("/tmp/detent-test-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The names that are not hidden.
    var names: [String] { all.filter { !$0.hasPrefix(".") } }

    private var all: [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names.sorted()
    }

    func text(_ name: String) -> String {
        guard let file = fopen(path + "/" + name, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    func write(_ text: String, to name: String) {
        guard let file = fopen(path + "/" + name, "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    deinit {
        for name in all where name != "." && name != ".." { unlink(path + "/" + name) }
        rmdir(path)
    }
}
