import Certificates
import Glibc

/// A service on loopback that speaks TLS: Debian's `openssl s_server`, which serves one connection
/// and ends with this object.
///
/// Synchronization: none; one thread.
final class TLSService {
    /// Where it listens.
    private(set) var port = 0
    /// All that it has printed: what it says of connections, and what clients have sent to it.
    private(set) var said = ""
    private var process = pid_t()
    private var hasEnded = false
    private let input: Int32
    private let output: Int32

    /// Starts it with the certificate `NAME.pem`, and waits until it listens.
    init(_ certificates: Certificates, _ name: String) throws {
        var inputs: [Int32] = [-1, -1]
        var outputs: [Int32] = [-1, -1]
        guard pipe(&inputs) == 0, pipe(&outputs) == 0 else { throw NoResult() }
        for end in inputs + outputs { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (input, output) = (inputs[1], outputs[0])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputs[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, outputs[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let words = [
            Certificates.program, "s_server", "-naccept", "1", "-accept", "127.0.0.1:0",
            "-cert", certificates.path("\(name).pem"), "-key", certificates.path("\(name).key"),
        ]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let error = posix_spawn(
            &process, Certificates.program, &actions, nil, &arguments, environ)
        close(inputs[0])
        close(outputs[1])
        guard error == 0 else { throw NoResult() }
        let word = "ACCEPT 127.0.0.1:"
        guard wait(for: word), wait(for: "\n", after: word),
            let number = Int(said.split(separator: word)[1].prefix { $0.isNumber })
        else { throw NoResult() }
        port = number
    }

    /// Waits until it has printed a text, behind another one; false after half a minute.
    func wait(for text: String, after start: String = "") -> Bool {
        while true {
            let from = start.isEmpty ? said.startIndex : said.firstRange(of: start)?.upperBound
            if let from, said[from...].contains(text) { return true }
            guard read() else { return false }
        }
    }

    /// Sends a text to the client.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(input, bytes, bytes.count)
    }

    /// Waits until it has read all of its connection, and has ended; false after half a minute.
    func waitForEnd() -> Bool {
        while read() {}
        return hasEnded
    }

    /// Ends it.
    func stop() {
        guard process > 0 else { return }
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        process = 0
    }

    deinit {
        stop()
        close(input)
        close(output)
    }

    /// Takes what it has printed since; false at the end, or if that is nothing for half a minute.
    private func read() -> Bool {
        var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 30_000) == 1 else { return false }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(output, &buffer, buffer.count)
        hasEnded = count == 0
        if count > 0 { said += String(decoding: buffer[..<count], as: UTF8.self) }
        return count > 0
    }
}
