public import DetentTypes

/// Tells a service manager at intervals that the loop is alive.
///
/// The loop itself feeds it, so a loop that hangs is noticed. It wakes the loop only when the next
/// message is due.
public struct WatchdogTimer: Sendable {
    private let period: TimeSpan
    private let tell: @Sendable () -> Void
    /// When the next message is due.
    private(set) var deadline: Instant

    /// Makes a timer whose first message is due at once.
    ///
    /// - Parameters:
    ///   - period: half of the time after which the service manager acts.
    ///   - tell: sends the message; it must not wait.
    public init(every period: TimeSpan, tell: @escaping @Sendable () -> Void) {
        self.period = period
        self.tell = tell
        deadline = .zero
    }

    /// Sends the message if it is due.
    mutating func feed(at now: Instant) {
        guard deadline <= now else { return }
        deadline = now + period
        tell()
    }
}
