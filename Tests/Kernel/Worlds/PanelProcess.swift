internal import DetentPlatform
internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// A running `detent run`, with its event lines and its messages.
final class PanelProcess {
    /// The program under test.
    nonisolated(unsafe) static var program = "detent"

    /// The first process, which guards the panel.
    private let process: pid_t
    private let poller: Poller
    private var streams: [Int32: [UInt8]] = [:]
    private let output: Int32
    private let errors: Int32
    /// The event lines so far, with the times of the machine.
    private(set) var events: [String] = []
    /// What it has said on standard error.
    private(set) var messages: [String] = []
    /// When it said that the panel runs; nil before.
    private(set) var runsSince: Instant?
    private var hasEnded = false

    /// Starts the daemon on a panel file.
    init(_ file: String, _ arguments: [String], poller: Poller) throws {
        self.poller = poller
        var outputEnds: [Int32] = [0, 0]
        var errorEnds: [Int32] = [0, 0]
        pipe(&outputEnds)
        pipe(&errorEnds)
        for end in outputEnds + errorEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, outputEnds[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errorEnds[1], STDERR_FILENO)
        let words = [Self.program, "run", file, "--events"] + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for word in argv { free(word) } }
        var process = pid_t()
        let error = posix_spawn(&process, Self.program, &actions, nil, &argv, environ)
        close(outputEnds[1])
        close(errorEnds[1])
        (output, errors) = (outputEnds[0], errorEnds[0])
        self.process = process
        guard error == 0 else { throw Failure("\(Self.program): errno \(error)") }
        for file in [output, errors] {
            _ = fcntl(file, F_SETFL, O_NONBLOCK)
            streams[file] = []
            poller.watch(file) { [unowned self] in take(file) }
        }
    }

    deinit {
        if !hasEnded {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        for file in [output, errors] {
            poller.watch(file, nil)
            close(file)
        }
    }

    private func take(_ file: Int32) {
        guard let bytes = Descriptor.take(file) else { return poller.watch(file, nil) }
        var rest = (streams[file] ?? []) + bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest.removeFirst(end + 1)
            if file == output { events.append(line) } else { messages.append(line) }
            if file == errors, line.contains(" runs with ") { runsSince = MonotonicClock.now }
        }
        streams[file] = rest
    }

    /// Asks it to end in order, and waits.
    func end() throws {
        kill(process, SIGTERM)
        try join()
    }

    /// Ends guardian and panel at once, as when the power fails.
    func cutPower() throws {
        // A panel that runs would end in order when its guardian dies.
        let panel = KernelFile.child(of: process)
        if let panel { kill(panel, SIGSTOP) }
        kill(process, SIGKILL)
        if let panel { kill(panel, SIGKILL) }
        try join()
    }

    private func join() throws {
        let end = MonotonicClock.now + .seconds(20)
        while waitpid(process, nil, WNOHANG) != process {
            guard MonotonicClock.now < end else { throw Failure("the panel does not end") }
            poller.wait(until: MonotonicClock.now + .milliseconds(1))
        }
        hasEnded = true
        for file in [output, errors] { take(file) }
    }
}
