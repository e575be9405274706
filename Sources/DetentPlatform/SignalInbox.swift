import CPlatform
import Glibc

/// A descriptor for the signals that users and service managers send.
///
/// SIGTERM, SIGINT and SIGQUIT end the program cleanly. SIGHUP ends it if `endsOnHangUp` is set.
/// Otherwise SIGHUP is only logged, as are SIGUSR1 and SIGUSR2. Create it on the first thread
/// before other threads start: these signals are blocked from then on. No other signal is blocked,
/// even if the parent process had blocked it.
public final class SignalInbox: Sendable {
    /// Readable while a signal is waiting.
    public let descriptor: Int32
    private let endsOnHangUp: Bool
    private let say: @Sendable (String) -> Void

    /// Blocks the signals and opens the descriptor.
    ///
    /// - Parameters:
    ///   - endsOnHangUp: whether SIGHUP ends the program, as it does when the terminal closes.
    ///   - say: prints a message about each signal that does not end the program; must not wait.
    /// - Throws: `PlatformError` if no descriptor is available.
    public init(
        endsOnHangUp: Bool = true, say: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(PlatformError) {
        self.endsOnHangUp = endsOnHangUp
        self.say = say
        descriptor = detent_signal_descriptor()
        if descriptor < 0 {
            throw PlatformError(doing: "open a signalfd", errno: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Takes the waiting signals, up to the first that ends the program.
    ///
    /// - Returns: that signal, or nil. Other signals are logged.
    public func take() -> Int32? {
        // At most one signal of each number waits, so the loop ends.
        while true {
            let signal = detent_signal_take(descriptor)
            switch signal {
            case 0: return nil
            case SIGHUP where !endsOnHangUp:
                say(
                    "detent: SIGHUP: the panel file cannot be reloaded yet; the panel continues\n"
                        + "help: restart detent to use a changed panel file\n")
            case SIGUSR1, SIGUSR2:
                say(
                    "detent: \(signal == SIGUSR1 ? "SIGUSR1" : "SIGUSR2") is ignored; "
                        + "the panel continues\n")
            case _: return signal
            }
        }
    }

    /// Whether one of the standard streams is a terminal, which sends SIGHUP when it closes.
    public static var hasTerminal: Bool {
        (STDIN_FILENO...STDERR_FILENO).contains { isatty($0) != 0 }
    }
}
