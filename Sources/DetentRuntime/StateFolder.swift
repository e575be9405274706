import DetentPanel
import Glibc

/// The steps by which a state file is replaced; tests let them fail or end between any two.
public protocol StateFolder: Sendable {
    /// The whole file; nil where there is none.
    func read(_ name: String) throws(StateFolderError) -> [UInt8]?
    /// Writes a whole file, which need not outlive a power cut yet.
    func write(_ bytes: [UInt8], to name: String) throws(StateFolderError)
    /// Makes what was written to a file outlive a power cut.
    func sync(_ name: String) throws(StateFolderError)
    /// Gives a file another name in one step, whether or not there is a file of that name.
    func rename(_ name: String, to other: String) throws(StateFolderError)
    /// Makes names outlive a power cut.
    func syncNames() throws(StateFolderError)
    /// Whether there is anything of that name.
    func contains(_ name: String) -> Bool
}

/// A step that the system refused.
public struct StateFolderError: Error, Equatable, Sendable {
    /// What was tried, such as `written`.
    public var step: String
    /// The system's number for the cause.
    public var errno: Int32

    /// Makes an error.
    public init(step: String, errno: Int32) {
        self.step = step
        self.errno = errno
    }
}

/// A folder of this machine.
public struct SystemStateFolder: StateFolder {
    /// The folder's path.
    public let path: String

    /// Names a folder, and makes it where only it is missing.
    public init(_ path: String) {
        self.path = path
        _ = mkdir(path, 0o700)
    }

    /// The whole file; nil where there is none.
    public func read(_ name: String) throws(StateFolderError) -> [UInt8]? {
        let file = open(place(name), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw StateFolderError(step: "read", errno: errno)
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // One byte more than any file may have, so that a larger one is seen to be.
        while bytes.count <= SavedFile.byteLimit {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw StateFolderError(step: "read", errno: errno) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Writes a whole file, readable by its owner alone.
    public func write(_ bytes: [UInt8], to name: String) throws(StateFolderError) {
        let file = open(place(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StateFolderError(step: "written", errno: errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = errno
                close(file)
                throw StateFolderError(step: "written", errno: error)
            }
            rest = rest.dropFirst(count)
        }
        guard close(file) == 0 else { throw StateFolderError(step: "written", errno: errno) }
    }

    /// Makes what was written to a file outlive a power cut.
    public func sync(_ name: String) throws(StateFolderError) {
        try sync(at: place(name), O_RDONLY)
    }

    /// Gives a file another name in one step.
    public func rename(_ name: String, to other: String) throws(StateFolderError) {
        guard Glibc.rename(place(name), place(other)) == 0 else {
            throw StateFolderError(step: "renamed", errno: errno)
        }
    }

    /// Makes names outlive a power cut.
    public func syncNames() throws(StateFolderError) { try sync(at: path, O_RDONLY | O_DIRECTORY) }

    /// Whether there is anything of that name.
    public func contains(_ name: String) -> Bool {
        var status = stat()
        return lstat(place(name), &status) == 0
    }

    private func place(_ name: String) -> String { path + "/" + name }

    private func sync(at path: String, _ flags: Int32) throws(StateFolderError) {
        let file = open(path, flags | O_CLOEXEC)
        guard file >= 0 else { throw StateFolderError(step: "synced", errno: errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw StateFolderError(step: "synced", errno: errno) }
    }
}
