import Glibc

/// The actions cannot be set up on this machine.
public struct ActionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried, beginning with a verb.
    public var doing: String
    /// The kernel's number for the cause.
    public var errno: Int32

    init(doing: String, errno: Int32) {
        self.doing = doing
        self.errno = errno
    }

    /// Cause and remedy in one line.
    public var description: String {
        let remedy =
            switch errno {
            case EMFILE, ENFILE: "; raise the limit of open files (LimitNOFILE= in the unit)"
            case EAGAIN: "; raise the limit of threads (TasksMax= in the unit)"
            default: ""
            }
        return "cannot \(doing): \(String(cString: strerror(errno)))\(remedy)"
    }
}
