import DetentTypes
import Glibc

/// How a program ended by its own account.
enum ProgramEnding: Equatable {
    case exited(code: Int32)
    case signalled(Int32)

    /// Reads what `waitpid` gives.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited(code: (waitStatus >> 8) & 0xFF) : .signalled(signal)
    }

    /// The outcome where nobody stopped it. After a signal nobody knows how far it came.
    var outcome: ActionOutcome {
        switch self {
        case .exited(code: 0): .succeeded
        case .exited(let code): .failed(code: code)
        case .signalled: .lost
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
        case nil, .succeeded, .failed, .lost:
            return text
        }
    }

    private var text: String {
        switch self {
        case .exited(let code): "exited with code \(code)"
        case .signalled(let signal):
            "killed by signal \(signal), \(String(cString: strsignal(signal)))"
        }
    }
}
