import DetentPanel
public import DetentPlatform
public import Glibc

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
    /// The system's number for the cause; 0 where there is something else than a regular file.
    public var errno: Int32

    /// Makes an error.
    public init(step: String, errno: Int32) {
        self.step = step
        self.errno = errno
    }

    /// The cause for people.
    public var cause: String {
        errno == 0 ? "it is not a regular file" : String(cString: strerror(errno))
    }
}

/// A folder of this machine.
///
/// Nothing in it is trusted: links are not followed, and only regular files are opened, so that a
/// planted link, pipe or device is not written and blocks nothing.
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
        var status = stat()
        if lstat(place(name), &status) != 0, errno == ENOENT { return nil }
        let file = try openFile(name, O_RDONLY, "read")
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

    /// Writes a new file, readable by its owner alone; what had the name before is removed first.
    public func write(_ bytes: [UInt8], to name: String) throws(StateFolderError) {
        _ = unlink(place(name))
        let file = try openFile(name, O_WRONLY | O_CREAT | O_EXCL, "written")
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
        let file = try openFile(name, O_RDONLY, "synced")
        defer { close(file) }
        guard fsync(file) == 0 else { throw StateFolderError(step: "synced", errno: errno) }
    }

    /// Gives a file another name in one step.
    public func rename(_ name: String, to other: String) throws(StateFolderError) {
        guard Glibc.rename(place(name), place(other)) == 0 else {
            throw StateFolderError(step: "renamed", errno: errno)
        }
    }

    /// Makes names outlive a power cut.
    public func syncNames() throws(StateFolderError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw StateFolderError(step: "synced", errno: errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw StateFolderError(step: "synced", errno: errno) }
    }

    /// Whether there is anything of that name.
    public func contains(_ name: String) -> Bool {
        var status = stat()
        return lstat(place(name), &status) == 0
    }

    /// Claims a file for this process, until the claim is released or the process ends.
    ///
    /// The claim is a lock on a hidden file beside it, which holds the number of the process. The
    /// file stays: removing it would let two processes lock two files of one name.
    public func claim(_ name: String) throws(StateFolderError) -> StateClaim {
        let lock = ".\(name).lock"
        let file = try openFile(lock, O_RDWR | O_CREAT, "locked")
        switch FileLock.take(file) {
        case 0: break
        case EWOULDBLOCK:
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = pread(file, &bytes, bytes.count, 0)
            close(file)
            let text = String(decoding: bytes[..<max(0, count)].prefix { $0 > 32 }, as: UTF8.self)
            return .held(by: pid_t(text))
        case let error:
            close(file)
            throw StateFolderError(step: "locked", errno: error)
        }
        let text = Array("\(getpid())\n".utf8)
        // Where the card is full the holder is nameless, and the lock holds all the same.
        _ = ftruncate(file, 0)
        _ = pwrite(file, text, text.count, 0)
        return .mine(FileLock(file))
    }

    private func place(_ name: String) -> String { path + "/" + name }

    /// Opens a regular file, and never waits for the other end of a pipe.
    private func openFile(
        _ name: String, _ flags: Int32, _ step: String
    ) throws(StateFolderError) -> Int32 {
        let file = open(place(name), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else {
            let error = errno
            // A link, or a pipe that nobody reads.
            let isOther = error == ELOOP || error == ENXIO
            throw StateFolderError(step: step, errno: isOther ? 0 : error)
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw StateFolderError(step: step, errno: 0)
        }
        return file
    }
}

/// Whether a file of a folder could be claimed.
public enum StateClaim: Sendable {
    /// This process has it while the lock exists.
    case mine(FileLock)
    /// Another process has it; nil where its number is not known.
    case held(by: pid_t?)
}
