import Glibc
import Synchronization

/// A `detent` that runs beside the test, with its three streams.
final class Session {
    let process: pid_t
    private var input: Int32
    private let output: Int32
    private let errors: Int32
    /// Its other end closes when the process ends.
    private let life: Int32
    private var outputBytes: [UInt8] = []
    private var errorBytes: [UInt8] = []
    private var hasEnded = false

    /// What it has written to standard output so far.
    var outputText: String { String(decoding: outputBytes, as: UTF8.self) }

    /// What it has written to standard error so far.
    var errorText: String { String(decoding: errorBytes, as: UTF8.self) }

    /// One child is started at a time, so that none inherits the pipes of another.
    private static let starting = Mutex(())

    init(
        _ arguments: [String], of program: String = Program.path, shell: String = "",
        redirect: String = ""
    ) {
        let script = "\(shell) exec \"$0\" \"$@\" \(redirect)"
        let words = ["/bin/sh", "-c", script, program] + arguments
        let started = Self.starting.withLock { _ in Self.start(words) }
        (process, input, output, errors, life) = started
    }

    private static func start(
        _ words: [String]
    ) -> (process: pid_t, input: Int32, output: Int32, errors: Int32, life: Int32) {
        // A program that has ended does not take this one along.
        signal(SIGPIPE, SIG_IGN)
        let (inputEnd, input) = pipe()
        let (output, outputEnd) = pipe()
        let (errors, errorsEnd) = pipe()
        let (life, lifeEnd) = pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputEnd, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, outputEnd, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errorsEnd, STDERR_FILENO)
        posix_spawn_file_actions_adddup2(&actions, lifeEnd, 9)
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        // Without a trace of a crash, which would take seconds.
        let settings = ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no", "HOME=/nonexistent"]
        var variables: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) } + [nil]
        defer { variables.forEach { free($0) } }
        var process = pid_t()
        let error = posix_spawn(&process, "/bin/sh", &actions, nil, &argv, &variables)
        for end in [inputEnd, outputEnd, errorsEnd, lifeEnd] { close(end) }
        return (error == 0 ? process : -1, input, output, errors, life)
    }

    deinit {
        if !hasEnded, process > 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        closeInput()
        close(output)
        close(errors)
        close(life)
    }

    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Waits for standard output to hold a fragment; false where it ends, says nothing for a
    /// minute, or talks of other things for five.
    func waitFor(_ fragment: String) -> Bool {
        wait { outputText.contains(fragment) }
    }

    /// The same of standard error.
    ///
    /// - Parameter takingOutput: false leaves standard output unread, as a stuck reader does.
    func waitForErrors(_ fragment: String, takingOutput: Bool = true) -> Bool {
        wait(takingOutput: takingOutput) { errorText.contains(fragment) }
    }

    /// Waits for standard error to hold a fragment this often.
    func waitForErrors(_ fragment: String, times: Int) -> Bool {
        wait { errorText.ranges(of: fragment).count >= times }
    }

    private func wait(takingOutput: Bool = true, _ isSo: () -> Bool) -> Bool {
        let end = time(nil) + 300
        while !isSo() {
            if time(nil) >= end || !take(output: takingOutput) { return isSo() }
        }
        return true
    }

    /// Makes the pipes of its output and messages as small as they can be, so that they fill up
    /// soon.
    func shrinkPipes() {
        // F_SETPIPE_SZ, which Swift does not import.
        for pipe in [output, errors] { _ = fcntl(pipe, 1031, 4_096) }
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Waits until it has ended, and takes what it wrote.
    func end() -> Program.Result {
        guard process > 0 else { return Program.Result(output: "", errors: "not started") }
        while take() {}
        var status: Int32 = 0
        if isLate { kill(process, SIGKILL) }
        waitpid(process, &status, 0)
        hasEnded = true
        let signal = status & 0x7f
        return Program.Result(
            output: outputText, errors: errorText,
            code: signal == 0 ? (status >> 8) & 0xff : nil, signal: signal)
    }

    /// Waits until it has ended, and takes nothing of what it writes; its exit code, or nil where
    /// it has not ended after a minute.
    func endWithoutReading() -> Int32? {
        var entry = pollfd(fd: life, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) == 1 else { return nil }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        hasEnded = true
        return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
    }

    private var isLate = false

    /// Takes what has come; false when both streams have ended or nothing came for a minute.
    private func take(output isWanted: Bool = true) -> Bool {
        var entries = [
            pollfd(fd: isOutputOpen && isWanted ? output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: areErrorsOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
        ]
        guard isOutputOpen || areErrorsOpen else { return false }
        if poll(&entries, 2, 60_000) == 0 {
            isLate = true
            return false
        }
        if entries[0].revents != 0 { isOutputOpen = Self.read(output, &outputBytes) }
        if entries[1].revents != 0 { areErrorsOpen = Self.read(errors, &errorBytes) }
        return true
    }

    private var isOutputOpen = true
    private var areErrorsOpen = true

    private static func read(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { bytes += buffer[..<count] }
        return count > 0
    }

    /// A pipe that no other child inherits, as only one is started at a time.
    private static func pipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
