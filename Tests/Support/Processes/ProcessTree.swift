public import Glibc

/// What /proc says of processes.
public enum ProcessTree {
    /// The children of a process that live, in the order of their numbers.
    ///
    /// - Parameter withDead: also those that it has not reaped.
    public static func children(of parent: pid_t, withDead: Bool = false) -> [pid_t] {
        names(in: "/proc").compactMap { pid_t($0) }
            .filter { Self.parent(of: $0, withDead: withDead) == parent }.sorted()
    }

    /// The parent of a process that lives; nil if there is none.
    private static func parent(of process: pid_t, withDead: Bool = false) -> pid_t? {
        // 81 (detent) S 80 …
        let words = text("/proc/\(process)/stat").split(separator: ")").last?
            .split(separator: " ")
        guard let words, words.count > 1, withDead || words[0] != "Z" else { return nil }
        return pid_t(words[1])
    }

    /// Whether it has not ended.
    public static func lives(_ process: pid_t) -> Bool { parent(of: process) != nil }

    /// Stops a process, and waits until each of its threads has stopped. Until the thread that the
    /// signal goes to has run, the others go on.
    public static func stop(_ process: pid_t) {
        kill(process, SIGSTOP)
        for _ in 0..<12_000 where !isStopped(process) { poll(nil, 0, 5) }
    }

    private static func isStopped(_ process: pid_t) -> Bool {
        names(in: "/proc/\(process)/task").allSatisfy { thread in
            text("/proc/\(process)/task/\(thread)/stat").split(separator: ")").last?
                .hasPrefix(" T") == true
        }
    }

    /// What its open descriptors are, by their numbers.
    public static func files(of process: pid_t) -> [String: String] {
        var files: [String: String] = [:]
        for name in names(in: "/proc/\(process)/fd") {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = readlink("/proc/\(process)/fd/\(name)", &buffer, buffer.count)
            if count > 0 { files[name] = String(decoding: buffer[..<count], as: UTF8.self) }
        }
        return files
    }

    /// The first 8 KiB of a file; empty if it cannot be read.
    public static func text(_ path: String) -> String {
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
