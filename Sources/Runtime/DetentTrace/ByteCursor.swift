/// Reads a text byte by byte, in bounded memory, and tracks line and column.
struct ByteCursor {
    /// Line of the next byte, from 1.
    private(set) var line = 1
    /// Column of the next byte, from 1.
    private(set) var column = 1
    private let source: ByteSource
    private var buffer: [UInt8] = []
    private var place = 0
    private var offset: UInt64 = 0

    init(_ source: ByteSource) {
        self.source = source
    }

    /// The next byte, without removing it; nil at the end.
    mutating func peek() throws(CaptureError) -> UInt8? {
        if place == buffer.count {
            buffer = try source.read(at: offset, count: 65_536)
            // A byte order mark, which editors on Windows write, is not a part of the text.
            place = offset == 0 && buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            offset += UInt64(buffer.count)
            if place == buffer.count { return nil }
        }
        return buffer[place]
    }

    /// Removes the next byte; nil at the end.
    mutating func next() throws(CaptureError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        place += 1
        if byte == UInt8(ascii: "\n") {
            line += 1
            column = 1
        } else {
            column += 1
        }
        return byte
    }

    /// Reads a row whose bytes are in memory already, without copying it.
    ///
    /// - Parameter read: gets the bytes from the next one on; returns what the row says and its
    ///   length with the line feed, or nil for a row that it does not read. Such a row stays.
    mutating func takeRow<Content>(
        _ read: (UnsafeBufferPointer<UInt8>) -> (content: Content, count: Int)?
    ) -> Content? {
        let row = buffer.withUnsafeBufferPointer { bytes in
            read(UnsafeBufferPointer(rebasing: bytes[place...]))
        }
        guard let row else { return nil }
        place += row.count
        line += 1
        column = 1
        return row.content
    }

    /// Reads a row into `row`, without its line feed and a preceding carriage return.
    ///
    /// - Returns: false at the end of the text.
    mutating func nextRow(into row: inout [UInt8]) throws(CaptureError) -> Bool {
        row.removeAll(keepingCapacity: true)
        guard try peek() != nil else { return false }
        let start = line
        repeat {
            let end = buffer[place...].firstIndex(of: UInt8(ascii: "\n"))
            row.append(contentsOf: buffer[place..<(end ?? buffer.count)])
            try check(row.count, line: start, column: 1)
            place = end ?? buffer.count
            if end != nil {
                _ = try next()
                break
            }
        } while try peek() != nil
        if row.last == UInt8(ascii: "\r") { row.removeLast() }
        return true
    }

    /// Reads a word between white space into `word`.
    ///
    /// - Returns: the position of the word, or nil at the end of the text.
    mutating func nextWord(
        into word: inout [UInt8]
    ) throws(CaptureError) -> (line: Int, column: Int)? {
        word.removeAll(keepingCapacity: true)
        while let byte = try peek(), byte <= 0x20 { _ = try next() }
        let start = (line: line, column: column)
        while let byte = try peek(), byte > 0x20 {
            _ = try next()
            word.append(byte)
            try check(word.count, line: start.line, column: start.column)
        }
        return word.isEmpty ? nil : start
    }

    private func check(_ count: Int, line: Int, column: Int) throws(CaptureError) {
        if count > TraceLimits.wordLength {
            throw CaptureError(
                "more than \(TraceLimits.wordLength) bytes without a line end",
                "check that this file is a capture", line: line, column: column)
        }
    }
}

/// The decimal number in these bytes; nil if they are not digits or the number is too large.
func decimal(_ bytes: some Collection<UInt8>) -> UInt64? {
    if bytes.isEmpty { return nil }
    var result: UInt64 = 0
    for byte in bytes {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        let (product, overflow) = result.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
        if overflow || carry { return nil }
        result = sum
    }
    return result
}
