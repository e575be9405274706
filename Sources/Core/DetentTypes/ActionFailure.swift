/// Why an action failed: it certainly did not do what it was asked to do.
///
/// A few bytes without text, so that it fits into the events of the core. `Reason.text` in
/// DetentPanel prints it.
public enum ActionFailure: Equatable, Sendable, BitwiseCopyable {
    /// The program ended with this exit status.
    case exit(UInt8)
    /// Detent did not start the attempt: a queue was full, or nothing can run the action.
    case notStarted
    /// The system could not start the program, with this number of `errno`.
    case cannotStart(errno: UInt16)
    /// Detent did not start the attempt: it needs the value of this control, which is unknown.
    case valueUnknown(ControlID)
    /// A step of a sequence failed or was refused.
    case stepFailed
    /// The device answered, and the answer was not a value of the control.
    case invalidAnswer
    /// The server answered with this HTTP status.
    case http(status: UInt16)
    /// The other side received the request and refused it.
    case refused
    /// The other side could not be reached.
    case unreachable
}
