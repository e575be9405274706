import DetentTypes

/// Reads the tables that logic analysers export: a column with times, and a column for each
/// channel.
///
///     Time [s],Channel 0,Channel 1        Saleae Logic, version 2; version 1 writes `Time[s], …`
///     0.000000000,1,1
///
///     ; Channels (2/2): D0, D1            sigrok and PulseView
///     milliseconds,logic,logic
///     0,1,1
///
/// The first row gives initial levels, and its time is the beginning if it is before 0. Empty rows
/// and comments are left out.
struct TableCaptureReader: CaptureReader {
    var builder = CaptureBuilder()
    private(set) var place = (line: 1, column: 1)
    private var cursor: ByteCursor
    private var row: [UInt8] = []
    /// Decimals of a time in nanoseconds: 9 for seconds.
    private let decimals: Int
    private var lines: [UInt16] = []
    private var levels: [Bool?] = []
    private var begin: Int64?
    private var last: Int64 = 0
    /// Edges of the row that was read last, the next one last.
    private var waiting: [Capture.Edge] = []

    /// Whether a file begins as such a table.
    static func canRead(_ source: ByteSource) throws(CaptureError) -> Bool {
        var cursor = ByteCursor(source)
        return try Header(&cursor) != nil
    }

    init(_ source: ByteSource) throws(CaptureError) {
        cursor = ByteCursor(source)
        guard let header = try Header(&cursor) else {
            throw CaptureError("it has no column of times", "export it again")
        }
        decimals = header.decimals
        for name in header.names {
            lines.append(try builder.line(named: name, line: 1, column: 1))
        }
        levels = lines.map { _ in nil }
        guard Set(lines).count == lines.count else {
            throw CaptureError(
                "two channels have one name", "rename one of them in the program that exports",
                line: 1, column: 1)
        }
    }

    mutating func next() throws(CaptureError) -> Capture.Edge? {
        while waiting.isEmpty {
            place.line = cursor.line
            guard try cursor.nextRow(into: &row) else { return nil }
            if !row.isEmpty, row.first != UInt8(ascii: ";") { try takeRow() }
        }
        return waiting.popLast()
    }

    mutating func finished() throws(CaptureError) -> Capture { try builder.finished() }

    private mutating func takeRow() throws(CaptureError) {
        let fields = Header.fields(row)
        guard fields.count == lines.count + 1 else {
            return try report(
                "\(fields.count) fields instead of \(lines.count + 1)",
                "export the capture again")
        }
        guard let time = NearestDecimal.units(fields[0], decimals: decimals) else {
            return try report("`\(text(fields[0]))` is not a time", "export the capture again")
        }
        let isFirst = begin == nil
        let begin = begin ?? min(time, 0)
        self.begin = begin
        guard time - begin >= last else {
            return try report("the time is before that of the row above", "sort the rows by time")
        }
        last = time - begin
        for (column, field) in fields.dropFirst().enumerated().reversed() {
            guard field.elementsEqual("0".utf8) || field.elementsEqual("1".utf8) else {
                return try report(
                    "`\(text(field))` is not a level", "export digital channels only, as 0 and 1")
            }
            let isHigh = field.first == UInt8(ascii: "1")
            let before = levels[column]
            levels[column] = isHigh
            if isFirst {
                builder.setInitial(lines[column], isHigh)
            } else if before != isHigh {
                waiting.append(
                    Capture.Edge(
                        at: Instant(nanoseconds: UInt64(last)), line: lines[column], isHigh: isHigh)
                )
            }
        }
    }

    private mutating func report(_ cause: String, _ remedy: String) throws(CaptureError) {
        try builder.report(
            CaptureProblem(line: place.line, column: 1, cause: cause, remedy: remedy))
    }

    /// The row that names the columns.
    private struct Header {
        var decimals = 9
        var names: [String] = []

        /// Reads up to the names of the columns; nil if the first column is no time.
        init?(_ cursor: inout ByteCursor) throws(CaptureError) {
            var row: [UInt8] = []
            var channels: [String] = []
            repeat {
                guard try cursor.nextRow(into: &row) else { return nil }
                if let names = Self.channels(in: row) { channels = names }
            } while row.isEmpty || row.first == UInt8(ascii: ";")
            let fields = Self.fields(row).map { String(decoding: $0, as: UTF8.self) }
            guard let first = fields.first, fields.count > 1,
                let decimals = Self.decimals(of: first)
            else { return nil }
            self.decimals = decimals
            names = Array(fields.dropFirst())
            // sigrok names the type of each channel, and the channels in a comment.
            if channels.count == names.count { names = channels }
        }

        /// The parts between commas, without blanks around them.
        static func fields(_ row: [UInt8]) -> [ArraySlice<UInt8>] {
            let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
            return row.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
                let begin = $0.drop(while: isBlank)
                return begin.prefix(
                    (begin.lastIndex { !isBlank($0) } ?? begin.startIndex - 1)
                        - begin.startIndex + 1)
            }
        }

        /// `; Channels (2/2): D0, D1`.
        private static func channels(in row: [UInt8]) -> [String]? {
            guard row.starts(with: "; Channels".utf8),
                let colon = row.firstIndex(of: UInt8(ascii: ":"))
            else { return nil }
            return fields(Array(row[(colon + 1)...])).map { String(decoding: $0, as: UTF8.self) }
        }

        /// From seconds, milliseconds or microseconds to nanoseconds.
        private static func decimals(of name: String) -> Int? {
            switch name.lowercased().filter({ $0 != " " }) {
            case "time[s]", "time(s)", "seconds": 9
            case "time[ms]", "time(ms)", "milliseconds": 6
            case "time[us]", "time(us)", "time[µs]", "microseconds": 3
            case "time[ns]", "time(ns)", "nanoseconds": 0
            case _: nil
            }
        }
    }
}
