/// Cuts the output of a program into lines, in bounded memory.
///
/// Of the lines that come in one piece only the newest counts, because each replaces the one
/// before.
public struct ReportLines: Equatable, Sendable {
    private var rest: [UInt8] = []

    /// Begins at the start of a line.
    public init() {}

    /// Takes the next bytes.
    ///
    /// - Returns: the newest whole line, cut to `ActionLimits.reportLine` bytes, and how many lines
    ///   before it came in this piece; nil if no line has ended.
    public mutating func take(_ bytes: UnsafeRawBufferPointer) -> (line: [UInt8], skipped: Int)? {
        let feed = UInt8(ascii: "\n")
        guard let last = bytes.lastIndex(of: feed) else {
            append(bytes[...])
            return nil
        }
        var skipped = 0
        for byte in bytes[..<last] where byte == feed { skipped += 1 }
        if skipped == 0 {
            append(bytes[..<last])
        } else {
            let first = bytes[..<last].lastIndex(of: feed).map { $0 + 1 } ?? 0
            rest = []
            append(bytes[first..<last])
        }
        let line = rest
        rest = []
        append(bytes[(last + 1)...])
        return (line, skipped)
    }

    private mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
        rest += bytes.prefix(ActionLimits.reportLine - rest.count)
    }
}
