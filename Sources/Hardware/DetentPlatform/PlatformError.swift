public import DetentTypes
import Glibc

/// The system refused a resource that is not part of a panel: a descriptor or a thread.
public struct PlatformError: DescribedError, Equatable, Sendable, CustomStringConvertible {
    /// What failed, such as `open an eventfd`.
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

    /// The remedy, in one line.
    public var remedy: String {
        switch errno {
        case EMFILE:
            "allow more open files: `ulimit -n 256`, or LimitNOFILE=256 in the service"
        case ENFILE: "the system has too many open files; stop a program"
        case EAGAIN:
            "allow more threads (`ulimit -u`, TasksMax= in the service) or memory (`ulimit -v`)"
        case ENOMEM: "allow more memory: `ulimit -v`, or MemoryMax= in the service"
        case _: "run `detent doctor` for details"
        }
    }
}
