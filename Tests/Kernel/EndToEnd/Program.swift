internal import Glibc
internal import KernelSupport

/// A program that runs to its end.
enum Program {
    /// Runs the program under test with arguments; returns its exit status and its output.
    static func run(_ arguments: String...) throws -> (status: Int32, text: String) {
        let log = "/tmp/program-\(getpid()).log"
        let process = try start(arguments, log: log)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return ((status >> 8) & 0xff, try KernelFile.text(log))
    }

    /// Starts the program under test with arguments; its output and errors go to a new file.
    static func start(_ arguments: [String], log: String) throws -> pid_t {
        unlink(log)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        let words = [Daemon.program] + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for word in argv { free(word) } }
        var process = pid_t()
        let error = posix_spawn(&process, Daemon.program, &actions, nil, &argv, environ)
        guard error == 0 else { throw Failure(description: "\(Daemon.program): errno \(error)") }
        return process
    }
}
