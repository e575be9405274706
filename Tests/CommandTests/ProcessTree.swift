import Glibc

/// What /proc says of the processes of a running panel.
enum ProcessTree {
    /// The children of a process that live, in the order of their numbers.
    static func children(of parent: pid_t) -> [pid_t] {
        names(in: "/proc").compactMap { pid_t($0) }.filter { Self.parent(of: $0) == parent }
            .sorted()
    }

    /// The parent of a process that lives; nil if there is none.
    private static func parent(of process: pid_t) -> pid_t? {
        // 81 (detent) S 80 …
        let words = text("/proc/\(process)/stat").split(separator: ")").last?
            .split(separator: " ")
        guard let words, words.count > 1, words[0] != "Z" else { return nil }
        return pid_t(words[1])
    }

    static func lives(_ process: pid_t) -> Bool { parent(of: process) != nil }

    /// What its open descriptors are.
    static func files(of process: pid_t) -> [String] {
        names(in: "/proc/\(process)/fd").map { name in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = readlink("/proc/\(process)/fd/\(name)", &buffer, buffer.count)
            return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        }
    }

    static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 8_192)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
