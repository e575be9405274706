import CPlatform
import Glibc

/// A socket by which other processes of this machine reach a process.
public final class LocalDoor: Sendable {
    /// Readable while a caller waits.
    public let descriptor: Int32
    private let path: String
    private let alias: String?

    /// Opens the door.
    ///
    /// - Parameters:
    ///   - path: the file of the socket, which is removed with this value.
    ///   - alias: a link to it, which is replaced, and removed too; nil without one.
    /// - Throws: `PlatformError` if the path is in use, which is `EADDRINUSE`, or cannot be used.
    public init(at path: String, alias: String? = nil) throws(PlatformError) {
        // Before the first property is set: `deinit` would remove the socket of another process.
        descriptor = try Self.listen(path)
        self.path = path
        self.alias = alias == path ? nil : alias
        guard let alias = self.alias else { return }
        unlink(alias)
        symlink(path, alias)
    }

    private static func listen(_ path: String) throws(PlatformError) -> Int32 {
        let descriptor = detent_local_listen(path)
        guard descriptor >= 0 else {
            throw PlatformError(doing: "open a local socket", errno: errno)
        }
        return descriptor
    }

    deinit {
        close(descriptor)
        // Another process may have taken the link over.
        if let alias, SymbolicLink.target(of: alias) == path { unlink(alias) }
        unlink(path)
    }

    /// Takes the next caller; nil if none waits any more, or a stranger did: only root and the
    /// user of this process are heard.
    public func accept() -> LocalCall? {
        let descriptor = detent_local_accept(descriptor)
        guard descriptor >= 0 else { return nil }
        let call = LocalCall(descriptor)
        guard let user = call.user, user == 0 || user == geteuid() else { return nil }
        return call
    }
}

/// A conversation through a local socket: one text each way.
public final class LocalCall: Sendable {
    /// Texts of this length and longer are refused.
    public static let longestText = 65_536

    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        detent_local_wait(descriptor, 30)
    }

    deinit {
        close(descriptor)
    }

    /// Calls the process behind a door; nil if there is none.
    public static func call(_ path: String) -> LocalCall? {
        let descriptor = detent_local_connect(path)
        return descriptor < 0 ? nil : LocalCall(descriptor)
    }

    /// The user of the process at the other end; nil if it is not known.
    public var user: UInt32? {
        let user = detent_local_user(descriptor)
        return user < 0 ? nil : UInt32(truncatingIfNeeded: user)
    }

    /// Sends a text and ends this direction; false if the other end has gone.
    @discardableResult
    public func send(_ text: String) -> Bool {
        var rest = Array(text.utf8.prefix(Self.longestText))[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        shutdown(descriptor, Int32(SHUT_WR))
        return true
    }

    /// Reads until the other end has finished; nil if it does not within 30 s, or sends too much.
    public func receive() -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= Self.longestText {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
        return nil
    }
}
