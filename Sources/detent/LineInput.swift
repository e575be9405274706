import Glibc

/// Standard input by lines of bounded length.
struct LineInput {
    /// Bytes of a line; a longer one is skipped up to its end.
    static let longest = 4_096

    /// What comes next.
    enum Next: Equatable {
        case line(String)
        case tooLong
        case end
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var first = 0

    init(_ descriptor: Int32 = STDIN_FILENO) {
        self.descriptor = descriptor
    }

    /// Waits for a line; the last one may lack its line feed. Bytes that are no UTF-8 are replaced.
    mutating func next() -> Next {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            let rest = buffer[first...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(end ?? rest.endIndex)]
            if line.count + part.count > Self.longest { isTooLong = true }
            if isTooLong { line.removeAll() } else { line += part }
            if let end {
                first = end + 1
                return isTooLong ? .tooLong : .line(text(line))
            }
            guard refill() else {
                if isTooLong { return .tooLong }
                return line.isEmpty ? .end : .line(text(line))
            }
        }
    }

    private func text(_ line: [UInt8]) -> String {
        String(
            decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], as: UTF8.self)
    }

    private mutating func refill() -> Bool {
        first = 0
        while true {
            var count = 0
            buffer = [UInt8](unsafeUninitializedCapacity: Self.longest) { bytes, taken in
                count = read(descriptor, bytes.baseAddress, bytes.count)
                taken = max(0, count)
            }
            if count > 0 { return true }
            if count == 0 || (errno != EINTR && errno != EAGAIN) { return false }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, -1)
        }
    }
}
