/// How one attempt of an action ended, as far as the state of a control depends on it.
///
/// `failed` is certain: the action did nothing, so the last confirmed value is still valid. After
/// `timedOut`, `cancelled`, `killed` and `lost` the value of the device is unknown.
public enum ActionOutcome: Equatable, Sendable, BitwiseCopyable {
    /// The action did what it was asked to do.
    case succeeded
    /// The action did not do it.
    case failed(ActionFailure)
    /// The attempt took longer than its `timeout` and was stopped.
    case timedOut
    /// The attempt was stopped on request.
    case cancelled
    /// A signal that Detent did not send ended the program.
    case killed(signal: UInt8)
    /// The connection was lost, so the outcome is unknown.
    case lost
}
