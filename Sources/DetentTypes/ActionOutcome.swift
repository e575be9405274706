/// How one attempt of an action ended, as far as the state of a control depends on it.
///
/// `failed` is certain: the action ran and said no, so the last confirmed value still holds. After
/// `timedOut`, `cancelled` and `lost` it is unknown what the device did.
public enum ActionOutcome: Equatable, Sendable, BitwiseCopyable {
    /// The action did what it was to do.
    case succeeded
    /// The action said no; the code is an exit status or an HTTP status, and -1 where it never
    /// began.
    case failed(code: Int32)
    /// It did not end within its timeout.
    case timedOut
    /// It was stopped for a newer request.
    case cancelled
    /// The connection was lost, or the process was killed from outside.
    case lost
}
