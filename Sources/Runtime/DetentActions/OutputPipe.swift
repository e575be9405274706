import CProcess
import Glibc

/// The reading end of a pipe that a program writes to, with the first and the last bytes that came.
struct OutputPipe {
    /// -1 once closed.
    private(set) var descriptor: Int32
    private(set) var tail = ByteTail(capacity: ActionLimits.outputTail)

    /// The first bytes: at most `limit`, else `ActionLimits.answer`.
    private(set) var head: [UInt8] = []
    /// Most bytes that are read; nil for all of them.
    private let limit: Int?
    private var total = 0

    /// Makes a pipe; the caller closes the writing end after the start.
    ///
    /// - Parameter limit: most bytes that are read; the reading end is closed at the next one. The
    ///   program then gets SIGPIPE or EPIPE.
    static func make(
        limit: Int? = nil
    ) -> Result<(pipe: OutputPipe, writingEnd: Int32), Errno> {
        var ends: (Int32, Int32) = (-1, -1)
        let error = withUnsafeMutableBytes(of: &ends) { bytes in
            // The tuple has the layout that the call needs: two Int32.
            detent_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress!)
        }
        if error != 0 { return .failure(Errno(number: errno)) }
        _ = fcntl(ends.0, F_SETFL, O_NONBLOCK)
        if ends.1 <= STDERR_FILENO {
            // This process lacks a standard descriptor. The child replaces them one after another,
            // so the number of the writing end must be above them.
            let end = ends.1
            ends.1 = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
            Glibc.close(end)
        }
        return .success((OutputPipe(descriptor: ends.0, limit: limit), ends.1))
    }

    private init(descriptor: Int32, limit: Int?) {
        self.descriptor = descriptor
        self.limit = limit
    }

    /// Whether more came than `limit`.
    var isOverfull: Bool { limit.map { total > $0 } ?? false }

    /// Reads once into `buffer` and keeps the tail; closes at the end of the stream.
    ///
    /// - Returns: the number of bytes read; 0 if there are none now.
    @discardableResult
    mutating func readOnce(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if descriptor < 0 { return 0 }
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
            tail.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            let room = (limit ?? ActionLimits.answer) - head.count
            if room > 0 { head += buffer[..<min(count, room)] }
            total += count
            if isOverfull { close() }
            return count
        }
        if count == 0 || (errno != EAGAIN && errno != EINTR) { close() }
        return 0
    }

    /// Reads what the pipe holds, at most `ActionLimits.lateOutput` bytes, and closes it: other
    /// processes may keep the writing end open.
    mutating func finish(with buffer: UnsafeMutableRawBufferPointer) {
        var remaining = ActionLimits.lateOutput
        while remaining > 0 {
            let count = readOnce(into: buffer)
            if count == 0 { break }
            remaining -= count
        }
        close()
    }

    /// Closes at once, for a program that was not started.
    mutating func discard() { close() }

    private mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
