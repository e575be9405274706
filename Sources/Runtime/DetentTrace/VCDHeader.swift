/// The declarations of a VCD file.
struct VCDHeader {
    private(set) var timescale = VCDTimescale.nanosecond
    /// A line: its code in the dump, its name, and whether it has samples, not levels.
    typealias Variable = (code: [UInt8], name: String, isSampled: Bool)

    private(set) var variables: [Variable] = []
    private(set) var notes: [String] = []
    private var scopes: [String] = []
    private var paths: [[String]] = []
    private let analog: Set<String>

    /// Reads up to `$enddefinitions $end`.
    init(_ cursor: inout ByteCursor, analog: Set<String>) throws(CaptureError) {
        self.analog = analog
        var word: [UInt8] = []
        while let place = try cursor.nextWord(into: &word) {
            guard word.first == UInt8(ascii: "$") else {
                throw CaptureError(
                    "`\(text(word))` is not a declaration", "check that this is a VCD file",
                    line: place.line, column: place.column)
            }
            let keyword = String(decoding: word, as: UTF8.self)
            let body = try Self.body(&cursor, of: keyword, at: place)
            if keyword == "$enddefinitions" {
                nameVariables()
                return
            }
            try parse(keyword, body, at: place)
        }
        throw CaptureError(
            "the file ends before `$enddefinitions`", "check that the file is complete",
            line: cursor.line, column: cursor.column)
    }

    /// The words up to `$end`, or at most as many as a declaration needs.
    private static func body(
        _ cursor: inout ByteCursor, of keyword: String, at place: (line: Int, column: Int)
    ) throws(CaptureError) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var word: [UInt8] = []
        while try cursor.nextWord(into: &word) != nil {
            if word.elementsEqual("$end".utf8) { return result }
            // A name of many words.
            if result.count < 64 { result.append(word) }
        }
        throw CaptureError(
            "`\(text(Array(keyword.utf8)))` has no `$end`", "check that the file is complete",
            line: place.line, column: place.column)
    }

    private mutating func parse(
        _ keyword: String, _ body: [[UInt8]], at place: (line: Int, column: Int)
    ) throws(CaptureError) {
        switch keyword {
        case "$timescale":
            let written = body.map { String(decoding: $0, as: UTF8.self) }.joined()
            guard let timescale = VCDTimescale(written) else {
                throw CaptureError(
                    "`\(written.prefix(40))` is not a timescale",
                    "write 1, 10 or 100 and a unit: s ms us ns ps fs", line: place.line,
                    column: place.column)
            }
            self.timescale = timescale
        case "$scope":
            if scopes.count >= 64 {
                throw CaptureError(
                    "scopes are more than 64 deep", "flatten them", line: place.line,
                    column: place.column)
            }
            scopes.append(body.count > 1 ? String(decoding: body[1], as: UTF8.self) : "")
        case "$upscope": _ = scopes.popLast()
        case "$var": try declare(body, at: place)
        default: return  // $date, $version, $comment and what simulators add
        }
    }

    /// `wire 1 ! name` or `wire 1 ! name [3]`; the name may have blanks. A variable that has a
    /// second name is a second line.
    private mutating func declare(
        _ body: [[UInt8]], at place: (line: Int, column: Int)
    ) throws(CaptureError) {
        guard body.count >= 4, let width = decimal(body[1]) else {
            throw CaptureError(
                "a variable needs a type, a width, a code and a name",
                "write `$var wire 1 ! name $end`", line: place.line, column: place.column)
        }
        let type = String(decoding: body[0], as: UTF8.self)
        var words = body[3...].map { String(decoding: $0, as: UTF8.self) }
        if words.count > 1, let last = words.last, last.hasPrefix("["), last.hasSuffix("]") {
            words.removeLast()
            words[words.count - 1] += last
        }
        let name = words.joined(separator: " ")
        let isSampled = ["real", "realtime"].contains(type) && analog.contains(name)
        if !isSampled, width != 1 || ["real", "realtime", "string", "event"].contains(type) {
            note("ignored `\(name)`: a \(type) of \(width) bits is not a line")
            return
        }
        // The same net in an inner scope.
        if variables.contains(where: { $0.code == body[2] && $0.name == name }) { return }
        if variables.count >= TraceLimits.lines {
            throw CaptureError(
                "more than \(TraceLimits.lines) variables",
                "remove variables that the panel does not have",
                line: place.line, column: place.column)
        }
        variables.append((body[2], name, isSampled))
        paths.append(scopes)
    }

    private mutating func note(_ text: String) {
        if notes.count < TraceLimits.problems { notes.append(text) }
    }

    /// If several scopes contain a name, the scopes are put before it, separated by dots. If it is
    /// still not unique, its code is appended.
    private mutating func nameVariables() {
        var counts: [String: Int] = [:]
        for variable in variables { counts[variable.name, default: 0] += 1 }
        for index in variables.indices where counts[variables[index].name, default: 0] > 1 {
            variables[index].name = (paths[index] + [variables[index].name]).joined(separator: ".")
        }
        var taken: Set<String> = []
        for index in variables.indices where !taken.insert(variables[index].name).inserted {
            variables[index].name += "#" + String(decoding: variables[index].code, as: UTF8.self)
            taken.insert(variables[index].name)
        }
    }
}
