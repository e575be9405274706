public import DetentTypes

/// Why a daemon did not do what was asked of it.
public enum ClientError: DescribedError, Equatable, Sendable {
    /// Nobody answers there.
    case unreachable(cause: String, remedy: String)
    /// The daemon said no: the status of its answer, the cause, and what would help.
    case refused(status: Int, cause: String, remedy: String)
    /// What came is no answer of a daemon.
    case strange(String)

    /// What is wrong.
    public var cause: String {
        switch self {
        case .unreachable(let cause, _), .refused(_, let cause, _), .strange(let cause): cause
        }
    }

    /// What to do about it.
    public var remedy: String {
        switch self {
        case .unreachable(_, let remedy), .refused(_, _, let remedy): remedy
        case .strange:
            "start `detent run PANEL` there, or name the panel's address: --url http://HOST:PORT"
        }
    }
}
