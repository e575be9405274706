public import DetentTypes
import Glibc

/// The bytes of one file, and its name in messages.
public struct SourceText: Sendable {
    /// The path as the user wrote it.
    public let file: String
    /// The content, which may be invalid UTF-8.
    public let bytes: [UInt8]
    private let lineStarts: [Int]

    /// Makes a source from the content of a file. A byte order mark is left out.
    public init(file: String, bytes: [UInt8]) {
        self.file = file
        let bytes = Self.withoutMark(bytes)
        self.bytes = bytes
        lineStarts = bytes.count > Limits.fileBytes ? [0] : Self.lineStarts(bytes)
    }

    /// A text without the byte order mark that editors on Windows write before it.
    package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// The ends of lines in YAML are LF, CR, CR LF, and Unicode's NEL, LS and PS.
    private static func lineStarts(_ bytes: [UInt8]) -> [Int] {
        var starts = [0]
        bytes.withUnsafeBufferPointer { bytes in
            for index in bytes.indices {
                switch bytes[index] {
                case 0x0A:
                    starts.append(index + 1)
                case 0x0D where index + 1 == bytes.count || bytes[index + 1] != 0x0A:
                    starts.append(index + 1)
                case 0x85 where index > 0 && bytes[index - 1] == 0xC2:
                    starts.append(index + 1)
                case 0xA8, 0xA9:
                    guard index > 1, bytes[index - 1] == 0x80, bytes[index - 2] == 0xE2 else {
                        continue
                    }
                    starts.append(index + 1)
                default:
                    continue
                }
            }
        }
        return starts
    }

    /// Makes a source from text.
    public init(file: String, text: String) {
        self.init(file: file, bytes: Array(text.utf8))
    }

    /// A line, from 1, without its end and with invalid UTF-8 replaced; empty if there is no such
    /// line.
    public func line(_ number: Int) -> String {
        guard number >= 1, number <= lineStarts.count else { return "" }
        let start = lineStarts[number - 1]
        let end = number < lineStarts.count ? lineStarts[number] : bytes.count
        var line = String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars
        while let last = line.last, last.properties.isWhitespace, last != " ", last != "\t" {
            line.removeLast()
        }
        return String(line)
    }

    /// The number of bytes before a place; within the text, and within the place's line.
    package func offset(of place: SourcePlace) -> Int {
        guard place.line <= lineStarts.count else { return bytes.count }
        let start = lineStarts[max(1, place.line) - 1]
        let end = place.line < lineStarts.count ? lineStarts[place.line] : bytes.count
        var offset = start
        var left = place.column - 1
        while left > 0, offset < end {
            offset += 1
            left -= 1
            // Bytes that continue a character of UTF-8.
            while offset < end, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return offset
    }

    /// The place of a byte; its column counts characters.
    public func position(ofByte offset: Int) -> SourcePlace {
        let offset = min(max(0, offset), bytes.count)
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        let before = String(decoding: bytes[lineStarts[low]..<offset], as: UTF8.self)
        return SourcePlace(line: low + 1, column: before.unicodeScalars.count + 1)
    }

    /// Why a file could not be read; the text does not contain the path.
    public struct Unreadable: DescribedError, Equatable, Sendable {
        /// What is wrong with the file.
        public var cause: String
        /// What to do about it.
        public var remedy: String
        /// Whether the file is larger than `Limits.fileBytes`.
        public var isTooLarge = false
    }

    /// Reads a whole file of at most `Limits.fileBytes`.
    ///
    /// A larger regular file is refused without reading it. Pipes and devices are read only if the
    /// process has them open already: `-` and `/dev/stdin` for standard input, and `/dev/fd/N`.
    /// Such a read waits for the writer.
    public static func read(file path: String) throws(Unreadable) -> SourceText {
        let inherited = descriptor(named: path)
        let opened =
            inherited.map { fcntl($0, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
            ?? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw unreadable(errno: errno) }
        defer { _ = close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0 else { throw unreadable(errno: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw unreadable(errno: EISDIR)
        case S_IFREG:
            if Int(clamping: status.st_size) > Limits.fileBytes {
                throw tooLarge("\(status.st_size) bytes")
            }
        case _ where inherited == nil:
            throw Unreadable(
                cause: "the file cannot be read: it is a pipe or a device",
                remedy: "store the text in a file, or pipe it in and name the file `-`")
        case _: break
        }
        return SourceText(file: path, bytes: try bytes(of: opened, waits: inherited != nil))
    }

    /// The descriptor that a name means; nil for the name of a file.
    private static func descriptor(named path: String) -> Int32? {
        if path == "-" || path == "/dev/stdin" { return STDIN_FILENO }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            return Int32(path.dropFirst(folder.utf8.count))
        }
        return nil
    }

    /// - Parameter waits: whether to wait for a writer. What this process has opened itself is a
    ///   regular file, but some of those of the kernel wait as a pipe does.
    private static func bytes(
        of descriptor: Int32, waits: Bool
    ) throws(Unreadable) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                guard waits else {
                    throw Unreadable(
                        cause: "the file cannot be read: it waits for something to be written",
                        remedy: "store the text in a file; files of /proc and /sys may wait")
                }
                // Another process that shares it has made it non-blocking.
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&entry, 1, -1)
                continue
            }
            guard count >= 0 else { throw unreadable(errno: errno) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= Limits.fileBytes else { throw tooLarge("more") }
        }
    }

    private static func tooLarge(_ size: String) -> Unreadable {
        Unreadable(
            cause: "the file has \(size), and the limit is \(Limits.fileBytes) bytes",
            remedy: "a panel file is a few kilobytes; is this the right file?", isTooLarge: true)
    }

    /// What to do if there is no such file.
    package static let missingRemedy = "check the path; it is relative to the current directory"

    private static func unreadable(errno code: Int32) -> Unreadable {
        let remedy =
            switch code {
            case ENOENT: Self.missingRemedy
            case EISDIR: "name a file in that directory"
            case EACCES: "add the permission to read it, or run as its owner"
            default: "check that the file can be read with `cat`"
            }
        return Unreadable(
            cause: "the file cannot be read: \(String(cString: strerror(code)))", remedy: remedy)
    }
}
