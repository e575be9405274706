import DetentTypes

/// Reads `t_ns,line,value`: one edge per row, in order of time. Rows at 0 give initial levels. The
/// rows of analog lines have samples, as whole numbers.
///
/// Names are not quoted, and empty rows are left out. A problem affects only its row, so all
/// problems are reported at once.
struct CSVCaptureReader: CaptureReader {
    var builder = CaptureBuilder()
    private(set) var place = (line: 1, column: 1)
    private var cursor: ByteCursor
    private var row: [UInt8] = []
    private let names = NameTable()
    private var last: UInt64 = 0
    private let analog: Set<String>

    /// - Parameter analog: the names of the lines that have samples.
    init(_ source: ByteSource, analog: Set<String> = []) throws(CaptureError) {
        self.analog = analog
        cursor = ByteCursor(source)
        let hasHeader = try cursor.nextRow(into: &row)
        if !hasHeader || !row.elementsEqual(Self.header.utf8) {
            throw CaptureError(
                "the first line is not the header of a capture",
                "make the first line `\(Self.header)`; of a logic analyser, export the times with "
                    + "a column for each channel, a .vcd or a .sr file", line: 1, column: 1)
        }
    }

    /// The first row.
    static var header: String { "t_ns,line,value" }

    mutating func next() throws(CaptureError) -> Capture.Edge? {
        while true {
            place.line = cursor.line
            if let edge = Self.plainEdge(&cursor, names, notBefore: last) {
                last = edge.at.nanoseconds
                return edge
            }
            guard try cursor.nextRow(into: &row) else { return nil }
            if let edge = try edge(line: place.line) { return edge }
        }
    }

    mutating func finished() throws(CaptureError) -> Capture { try builder.finished() }

    /// The edge of a row without problems whose line is known; nil for other rows, which stay.
    private static func plainEdge(
        _ cursor: inout ByteCursor, _ names: NameTable, notBefore last: UInt64
    ) -> Capture.Edge? {
        cursor.takeRow { bytes in
            // Nineteen digits are less than 2^64.
            let most = min(bytes.count, 19)
            var time: UInt64 = 0
            var digits = 0
            while digits < most {
                let digit = bytes[digits] &- UInt8(ascii: "0")
                if digit > 9 { break }
                time = time &* 10 &+ UInt64(digit)
                digits &+= 1
            }
            guard digits > 0, digits < bytes.count, bytes[digits] == UInt8(ascii: ",") else {
                return nil
            }
            var end = digits + 1
            while end < bytes.count, bytes[end] != UInt8(ascii: ",") { end &+= 1 }
            guard end + 3 < bytes.count else { return nil }
            let isHigh = bytes[end + 1] == UInt8(ascii: "1")
            guard isHigh || bytes[end + 1] == UInt8(ascii: "0") else { return nil }
            let lineFeed = bytes[end + 2] == UInt8(ascii: "\r") ? end + 3 : end + 2
            guard bytes[lineFeed] == UInt8(ascii: "\n"), lineFeed <= TraceLimits.wordLength,
                time > 0, time >= last,
                let line = names.index(of: .init(rebasing: bytes[(digits + 1)..<end]))
            else { return nil }
            let edge = Capture.Edge(at: Instant(nanoseconds: time), line: line, isHigh: isHigh)
            return (edge, lineFeed + 1)
        }
    }

    /// The edge of any row; nil for a level at 0 and for a row with a problem.
    private mutating func edge(line: Int) throws(CaptureError) -> Capture.Edge? {
        var fields = row.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)[...]
        let count = fields.count
        if row.isEmpty { return nil }
        guard count == 3, let first = fields.popFirst(), let second = fields.popFirst(),
            let third = fields.popFirst()
        else {
            try report(line, 1, "\(count) fields instead of 3", "write `\(Self.header)`")
            return nil
        }
        let time = try readTime(first, line: line)
        let name = try readName(second, line: line)
        let column = second.startIndex + 1
        if let name, analog.contains(name) {
            let sample = try readSample(third, line: line)
            guard let time, let sample else { return nil }
            let place = try builder.line(named: name, line: line, column: column)
            return Capture.Edge(at: Instant(nanoseconds: time), line: place, sample: sample)
        }
        let isHigh = try readLevel(third, line: line)
        guard let time, let name, let isHigh else { return nil }
        let place = try builder.line(named: name, line: line, column: column)
        names.insert(second, place)
        if time > 0 {
            return Capture.Edge(at: Instant(nanoseconds: time), line: place, isHigh: isHigh)
        }
        if builder.capture.initialLevels[Int(place)] != nil {
            try report(
                line, column, "two levels of `\(name)` at time 0",
                "keep one; edges have a time after 0")
        } else {
            builder.setInitial(place, isHigh)
        }
        return nil
    }

    private mutating func readTime(
        _ field: ArraySlice<UInt8>, line: Int
    ) throws(CaptureError) -> UInt64? {
        guard let time = decimal(field) else {
            try report(
                line, 1, "`\(text(field))` is not a time",
                "write whole nanoseconds from 0 to \(UInt64.max)")
            return nil
        }
        if time < last {
            try report(
                line, 1, "time \(time) comes after \(last)", "sort the rows by time")
            return nil
        }
        last = time
        return time
    }

    private mutating func readName(
        _ field: ArraySlice<UInt8>, line: Int
    ) throws(CaptureError) -> String? {
        let column = field.startIndex + 1
        if field.isEmpty {
            try report(line, column, "the line has no name", "write its name from the panel file")
            return nil
        }
        let isPlain = field.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
        guard isPlain, let name = String(validating: field, as: UTF8.self) else {
            try report(
                line, column, "`\(text(field))` is not a valid line name",
                "write UTF-8 without quotation marks and control characters")
            return nil
        }
        return name
    }

    private mutating func readLevel(
        _ field: ArraySlice<UInt8>, line: Int
    ) throws(CaptureError) -> Bool? {
        if field.elementsEqual("0".utf8) { return false }
        if field.elementsEqual("1".utf8) { return true }
        try report(
            line, field.startIndex + 1, "`\(text(field))` is not a level", "write 0 or 1")
        return nil
    }

    private mutating func readSample(
        _ field: ArraySlice<UInt8>, line: Int
    ) throws(CaptureError) -> Int32? {
        if let sample = Int32(String(decoding: field, as: UTF8.self)) { return sample }
        try report(
            line, field.startIndex + 1, "`\(text(field))` is not a sample",
            "write the whole number of the converter")
        return nil
    }

    private mutating func report(
        _ line: Int, _ column: Int, _ cause: String, _ remedy: String
    ) throws(CaptureError) {
        try builder.report(
            CaptureProblem(line: line, column: column, cause: cause, remedy: remedy))
    }
}

/// Bytes for a message: shortened and printable.
func text(_ bytes: some Collection<UInt8>) -> String {
    let shown = String(decoding: bytes.prefix(40), as: UTF8.self)
    let printable = String(
        shown.unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : Character(scalar)
        })
    return bytes.count > 40 ? printable + "…" : printable
}
