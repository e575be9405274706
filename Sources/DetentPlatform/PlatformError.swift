import Glibc

/// The system refused something that has nothing to do with a panel: a descriptor, a thread.
public struct PlatformError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was wanted, such as `open an eventfd`.
    public var doing: String
    /// The error number of the call.
    public var errno: Int32

    /// Makes an error.
    public init(doing: String, errno: Int32) {
        self.doing = doing
        self.errno = errno
    }

    /// Cause and system's word for it, in one line.
    public var description: String {
        "cannot \(doing): \(String(cString: strerror(errno)))"
    }
}
