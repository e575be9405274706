public import DetentTypes

/// How the outputs of one control change from one to another.
public enum OutputTransition: Equatable, Sendable, BitwiseCopyable {
    /// At once; those that go off are driven before those that go on.
    case none
    /// The old one off, really written, then `deadTime`, then the new one on: never two at once.
    case breakBeforeMake(deadTime: TimeSpan)
    /// The new one on, really written, then the old one off: never none in between.
    case makeBeforeBreak

    /// 50 ms: mechanical relays release within 15 ms and bounce for some more.
    public static var defaultDeadTime: TimeSpan { .milliseconds(50) }
}
