import DetentTypes
import Glibc

/// Why a program was not started, with a remedy.
struct StartError: Error, Equatable {
    /// The reason that the control shows.
    var failure: ActionFailure
    /// One line for the log: cause and remedy.
    var explanation: String

    private init(_ failure: ActionFailure, _ explanation: String) {
        self.failure = failure
        self.explanation = explanation
    }

    /// Checks a program before anything is tried; nil if nothing is wrong.
    init?(checking call: ProgramCall) {
        guard let program = call.arguments.first, !program.isEmpty else {
            self.init(.notStarted, "the action has no program; write one in `run`")
            return
        }
        let texts =
            call.arguments + call.environment.map { $0.value }
            + [call.workingDirectory ?? ""]
        if texts.contains(where: { $0.utf8.contains(0) }) {
            self.init(
                .notStarted,
                "cannot start '\(program)': an argument or variable contains a NUL character; "
                    + "remove it")
            return
        }
        if let directory = call.workingDirectory, access(directory, X_OK) != 0 {
            let error = Errno(number: errno)
            self.init(
                error.failure,
                "cannot start '\(program)': working directory '\(directory)': "
                    + "\(error.text); create it or use another one")
            return
        }
        return nil
    }

    /// Explains an error of the start itself.
    init(program: String, error: Errno) {
        self.init(
            error.failure,
            "cannot start '\(program)': \(error.text)\(Self.remedy(program: program, error: error))"
        )
    }

    private static func remedy(program: String, error: Errno) -> String {
        switch error.number {
        case ENOENT where program.contains("/"):
            return "; check the path, and the first line of the file if it is a script"
        case ENOENT:
            let path = getenv("PATH").map { String(cString: $0) } ?? ""
            return " in PATH (\(path)); install it or write its full path"
        case EACCES:
            return "; make it executable (chmod +x) for the user that runs Detent"
        case ENOEXEC:
            return "; begin the script with a line such as #!/bin/sh"
        case E2BIG:
            return "; shorten its arguments"
        case EMFILE, ENFILE:
            return "; raise the limit of open files (LimitNOFILE= in the unit)"
        case EAGAIN:
            return "; raise the limit of processes (TasksMax= in the unit)"
        case ENOMEM:
            return "; free memory or raise MemoryMax= in the unit"
        default:
            return "; run the command manually to see the error"
        }
    }
}

extension Errno {
    /// The reason that a control shows if a program cannot be started.
    var failure: ActionFailure { .cannotStart(errno: UInt16(clamping: number)) }
}
