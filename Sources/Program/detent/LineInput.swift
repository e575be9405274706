import DetentPanel
import Glibc

/// Reads standard input line by line, with a limit on the length.
struct LineInput {
    /// The longest line in bytes; a longer one is skipped.
    static let longest = 4_096

    /// The result of reading.
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

    /// Waits for a line; the last one may lack its line feed. Invalid UTF-8 is replaced, and a byte
    /// order mark left out.
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
        let line = SourceText.withoutMark(line)
        return String(
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
