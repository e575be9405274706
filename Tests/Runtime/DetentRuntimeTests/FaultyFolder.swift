import DetentPlatform
import Glibc
import Synchronization

@testable import DetentRuntime

/// A real folder whose steps fail as a test says, and which is removed at the end.
final class FaultyFolder: StateFolder {
    private struct State {
        var failing: [String: Int32] = [:]
        var databasePath: String?
        var willRead: @Sendable () -> Void = {}
        /// The steps that were taken, such as `remove P.state`.
        var steps: [String] = []
    }

    let real: SystemStateFolder
    private let state = Mutex(State())
    var path: String { real.path }

    init() {
        var template = Array("/tmp/detent-faulty-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        real = SystemStateFolder(
            String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        state.withLock { $0.databasePath = real.databasePath }
    }

    deinit {
        for name in names { _ = Glibc.remove(path + "/" + name) }
        _ = Glibc.rmdir(path)
    }

    /// The files, in order.
    var names: [String] { SystemFolder.names(in: path) }

    var steps: [String] { state.withLock { $0.steps } }

    /// The files of the folder that this process has open.
    var open: [String] {
        guard let directory = opendir("/proc/self/fd") else { return [] }
        defer { closedir(directory) }
        var found: [String] = []
        while let entry = readdir(directory) {
            let link = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var target = [CChar](repeating: 0, count: 4_097)
            guard readlink("/proc/self/fd/" + link, &target, 4_096) > 0 else { continue }
            let file = String(decoding: target.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            if file.hasPrefix(path + "/") { found.append(String(file.dropFirst(path.count + 1))) }
        }
        return found.sorted()
    }

    /// From now on a step fails: `write`, `sync`, `rename`, `remove`, `syncNames`, `read`.
    func fail(_ step: String, _ errno: Int32 = EIO) { state.withLock { $0.failing[step] = errno } }

    func repair() { state.withLock { $0.failing = [:] } }

    /// Where databases are; nil: nowhere.
    func moveDatabases(_ path: String?) { state.withLock { $0.databasePath = path } }

    /// What happens before a file is read.
    func beforeReading(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.willRead = body }
    }

    /// Writes a file as another program would.
    func put(_ text: String, _ name: String) throws { try real.write(Array(text.utf8), to: name) }

    func text(_ name: String) throws -> String? {
        try real.read(name).map { String(decoding: $0, as: UTF8.self) }
    }

    private func take(
        _ step: String, _ name: String, _ what: String
    ) throws(StateFolderError) {
        let failing = state.withLock { state -> Int32? in
            state.steps.append(name.isEmpty ? step : "\(step) \(name)")
            return state.failing[step]
        }
        if let failing { throw StateFolderError(step: what, errno: failing) }
    }

    func read(_ name: String) throws(StateFolderError) -> [UInt8]? {
        state.withLock { $0.willRead }()
        try take("read", name, "read")
        return try real.read(name)
    }

    func write(_ bytes: [UInt8], to name: String) throws(StateFolderError) {
        try take("write", name, "written")
        try real.write(bytes, to: name)
    }

    func sync(_ name: String) throws(StateFolderError) {
        try take("sync", name, "synced")
        try real.sync(name)
    }

    func rename(_ name: String, to other: String) throws(StateFolderError) {
        try take("rename", name, "renamed")
        try real.rename(name, to: other)
    }

    func remove(_ name: String) throws(StateFolderError) {
        try take("remove", name, "removed")
        try real.remove(name)
    }

    func syncNames() throws(StateFolderError) {
        try take("syncNames", "", "synced")
        try real.syncNames()
    }

    func contains(_ name: String) -> Bool { real.contains(name) }
    func isPlain(_ name: String) -> Bool { real.isPlain(name) }
    func identity(of name: String) -> FileIdentity? { real.identity(of: name) }
    func makeAgain() -> Bool { real.makeAgain() }
    func makePrivate(_ name: String, isMade: Bool) -> Bool {
        real.makePrivate(name, isMade: isMade)
    }
    var databasePath: String? { state.withLock { $0.databasePath } }
}
