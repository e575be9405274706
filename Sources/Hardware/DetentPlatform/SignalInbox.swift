import CPlatform
import Glibc

/// A descriptor for the signals that users and service managers send.
///
/// SIGTERM, SIGINT and SIGQUIT end the program cleanly. So does SIGHUP, unless the program reloads:
/// then SIGHUP ends it only if its terminal has closed. SIGUSR1 and SIGUSR2 are only logged. Create
/// it on the first thread before other threads start: these signals are blocked from then on. No
/// other signal is blocked, even if the parent process had blocked it.
public final class SignalInbox: Sendable {
    /// Readable while a signal is waiting.
    public let descriptor: Int32
    /// Whether the program had a terminal when it started.
    private let hadTerminal = SignalInbox.hasTerminal
    private let reload: (@Sendable () -> Void)?
    private let say: @Sendable (String) -> Void

    /// Blocks the signals and opens the descriptor.
    ///
    /// - Parameters:
    ///   - reload: called for SIGHUP; it must not wait. Nil: SIGHUP ends the program.
    ///   - say: prints a message about each signal that does not end the program; must not wait.
    /// - Throws: `PlatformError` if no descriptor is available.
    public init(
        reload: (@Sendable () -> Void)? = nil, say: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(PlatformError) {
        self.reload = reload
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
    public func pop() -> Int32? {
        // At most one signal of each number waits, so the loop ends.
        while true {
            let signal = detent_signal_take(descriptor)
            switch signal {
            case 0: return nil
            case SIGHUP where !hasTerminalClosed:
                guard let reload else { return signal }
                reload()
            case SIGUSR1, SIGUSR2:
                say(
                    "detent: \(signal == SIGUSR1 ? "SIGUSR1" : "SIGUSR2") is ignored; "
                        + "the panel continues\n")
            case _: return signal
            }
        }
    }

    /// A terminal that has closed is no terminal any more.
    private var hasTerminalClosed: Bool { hadTerminal && !Self.hasTerminal }

    /// Whether one of the standard streams is a terminal, which sends SIGHUP when it closes.
    public static var hasTerminal: Bool {
        (STDIN_FILENO...STDERR_FILENO).contains { isatty($0) != 0 }
    }
}
