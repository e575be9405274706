public import DetentTypes
import Glibc

/// The system refused something that has nothing to do with a panel: a descriptor, a thread.
public struct PlatformError: DescribedError, Equatable, Sendable, CustomStringConvertible {
    /// What was wanted, such as `open an eventfd`.
    public var doing: String
    /// The error number of the call.
    public var errno: Int32

    /// Makes an error.
    public init(doing: String, errno: Int32) {
        self.doing = doing
        self.errno = errno
    }

    /// The same as `cause`.
    public var description: String { cause }

    /// What failed, with the message of the system.
    public var cause: String {
        "cannot \(doing): \(String(cString: strerror(errno)))"
    }

    /// What to do about it, in one line.
    public var remedy: String {
        switch errno {
        case EMFILE:
            "allow more open files: `ulimit -n 256`, or LimitNOFILE=256 in the service"
        case ENFILE: "the whole system has too many files open; end some program"
        case EAGAIN:
            "allow more threads (`ulimit -u`, TasksMax= in the service) or memory (`ulimit -v`)"
        case ENOMEM: "allow more memory: `ulimit -v`, or MemoryMax= in the service"
        case _: "`detent doctor` may say more"
        }
    }
}
