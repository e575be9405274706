import Glibc

/// Where a writer's bytes go.
public protocol TraceOutput: ~Copyable {
    /// Writes all of these bytes.
    mutating func write(_ bytes: [UInt8]) throws(TraceError)
}

/// A file, pipe or terminal to write to.
///
/// Blocks as long as the other side does; not for the real-time loop. A pipe whose reader has gone
/// is an error only where the process ignores SIGPIPE; else that signal ends the process.
public struct TraceFile: TraceOutput, ~Copyable {
    private let descriptor: Int32
    private let name: String
    private let isOwned: Bool

    /// Makes or empties a file.
    public init(path: String) throws(TraceError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        name = path
        isOwned = true
        if descriptor < 0 { throw TraceError(writing: path, errno: errno) }
    }

    /// Takes a descriptor that stays open, such as standard output.
    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        isOwned = false
    }

    deinit {
        if isOwned, descriptor >= 0 { close(descriptor) }
    }

    /// Writes the bytes, all of them or none that counts.
    public mutating func write(_ bytes: [UInt8]) throws(TraceError) {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if written > 0 {
                done += written
            } else if written < 0, errno == EAGAIN {
                // Somebody else made the descriptor non-blocking.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, -1)
            } else if written < 0, errno != EINTR {
                throw TraceError(writing: name, errno: errno)
            }
        }
    }
}

/// Bytes kept in memory, for tests and small traces.
public struct TraceMemory: TraceOutput, Equatable, Sendable {
    /// Everything that was written.
    public private(set) var bytes: [UInt8] = []

    /// Begins with none.
    public init() {}

    /// Writes the bytes, all of them or none that counts.
    public mutating func write(_ bytes: [UInt8]) {
        self.bytes += bytes
    }
}
