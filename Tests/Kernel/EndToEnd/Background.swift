internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// A program that runs until it is told to stop; its output and errors go to a file.
final class Background {
    private let process: pid_t
    private let log: String
    private var hasEnded = false

    /// Starts the program under test with arguments.
    init(_ arguments: [String]) throws {
        log = "/tmp/background-\(getpid()).log"
        process = try Program.start(arguments, log: log)
    }

    deinit {
        if !hasEnded {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    /// What the program has printed.
    var text: String { (try? KernelFile.text(log)) ?? "" }

    /// Waits until the program has printed a text.
    func prints(_ part: String, seconds: Double = 30) throws {
        try expect(eventually(seconds: seconds) { text.contains(part) }, "no `\(part)`: \(text)")
    }

    /// Sends a signal, and waits for the end.
    func stop(_ signal: Int32 = SIGINT) throws -> Int32 {
        kill(process, signal)
        return try end()
    }

    /// Waits for the end; the exit status.
    func end(seconds: Double = 30) throws -> Int32 {
        var status: Int32 = 0
        hasEnded = eventually(seconds: seconds) { waitpid(process, &status, WNOHANG) == process }
        try expect(hasEnded, "the program does not end: \(text)")
        try expect(status & 0x7f == 0, "signal \(status & 0x7f) ended the program: \(text)")
        return (status >> 8) & 0xff
    }
}
