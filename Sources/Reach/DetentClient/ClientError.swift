public import DetentTypes

/// Why a request to a daemon failed.
public enum ClientError: DescribedError, Equatable, Sendable {
    /// No daemon answers at the address.
    case unreachable(cause: String, remedy: String)
    /// The daemon refused the request: the status of the response, cause and remedy.
    case refused(status: Int, cause: String, remedy: String)
    /// The response is not one of a Detent daemon.
    case unexpectedResponse(String)

    /// What is wrong.
    public var cause: String {
        switch self {
        case .unreachable(let cause, _), .refused(_, let cause, _), .unexpectedResponse(let cause):
            cause
        }
    }

    /// What to do about it.
    public var remedy: String {
        switch self {
        case .unreachable(_, let remedy), .refused(_, _, let remedy): remedy
        case .unexpectedResponse:
            "start `detent run PANEL` there, or give the panel's address: --url http://HOST:PORT"
        }
    }
}
