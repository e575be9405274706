internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// Why a check failed.
struct Failure: Error, CustomStringConvertible {
    var description: String
}

func expect(_ holds: Bool, _ text: @autoclosure () -> String) throws {
    if !holds { throw Failure(description: text()) }
}

/// Waits for a condition in another process; false after `seconds`.
func eventually(seconds: Double = 30, _ holds: () -> Bool) -> Bool {
    for _ in 0..<Int(seconds * 200) {
        if holds() { return true }
        usleep(5_000)
    }
    return holds()
}

/// Writes a new file for the check.
func writeFile(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o755)
    guard file >= 0 else { throw Failure(description: "\(path): errno \(errno)") }
    defer { close(file) }
    var text = text
    let count = text.withUTF8 { write(file, $0.baseAddress, $0.count) }
    try expect(count == text.utf8.count, "\(path) was not written completely")
}

/// A running `detent run`, with its event lines.
final class Daemon {
    /// The program under test.
    nonisolated(unsafe) static var program = "detent"

    /// The first process, which guards the panel.
    let process: pid_t
    /// The panel file.
    let file: String
    private let output: Int32
    private var rest: [UInt8] = []
    private(set) var events: [String] = []
    private var exitStatus: Int32?

    /// Writes the panel file and starts the daemon on it.
    init(panel: String, _ arguments: [String] = []) throws {
        file = "/tmp/panel-\(getpid())-\(Int.random(in: 0..<1_000_000)).yaml"
        try writeFile(panel, to: file)
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])
        defer { posix_spawn_file_actions_destroy(&actions) }
        let words = [Self.program, "run", file, "--events", "--listen", "off"] + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var process = pid_t()
        let error = posix_spawn(&process, Self.program, &actions, nil, &argv, environ)
        close(ends[1])
        guard error == 0 else { throw Failure(description: "\(Self.program): errno \(error)") }
        self.process = process
        output = ends[0]
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    deinit {
        kill(process, SIGKILL)
        if exitStatus == nil { waitpid(process, nil, 0) }
        close(output)
    }

    /// The process of the panel, the child of the first process.
    func panel() throws -> pid_t {
        var found: pid_t?
        // The process that makes the sentry is a child for a moment, too.
        _ = eventually {
            found = KernelFile.child(of: process, named: "detent")
            guard found != nil else { return false }
            usleep(20_000)
            return KernelFile.child(of: process, named: "detent") == found
        }
        guard let found else { throw Failure(description: "the first process has no child") }
        return found
    }

    /// How many files a process has open.
    func openFiles(of process: pid_t) throws -> Int {
        guard let folder = opendir("/proc/\(process)/fd") else {
            throw Failure(description: "/proc/\(process)/fd: errno \(errno)")
        }
        defer { closedir(folder) }
        var count = -2
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Reads what the daemon has printed since the last call.
    func look() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { break }
            rest += buffer[..<count]
        }
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            events.append(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeFirst(end + 1)
        }
    }

    /// Discards the events so far.
    func forget() {
        look()
        events.removeAll()
    }

    /// Waits until nothing is told for half a second, and discards the events so far. A lamp that
    /// showed loading holds that for 300 ms, on a busy machine also for an action that is quick.
    func settle() throws {
        let isQuiet = eventually {
            let count = events.count
            usleep(500_000)
            look()
            return events.count == count
        }
        try expect(isQuiet, "events come without end: \(events.suffix(3))")
        events.removeAll()
    }

    /// Waits for an event of a control that contains all fragments; discards it and earlier events.
    @discardableResult
    func event(_ control: String, _ fragments: String..., seconds: Double = 30) throws -> String {
        var found: Int?
        _ = eventually(seconds: seconds) {
            look()
            found = events.firstIndex { line in
                line.contains("\"control\": \"\(control)\"")
                    && fragments.allSatisfy { line.contains($0) }
            }
            return found != nil
        }
        guard let found else {
            let seen = events.suffix(12).joined(separator: "\n    ")
            throw Failure(
                description: "no event of \(control) with \(fragments); seen:\n    \(seen)")
        }
        let line = events[found]
        events.removeFirst(found + 1)
        return line
    }

    /// Waits for the end; the exit status, or nil if it does not end in time.
    func end(seconds: Double = 30) -> Int32? {
        var status: Int32 = 0
        let hasEnded = eventually(seconds: seconds) {
            look()
            return waitpid(process, &status, WNOHANG) == process
        }
        guard hasEnded else { return nil }
        exitStatus = (status >> 8) & 0xff
        return exitStatus
    }

    /// Waits for the end by a signal; the signal, or nil if it does not end so in time.
    func endSignal(seconds: Double = 30) -> Int32? {
        var status: Int32 = 0
        let hasEnded = eventually(seconds: seconds) {
            look()
            return waitpid(process, &status, WNOHANG) == process
        }
        guard hasEnded else { return nil }
        exitStatus = (status >> 8) & 0xff
        return status & 0x7f
    }
}
