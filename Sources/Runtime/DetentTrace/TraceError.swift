public import DetentTypes
import Glibc

/// A trace that cannot be written.
public struct TraceError: DescribedError, Equatable, Sendable, CustomStringConvertible {
    /// The cause.
    public var cause: String
    /// The remedy.
    public var remedy: String
    /// The system's error number; 0 if the system was not involved.
    public var errno: Int32

    init(cause: String, remedy: String) {
        self.cause = cause
        self.remedy = remedy
        errno = 0
    }

    init(writing name: String, errno: Int32) {
        cause = "cannot write `\(name)`: \(String(cString: strerror(errno)))"
        self.errno = errno
        switch errno {
        case ENOSPC, EDQUOT: remedy = "free space there or write elsewhere"
        case EPIPE: remedy = "keep the reading program running to the end"
        case EFBIG: remedy = "raise the limit of file sizes or record for a shorter time"
        case EACCES, EPERM, EROFS: remedy = "write to a folder that you can write to"
        case ENOENT, ENOTDIR: remedy = "create the directory first"
        default: remedy = "check the storage device and the path"
        }
    }

    /// Cause and remedy in one line.
    public var description: String { "\(cause); \(remedy)" }
}
