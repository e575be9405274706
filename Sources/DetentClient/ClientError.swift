/// Why a request to a daemon failed.
public enum ClientError: Error, Equatable, Sendable {
    /// No daemon answers at the address.
    case unreachable(cause: String, remedy: String)
    /// The daemon refused the request: the status of the response, cause and remedy.
    case refused(status: Int, cause: String, remedy: String)
    /// The response is not one of a Detent daemon.
    case unexpectedResponse(String)
}
