import CPlatform
import Glibc

/// The signals that end or reload a daemon, as a descriptor.
///
/// Make it on the first thread before any other is started: the signals are blocked from then on.
public final class SignalInbox: Sendable {
    /// Readable while a signal waits.
    public let descriptor: Int32

    /// Blocks SIGTERM, SIGINT and SIGHUP, and opens the descriptor.
    ///
    /// - Throws: `PlatformError` when the process has no descriptor left.
    public init() throws(PlatformError) {
        descriptor = detent_signal_descriptor()
        if descriptor < 0 {
            throw PlatformError(doing: "open a signalfd", errno: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Takes a signal that has come; nil when there is none.
    public func take() -> Int32? {
        let signal = detent_signal_take(descriptor)
        return signal == 0 ? nil : signal
    }
}
