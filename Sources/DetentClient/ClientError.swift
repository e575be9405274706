/// Why a daemon did not do what was asked of it.
public enum ClientError: Error, Equatable, Sendable {
    /// Nobody answers there.
    case unreachable(cause: String, remedy: String)
    /// The daemon said no: the status of its answer, the cause, and what would help.
    case refused(status: Int, cause: String, remedy: String)
    /// What came is no answer of a daemon.
    case strange(String)
}
