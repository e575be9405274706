import CPlatform
import Glibc

/// The signals that a person or a service manager sends, as a descriptor.
///
/// SIGTERM, SIGINT and SIGQUIT end the program in order. SIGHUP ends it where that was asked for.
/// Otherwise SIGHUP, like SIGUSR1 and SIGUSR2, is only logged. Make it on the first thread before
/// any thread that takes signals is started: these signals are blocked from then on, and all others
/// are let through, whatever the parent has blocked.
public final class SignalInbox: Sendable {
    /// Readable while a signal waits.
    public let descriptor: Int32
    private let endsOnHangUp: Bool
    private let say: @Sendable (String) -> Void

    /// Blocks the signals and opens the descriptor.
    ///
    /// - Parameters:
    ///   - endsOnHangUp: whether SIGHUP ends the program, as when its terminal closes.
    ///   - say: takes a line for people about each signal that ends nothing; must not wait.
    /// - Throws: `PlatformError` when the process has no descriptor left.
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

    /// Takes the signals that have come, up to the first that ends the program.
    ///
    /// - Returns: that signal; nil where none has come. Signals that end nothing are logged.
    public func take() -> Int32? {
        // One of each number can wait, so this ends.
        while true {
            let signal = detent_signal_take(descriptor)
            switch signal {
            case 0: return nil
            case SIGHUP where !endsOnHangUp:
                say(
                    "detent: SIGHUP: the panel file cannot be reloaded yet; the panel goes on\n"
                        + "help: restart detent to use a changed panel file\n")
            case SIGUSR1, SIGUSR2:
                say(
                    "detent: \(signal == SIGUSR1 ? "SIGUSR1" : "SIGUSR2") is ignored; "
                        + "the panel goes on\n")
            case _: return signal
            }
        }
    }

    /// Whether one of the standard streams is a terminal, which sends SIGHUP when it closes.
    public static var hasTerminal: Bool {
        (STDIN_FILENO...STDERR_FILENO).contains { isatty($0) != 0 }
    }
}
