/// Cuts the output of a program into lines, in bounded memory.
public struct ReportLines: Equatable, Sendable {
    private let longest: Int
    private let most: Int
    private var rest: [UInt8] = []

    /// Begins at the start of a line.
    ///
    /// - Parameters:
    ///   - longest: bytes of a line that are kept.
    ///   - most: lines that are returned at a time.
    public init(
        longest: Int = ActionLimits.reportLine, most: Int = ActionLimits.reportLinesAtOnce
    ) {
        self.longest = longest
        self.most = most
    }

    /// Takes the next bytes.
    ///
    /// - Returns: the lines that have ended, each cut to `longest` bytes; of more than `most`, only
    ///   the newest.
    public mutating func take(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
        let feed = UInt8(ascii: "\n")
        guard let last = bytes.lastIndex(of: feed) else {
            append(bytes[...])
            return []
        }
        // From the end, so that a flood is not looked at.
        var begins: [Int] = []
        var end = last
        while begins.count < most,
            let before = bytes[..<end].lastIndex(of: feed)
        {
            begins.append(before + 1)
            end = before
        }
        var lines: [[UInt8]] = []
        if begins.count < most {
            append(bytes[..<end])
            lines.append(rest)
        }
        for begin in begins.reversed() {
            let line = bytes[begin...].prefix { $0 != feed }
            lines.append(Array(line.prefix(longest)))
        }
        rest = []
        append(bytes[(last + 1)...])
        return lines
    }

    private mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
        rest += bytes.prefix(longest - rest.count)
    }
}
