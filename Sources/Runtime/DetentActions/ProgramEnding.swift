import DetentTypes
import Glibc

/// How a program ended, as the kernel reports it.
enum ProgramEnding: Equatable {
    case exited(UInt8)
    case signalled(UInt8)
    /// The system has no status of it. It drops them while SIGCHLD is ignored.
    case unknown

    /// Waits until a child ends, and takes its status, so that the system forgets it.
    init(reaping process: pid_t) {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else {
                self = .unknown
                return
            }
        }
        let signal = status & 0x7F
        self =
            signal == 0
            ? .exited(UInt8(truncatingIfNeeded: status >> 8))
            : .signalled(UInt8(truncatingIfNeeded: signal))
    }

    /// The outcome if Detent did not stop the program.
    var outcome: ActionOutcome {
        switch self {
        case .exited(0): .succeeded
        case .exited(let status): .failed(.exit(status))
        case .signalled(let signal): .killed(signal: signal)
        case .unknown: .lost
        }
    }

    /// One line for people.
    func explanation(stopped: ActionOutcome?, timeout: TimeSpan?) -> String {
        switch stopped {
        case .timedOut:
            let time = timeout.map { " within \($0.nanoseconds / 1_000_000) ms" } ?? ""
            return "did not end\(time) and was stopped (\(text)); raise `timeout` if it needs more"
        case .cancelled:
            return "cancelled (\(text))"
        case nil, .succeeded, .failed, .killed, .lost:
            return text
        }
    }

    /// The same, as it follows the word "it".
    var clause: String { if case .signalled = self { "was \(text)" } else { text } }

    private var text: String {
        switch self {
        case .exited(let code): "exited with code \(code)"
        case .signalled(let signal):
            "killed by signal \(signal), \(String(cString: strsignal(Int32(signal))))"
        case .unknown: "ended, and the system does not say how"
        }
    }
}
