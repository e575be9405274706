import Glibc

/// Why an attempt never began, in words that help.
enum StartFailure {
    /// What is wrong with a request before anything is tried; nil where nothing is.
    static func problem(of request: ActionRequest) -> String? {
        guard let program = request.arguments.first, !program.isEmpty else {
            return "the action names no program; give one in `run`"
        }
        let texts =
            request.arguments + request.environment.map { $0.value }
            + [request.workingDirectory ?? ""]
        if texts.contains(where: { $0.utf8.contains(0) }) {
            return "cannot start '\(program)': an argument or variable contains the character NUL, "
                + "which no program can be given; remove it"
        }
        if let directory = request.workingDirectory, access(directory, X_OK) != 0 {
            return "cannot start '\(program)': working directory '\(directory)': "
                + "\(Errno(number: errno).text); create it or name another"
        }
        return nil
    }

    /// The line for an error of the start itself.
    static func explanation(program: String, error: Errno) -> String {
        let start = "cannot start '\(program)': \(error.text)"
        switch error.number {
        case ENOENT where program.contains("/"):
            return start + "; check the path, and the first line of the file if it is a script"
        case ENOENT:
            let path = getenv("PATH").map { String(cString: $0) } ?? ""
            return start + " in PATH (\(path)); install it or write its full path"
        case EACCES:
            return start + "; make it executable (chmod +x) for the user that runs Detent"
        case ENOEXEC:
            return start + "; begin the script with a line such as #!/bin/sh"
        case E2BIG:
            return start + "; shorten its arguments"
        case EMFILE, ENFILE:
            return start + "; raise the limit of open files (LimitNOFILE= in the unit)"
        case EAGAIN:
            return start + "; raise the limit of processes (TasksMax= in the unit)"
        case ENOMEM:
            return start + "; free memory or raise MemoryMax= in the unit"
        default:
            return start + "; try the command line by hand"
        }
    }
}
