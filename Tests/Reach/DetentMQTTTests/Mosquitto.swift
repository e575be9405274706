import FreePorts
import Glibc
import Testing

/// Debian's broker on a free port of the loopback; ends with the test.
final class Mosquitto {
    static let program = "/usr/sbin/mosquitto"
    static let isInstalled = access(program, X_OK) == 0

    struct Failure: Error {
        var text: String
    }

    let port: UInt16
    private let folder: String
    private var process = pid_t()

    /// Starts a broker.
    ///
    /// - Parameter settings: further lines of its settings.
    init(_ settings: String = "allow_anonymous true") throws {
        var template = Array("/tmp/detent-mqtt-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(text: "no folder") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Free, and no connection gets it meanwhile.
        port = FreePorts.next()
        try write("listener \(port) 127.0.0.1\npersistence false\n\(settings)\n", to: "settings")
        try start()
    }

    deinit {
        kill()
        for name in ["settings", "users"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    /// Ends the broker at once, as a crash would.
    func kill() {
        guard process > 0 else { return }
        Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        process = 0
    }

    /// Starts the broker, at the same port; returns when it runs.
    func start() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(text: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let words = [Self.program, "-c", "\(folder)/settings", "-v"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let error = posix_spawn(&process, Self.program, &actions, nil, &arguments, environ)
        close(ends[1])
        guard error == 0 else {
            close(ends[0])
            throw Failure(text: "mosquitto cannot start: \(error)")
        }
        try waitUntilItRuns(ends[0])
        // It says nothing more that anyone reads; the pipe must not fill.
        Self.drain(ends[0])
    }

    private func waitUntilItRuns(_ pipe: Int32) throws {
        var said = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !said.contains(" running") {
            var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, 30_000) == 1 ? read(pipe, &buffer, buffer.count) : 0
            guard count > 0 else {
                close(pipe)
                throw Failure(text: "mosquitto does not run: \(said)")
            }
            said += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    private static func drain(_ pipe: Int32) {
        var thread = pthread_t()
        let context = UnsafeMutableRawPointer(bitPattern: Int(pipe))
        let error = pthread_create(
            &thread, nil,
            { context in
                let pipe = Int32(Int(bitPattern: context))
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while read(pipe, &buffer, buffer.count) > 0 {}
                close(pipe)
                return nil
            }, context)
        if error == 0 { pthread_detach(thread) } else { close(pipe) }
    }

    private func write(_ text: String, to name: String) throws {
        guard let file = fopen("\(folder)/\(name)", "w") else { throw Failure(text: "no file") }
        fputs(text, file)
        fclose(file)
    }
}
