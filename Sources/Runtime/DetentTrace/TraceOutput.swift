import Glibc

/// The destination of a writer's bytes.
public protocol TraceOutput: ~Copyable {
    /// Writes all of these bytes.
    mutating func write(_ bytes: [UInt8]) throws(TraceError)
}

/// A file, pipe or terminal to write to.
///
/// It blocks while the other side does, so do not use it in the real-time loop. A pipe without a
/// reader is an error only if the process ignores SIGPIPE; otherwise the signal ends the process.
public struct TraceFile: TraceOutput, ~Copyable {
    private let descriptor: Int32
    private let name: String
    private let isOwned: Bool

    /// Creates or empties a file.
    public init(path: String) throws(TraceError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        name = path
        isOwned = true
        if descriptor < 0 { throw TraceError(writing: path, errno: errno) }
    }

    /// Uses a descriptor without closing it, such as standard output.
    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        isOwned = false
    }

    deinit {
        if isOwned, descriptor >= 0 { close(descriptor) }
    }

    /// Writes all of the bytes, or throws.
    public mutating func write(_ bytes: [UInt8]) throws(TraceError) {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if written > 0 {
                done += written
            } else if written < 0, errno == EAGAIN {
                // Another program made the descriptor non-blocking.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, -1)
            } else if written < 0, errno != EINTR {
                throw TraceError(writing: name, errno: errno)
            }
        }
    }
}

/// Bytes in memory, for tests and small traces.
public struct TraceMemory: TraceOutput, Equatable, Sendable {
    /// All bytes that were written.
    public private(set) var bytes: [UInt8] = []

    /// Makes an empty output.
    public init() {}

    /// Appends the bytes.
    public mutating func write(_ bytes: [UInt8]) {
        self.bytes += bytes
    }
}
