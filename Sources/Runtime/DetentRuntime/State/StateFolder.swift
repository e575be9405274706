import DetentPanel
public import DetentPlatform
public import Glibc

/// The steps that replace a state file. Tests make them fail, or stop between any two steps.
public protocol StateFolder: Sendable {
    /// The contents of a file; nil if it does not exist.
    func read(_ name: String) throws(StateFolderError) -> [UInt8]?
    /// Writes a whole file. It may be lost in a power cut until `sync` is called.
    func write(_ bytes: [UInt8], to name: String) throws(StateFolderError)
    /// Makes the contents of a file survive a power cut.
    func sync(_ name: String) throws(StateFolderError)
    /// Renames a file in one step, and replaces any file that has the new name.
    func rename(_ name: String, to other: String) throws(StateFolderError)
    /// Removes a file.
    func remove(_ name: String) throws(StateFolderError)
    /// Makes new, renamed and removed files survive a power cut.
    func syncNames() throws(StateFolderError)
    /// Whether a file with this name exists.
    func contains(_ name: String) -> Bool
    /// Whether a name is free, or that of a regular file.
    func isPlain(_ name: String) -> Bool
    /// Which file has a name now; nil if none has, or if the folder does not know.
    func identity(of name: String) -> FileIdentity?
    /// Makes the folder again if it is gone; whether it was gone and is there now.
    func makeAgain() -> Bool
    /// Lets only the owner read and write a regular file. No connection may have it open.
    ///
    /// - Parameter isMade: whether an empty file is made if there is none.
    /// - Returns: whether it was made.
    func makePrivate(_ name: String, isMade: Bool) -> Bool
    /// The folder's path without links, where a database can be opened; nil if there is none.
    var databasePath: String? { get }
}

extension StateFolder {
    /// Whether a name is free, or that of a regular file.
    public func isPlain(_ name: String) -> Bool { true }
    /// The folder does not know.
    public func identity(of name: String) -> FileIdentity? { nil }
    /// A folder that is not of this machine is always there.
    public func makeAgain() -> Bool { false }
    /// It has no other users.
    public func makePrivate(_ name: String, isMade: Bool) -> Bool { false }
    /// No database can be opened in a folder that is not of this machine.
    public var databasePath: String? { nil }
}

/// A file, whatever its name is.
public struct FileIdentity: Equatable, Sendable {
    var device: UInt64
    var number: UInt64
}

/// A step that the system refused.
public struct StateFolderError: Error, Equatable, Sendable {
    /// What failed, as a participle: `written`.
    public var step: String
    /// The system's error number; 0 if the file is not a regular file.
    public var errno: Int32

    /// Makes an error.
    public init(step: String, errno: Int32) {
        self.step = step
        self.errno = errno
    }

    /// The cause, for people.
    public var cause: String {
        errno == 0 ? "it is not a regular file" : String(cString: strerror(errno))
    }
}

/// A folder of this machine.
///
/// Its contents are not trusted: links are not followed, and only regular files are opened. A
/// planted link, pipe or device is not written to and blocks nothing.
public struct SystemStateFolder: StateFolder {
    /// The folder's path.
    public let path: String

    /// Uses a folder, and creates it if its parent exists.
    public init(_ path: String) {
        self.path = path
        _ = mkdir(path, 0o700)
    }

    /// The contents of a file; nil if it does not exist.
    public func read(_ name: String) throws(StateFolderError) -> [UInt8]? {
        var status = stat()
        if lstat(filePath(name), &status) != 0, errno == ENOENT { return nil }
        let file = try openFile(name, O_RDONLY, "read")
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // One byte more than the limit, to detect a file that is too large.
        while bytes.count <= SavedFile.byteLimit {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw StateFolderError(step: "read", errno: errno) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Writes a new file that only its owner can read. A file with the same name is removed first.
    public func write(_ bytes: [UInt8], to name: String) throws(StateFolderError) {
        _ = unlink(filePath(name))
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

    /// Makes the contents of a file survive a power cut.
    public func sync(_ name: String) throws(StateFolderError) {
        let file = try openFile(name, O_RDONLY, "synced")
        defer { close(file) }
        guard fsync(file) == 0 else { throw StateFolderError(step: "synced", errno: errno) }
    }

    /// Renames a file in one step.
    public func rename(_ name: String, to other: String) throws(StateFolderError) {
        guard Glibc.rename(filePath(name), filePath(other)) == 0 else {
            throw StateFolderError(step: "renamed", errno: errno)
        }
    }

    /// Removes a file, or does nothing if there is none.
    public func remove(_ name: String) throws(StateFolderError) {
        guard unlink(filePath(name)) == 0 || errno == ENOENT else {
            throw StateFolderError(step: "removed", errno: errno)
        }
    }

    /// Makes new, renamed and removed files survive a power cut.
    public func syncNames() throws(StateFolderError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw StateFolderError(step: "synced", errno: errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw StateFolderError(step: "synced", errno: errno) }
    }

    /// Whether a file with this name exists.
    public func contains(_ name: String) -> Bool {
        var status = stat()
        return lstat(filePath(name), &status) == 0
    }

    /// Whether a name is free, or that of a regular file.
    public func isPlain(_ name: String) -> Bool {
        var status = stat()
        return lstat(filePath(name), &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Which file has a name now; nil if none has.
    public func identity(of name: String) -> FileIdentity? {
        var status = stat()
        guard lstat(filePath(name), &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    /// Makes the folder again if it is gone; whether it was gone and is there now.
    public func makeAgain() -> Bool { mkdir(path, 0o700) == 0 }

    /// Lets only the owner read and write a file; whether it was made.
    public func makePrivate(_ name: String, isMade: Bool) -> Bool {
        let isNew = isMade && !contains(name)
        guard let file = try? openFile(name, O_RDWR | (isNew ? O_CREAT | O_EXCL : 0), "opened")
        else { return false }
        // Fails for a file of another user, who decides.
        _ = fchmod(file, 0o600)
        close(file)
        return isNew
    }

    /// The folder's path without links; nil if it does not exist.
    public var databasePath: String? {
        guard let path = realpath(path, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Claims a file for this process until the claim is released or the process ends.
    ///
    /// The claim is a lock on a hidden file in the same folder, which contains the process number.
    /// The hidden file is never removed: otherwise two processes could lock two files of the same
    /// name.
    ///
    /// - Parameter process: the process to stop if another one needs the file.
    public func claim(
        _ name: String, for process: pid_t = getpid()
    ) throws(StateFolderError) -> StateClaim {
        let lock = ".\(name).lock"
        let file = try openFile(lock, O_RDWR | O_CREAT, "locked")
        switch FileLock.acquire(file) {
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
        let text = Array("\(process)\n".utf8)
        // If the disk is full, the process number is missing, but the lock works.
        _ = ftruncate(file, 0)
        _ = pwrite(file, text, text.count, 0)
        return .mine(FileLock(file))
    }

    private func filePath(_ name: String) -> String { path + "/" + name }

    /// Opens a regular file without waiting for the other end of a pipe.
    private func openFile(
        _ name: String, _ flags: Int32, _ step: String
    ) throws(StateFolderError) -> Int32 {
        let file = open(filePath(name), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else {
            let error = errno
            // A link, or a pipe without a reader.
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

/// The result of claiming a file.
public enum StateClaim: Sendable {
    /// This process has the file while the lock exists.
    case mine(FileLock)
    /// Another process has the file; nil if its number is not known.
    case held(by: pid_t?)
}
