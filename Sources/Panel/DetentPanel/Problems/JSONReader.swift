/// A strict JSON reader with a limited depth, for text from outside.
///
/// Numbers are kept as text. `JSONValue`'s subscript gives the first of several members with the
/// same name. Takes time in proportion to the bytes.
public struct JSONReader {
    /// Why a text is not JSON.
    public struct Problem: Error, Equatable, Sendable {
        /// What is wrong, without the place.
        public var cause: String
        /// The number of bytes before the problem.
        public var offset: Int
    }

    /// The default limit of nested objects and arrays.
    public static let defaultDepth = 8

    private let bytes: [UInt8]
    private var place = 0
    private var depth: Int

    /// Reads a text that is exactly one value; a byte order mark before it is left out.
    public static func read(
        _ bytes: [UInt8], depth: Int = defaultDepth
    ) throws(Problem) -> JSONValue {
        let bytes = SourceText.withoutMark(bytes)
        var reader = JSONReader(bytes: bytes, depth: depth)
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.place == bytes.count else {
            throw reader.problem("unexpected text after the value")
        }
        return value
    }

    private func problem(_ cause: String) -> Problem { Problem(cause: cause, offset: place) }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
            place += 1
        }
    }

    private mutating func consume(_ letter: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: letter) else { return false }
        place += 1
        return true
    }

    private mutating func value() throws(Problem) -> JSONValue {
        skipBlanks()
        guard let byte = next else { throw problem("unexpected end of text") }
        switch byte {
        case UInt8(ascii: "{"): return try within { (it) throws(Problem) in try it.object() }
        case UInt8(ascii: "["): return try within { (it) throws(Problem) in try it.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case _:
            for (word, value) in [
                ("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null),
            ] where bytes[place...].starts(with: word.utf8) {
                place += word.utf8.count
                return value
            }
            throw problem("expected a value")
        }
    }

    private mutating func within(
        _ body: (inout JSONReader) throws(Problem) -> JSONValue
    ) throws(Problem) -> JSONValue {
        guard depth > 0 else { throw problem("objects and arrays are nested too deep") }
        depth -= 1
        place += 1
        let value = try body(&self)
        depth += 1
        return value
    }

    private mutating func object() throws(Problem) -> JSONValue {
        var members: [(String, JSONValue)] = []
        var names: Set<String> = []
        skipBlanks()
        if consume("}") { return .object([]) }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw problem("expected a member name") }
            let start = place
            let name = try string()
            guard names.insert(name).inserted else {
                throw Problem(cause: "the object has this name twice", offset: start)
            }
            skipBlanks()
            guard consume(":") else { throw problem("a colon is missing") }
            members.append((name, try value()))
            skipBlanks()
            if consume("}") { return .object(members) }
            guard consume(",") else { throw problem("a comma or the object's end is missing") }
        }
    }

    private mutating func array() throws(Problem) -> JSONValue {
        var items: [JSONValue] = []
        skipBlanks()
        if consume("]") { return .array([]) }
        while true {
            items.append(try value())
            skipBlanks()
            if consume("]") { return .array(items) }
            guard consume(",") else { throw problem("a comma or the array's end is missing") }
        }
    }

    private mutating func number() throws(Problem) -> JSONValue {
        let start = place
        _ = consume("-")
        if !consume("0") { try digits() }
        if consume(".") { try digits() }
        if consume("e") || consume("E") {
            _ = consume("+") || consume("-")
            try digits()
        }
        return .number(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    private mutating func digits() throws(Problem) {
        let start = place
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
        if place == start { throw problem("a digit is missing") }
    }

    private mutating func string() throws(Problem) -> String {
        place += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw problem("the text before this is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                place += 1
                text += try escaped().utf8
            case 0..<0x20: throw problem("control character in a string")
            case _:
                place += 1
                text.append(byte)
            }
        }
        throw problem("unterminated string")
    }

    private mutating func escaped() throws(Problem) -> String {
        guard let byte = next else { throw problem("unexpected end of text") }
        place += 1
        switch Unicode.Scalar(byte) {
        case "\"": return "\""
        case "\\": return "\\"
        case "/": return "/"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try escapedScalar()
        case _: throw problem("invalid escape")
        }
    }

    /// A scalar of one escape, or of two that are a surrogate pair.
    private mutating func escapedScalar() throws(Problem) -> String {
        let first = try fourDigits()
        var code = first
        if (0xD800..<0xDC00).contains(first), consume("\\"), consume("u") {
            let second = try fourDigits()
            guard (0xDC00..<0xE000).contains(second) else {
                throw problem("unpaired surrogate")
            }
            code = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw problem("unpaired surrogate")
        }
        return String(scalar)
    }

    private mutating func fourDigits() throws(Problem) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw problem("four hexadecimal digits are missing")
            }
            place += 1
            code = code << 4 | UInt32(digit)
        }
        return code
    }
}

extension JSONValue {
    /// The member of an object; nil if there is no member with this name.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == name }?.1
    }

    /// The text of a string; nil for anything else.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A whole number; nil for anything else.
    public var whole: Int? {
        switch self {
        case .integer(let number): Int(exactly: number)
        case .number(let text): Int(text)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The items of an array; nil for anything else.
    public var items: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    /// The boolean; nil for anything else.
    public var truth: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }
}
