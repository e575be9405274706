import Glibc

/// Keeps the present input where a handler of signals can write it to a file.
///
/// A trap, a read of foreign memory, a stack without an end, and a reader that takes longer than
/// `seconds` all end the process with a signal.
enum CrashKeeper {
    private static let seconds: UInt32 = 30
    private nonisolated(unsafe) static var path: UnsafeMutablePointer<CChar>?
    private nonisolated(unsafe) static var input = UnsafeMutableRawPointer.allocate(
        byteCount: 1 << 20, alignment: 16)
    private nonisolated(unsafe) static var count = 0

    /// Begins to catch signals; an input that ends the process is written to a path.
    static func start(path: String) {
        self.path = strdup(path)
        // A stack that is full leaves no room for the handler.
        let room = 64 << 10
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 16)
        stack.ss_size = room
        sigaltstack(&stack, nil)
        keep([])
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in CrashKeeper.end(signal) }
        action.sa_flags = Int32(bitPattern: UInt32(SA_ONSTACK) | UInt32(SA_RESETHAND))
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM] {
            sigaction(signal, &action, nil)
        }
    }

    /// The input that is read next.
    static func keep(_ bytes: [UInt8]) {
        count = min(bytes.count, 1 << 20)
        bytes.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { input.copyMemory(from: start, byteCount: count) }
        }
        alarm(seconds)
    }

    /// Writes the input to the file; only what a handler of signals may call.
    static func write() {
        guard let path else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else { return }
        var offset = 0
        while offset < count {
            let written = Glibc.write(file, input + offset, count - offset)
            guard written > 0 else { break }
            offset += written
        }
        close(file)
    }

    private static func end(_ signal: Int32) {
        write()
        // The second of these ends the process with the same signal.
        raise(signal)
    }
}
