import DetentTypes

/// Reads a value change dump: every wire of one bit is a line.
///
/// Values before the first time, at 0 and in `$dumpvars` are initial levels, and a line that is
/// open then has none. `x` is ignored with a note: the line keeps its level. A change to the
/// current level of a line is ignored. The reals of analog lines are samples. Vectors, other reals
/// and strings are ignored with a note.
struct VCDCaptureReader: CaptureReader {
    var builder = CaptureBuilder()
    private(set) var place = (line: 1, column: 1)
    private var cursor: ByteCursor
    /// The lines of each code: a variable may have several names.
    private var places: [[UInt8]: [UInt16]] = [:]
    /// The analog lines of each code.
    private var sampled: [[UInt8]: [UInt16]] = [:]
    private var levels: [UInt16: Level] = [:]
    /// Edges of the change that was read last, the next one last.
    private var waiting: [Capture.Edge] = []
    private var timescale = VCDTimescale.nanosecond
    private var now: UInt64 = 0
    private var isDumpingInitial = false
    private var undefinedCount = 0
    private var word: [UInt8] = []
    private let analog: Set<String>

    /// What a line was changed to.
    private enum Level {
        case low, high, open, undefined
    }

    /// - Parameter analog: the names of the lines that have samples.
    init(_ source: ByteSource, analog: Set<String> = []) throws(CaptureError) {
        self.analog = analog
        cursor = ByteCursor(source)
        try readHeader()
    }

    mutating func finished() throws(CaptureError) -> Capture {
        if undefinedCount > 0 { builder.note("\(undefinedCount) changes to x were ignored") }
        return try builder.finished()
    }

    private mutating func readHeader() throws(CaptureError) {
        let header = try VCDHeader(&cursor, analog: analog)
        timescale = header.timescale
        for note in header.notes { builder.note(note) }
        for variable in header.variables {
            let line = try builder.line(named: variable.name, line: 1, column: 1)
            if variable.isSampled {
                sampled[variable.code, default: []].append(line)
            } else {
                places[variable.code, default: []].append(line)
            }
        }
    }

    mutating func next() throws(CaptureError) -> Capture.Edge? {
        while waiting.isEmpty {
            guard let place = try cursor.nextWord(into: &word) else { return nil }
            self.place = place
            try takeWord(at: place)
        }
        return waiting.popLast()
    }

    /// Takes the word that was read, and the edges that it makes.
    private mutating func takeWord(
        at place: (line: Int, column: Int)
    ) throws(CaptureError) {
        switch word[0] {
        case UInt8(ascii: "#"): try takeTime(word.dropFirst(), at: place)
        case UInt8(ascii: "0"), UInt8(ascii: "1"), UInt8(ascii: "x"), UInt8(ascii: "X"),
            UInt8(ascii: "z"), UInt8(ascii: "Z"):
            try change(word.dropFirst(), to: Self.level(word[0]), at: place)
        case UInt8(ascii: "b"), UInt8(ascii: "B"): try takeVector(word, at: place)
        case UInt8(ascii: "r"), UInt8(ascii: "R"): try takeReal(word.dropFirst(), at: place)
        case UInt8(ascii: "s"), UInt8(ascii: "S"): _ = try cursor.nextWord(into: &word)
        case UInt8(ascii: "$"): try takeKeyword(word)
        default:
            try report(
                "`\(text(word))` is not a value change", "check that this is a VCD file", place)
        }
    }

    private static func level(_ letter: UInt8?) -> Level {
        switch letter {
        case UInt8(ascii: "0"): .low
        case UInt8(ascii: "1"): .high
        case UInt8(ascii: "z"), UInt8(ascii: "Z"): .open
        case _: .undefined
        }
    }

    private mutating func takeTime(
        _ digits: ArraySlice<UInt8>, at place: (line: Int, column: Int)
    ) throws(CaptureError) {
        guard let units = decimal(digits), let time = timescale.nanoseconds(units) else {
            return try report(
                "`#\(text(digits))` is not a time", "write a whole number of the timescale", place)
        }
        if time < now {
            return try report("time \(time) ns comes after \(now) ns", "sort the changes", place)
        }
        now = time
    }

    /// A vector of one bit is accepted as a bit.
    private mutating func takeVector(
        _ vector: [UInt8], at place: (line: Int, column: Int)
    ) throws(CaptureError) {
        var code: [UInt8] = []
        guard try cursor.nextWord(into: &code) != nil, places[code] != nil else { return }
        try change(code[...], to: Self.level(vector.last), at: place)
    }

    /// Reports a real that is no number; ignores that of a line that has levels.
    private mutating func takeReal(
        _ digits: ArraySlice<UInt8>, at place: (line: Int, column: Int)
    ) throws(CaptureError) {
        var code: [UInt8] = []
        guard try cursor.nextWord(into: &code) != nil, let lines = sampled[code] else { return }
        guard let number = Double(String(decoding: digits, as: UTF8.self)) else {
            return try report(
                "`r\(text(digits))` is not a number", "check that the file is complete", place)
        }
        guard let sample = Int32(exactly: number.rounded()) else { return }
        for line in lines.reversed() {
            waiting.append(
                Capture.Edge(at: Instant(nanoseconds: now), line: line, sample: sample))
        }
    }

    private mutating func takeKeyword(_ keyword: [UInt8]) throws(CaptureError) {
        if keyword.elementsEqual("$dumpvars".utf8) {
            isDumpingInitial = true
        } else if keyword.elementsEqual("$end".utf8) {
            isDumpingInitial = false
        } else if keyword.elementsEqual("$comment".utf8) {
            var word: [UInt8] = []
            while try cursor.nextWord(into: &word) != nil {
                if word.elementsEqual("$end".utf8) { break }
            }
        }
    }

    private mutating func change(
        _ code: ArraySlice<UInt8>, to level: Level, at place: (line: Int, column: Int)
    ) throws(CaptureError) {
        // The code of an ignored variable is in no table.
        guard let lines = places[Array(code)] else {
            if code.isEmpty {
                try report(
                    "a value change without a variable", "write the code after the level", place)
            }
            return
        }
        if level == .undefined {
            if lines.contains(where: { levels[$0] != nil }) { undefinedCount += 1 }
            return
        }
        for line in lines.reversed() { change(line, to: level) }
    }

    private mutating func change(_ line: UInt16, to level: Level) {
        let before = levels[line]
        levels[line] = level
        if now == 0 || (isDumpingInitial && before == nil) {
            return builder.setInitial(line, level == .open ? nil : level == .high)
        }
        guard before != level, before != nil || level != .open else { return }
        let isOpen = level == .open
        waiting.append(
            Capture.Edge(
                at: Instant(nanoseconds: now), line: line,
                isHigh: (isOpen ? before : level) == .high, isOpen: isOpen))
    }

    private mutating func report(
        _ cause: String, _ remedy: String, _ place: (line: Int, column: Int)
    ) throws(CaptureError) {
        try builder.report(
            CaptureProblem(line: place.line, column: place.column, cause: cause, remedy: remedy))
    }
}
