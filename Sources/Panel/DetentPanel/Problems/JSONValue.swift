/// A JSON value whose members keep their order, so that equal values give equal bytes.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number as text, written unchanged; the caller must make sure that it is a number.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([(String, JSONValue)])

    /// A string; null if there is none.
    public static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// An array of strings.
    public static func strings(_ texts: [String]) -> JSONValue {
        .array(texts.map(JSONValue.string))
    }

    /// A whole number; the nearest one that fits an `Int64`.
    public static func whole(_ number: some BinaryInteger) -> JSONValue {
        .integer(Int64(clamping: number))
    }

    /// A whole number that may not fit an `Int64`.
    public static func unsigned(_ number: UInt64) -> JSONValue {
        Int64(exactly: number).map(JSONValue.integer) ?? .number(String(number))
    }

    /// The value in one line, with a space after each colon and comma.
    public var line: String {
        var text: [UInt8] = []
        text.reserveCapacity(160)  // a state or an event of a control
        write(to: &text, indent: nil)
        return String(decoding: text, as: UTF8.self)
    }

    /// The value in several lines, indented by two spaces per level, ending with a line feed.
    public var pretty: String {
        var text: [UInt8] = []
        write(to: &text, indent: 0)
        return String(decoding: text, as: UTF8.self) + "\n"
    }

    /// Adds what `line` gives to a text.
    func write(to text: inout [UInt8]) { write(to: &text, indent: nil) }

    private func write(to text: inout [UInt8], indent: Int?) {
        switch self {
        case .null: text.append("null")
        case .bool(let flag): text.append(flag ? "true" : "false")
        case .integer(let number):
            if number < 0 { text.append(UInt8(ascii: "-")) }
            text.append(decimal: number.magnitude)
        case .number(let number): text.append(number)
        case .string(let string): Self.write(string, to: &text)
        case .array(let items):
            Self.writeMembers(items, "[", "]", to: &text, indent: indent) { item, text, indent in
                item.write(to: &text, indent: indent)
            }
        case .object(let members):
            Self.writeMembers(members, "{", "}", to: &text, indent: indent) {
                member, text, indent in
                Self.write(member.0, to: &text)
                text.append(": ")
                member.1.write(to: &text, indent: indent)
            }
        }
    }

    private static func writeMembers<Member>(
        _ members: [Member], _ begin: String, _ end: String, to text: inout [UInt8], indent: Int?,
        each: (Member, inout [UInt8], Int?) -> Void
    ) {
        text.append(begin)
        let inner = indent.map { $0 + 2 }
        for (index, member) in members.enumerated() {
            if index > 0 { text.append(inner == nil ? ", " : ",") }
            if let inner { text.append("\n" + String(repeating: " ", count: inner)) }
            each(member, &text, inner)
        }
        if let indent, !members.isEmpty {
            text.append("\n" + String(repeating: " ", count: indent))
        }
        text.append(end)
    }

    /// Adds a string with its quotation marks.
    static func write(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        let start = text.count
        text.append(string)
        // Most names and words need no escapes.
        if !text.isPlain(from: start) {
            text.removeSubrange(start...)
            text.append(escaped(string))
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func escaped(_ string: String) -> String {
        var text = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // Terminals show event lines and answers unchanged.
            default: PrintableText.append(scalar, to: &text)
            }
        }
        return text
    }

    /// Whether both have the same text; the order of members matters.
    public static func == (left: JSONValue, right: JSONValue) -> Bool { left.line == right.line }
}

extension JSONValue:
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral text: String) { self = .string(text) }

    /// True or false.
    public init(booleanLiteral truth: Bool) { self = .bool(truth) }

    /// A whole number.
    public init(integerLiteral number: Int64) { self = .integer(number) }

    /// An array.
    public init(arrayLiteral items: JSONValue...) { self = .array(items) }

    /// An object with these members in this order, without those that are nil.
    public init(dictionaryLiteral members: (String, JSONValue?)...) {
        self = .object(members.compactMap { name, value in value.map { (name, $0) } })
    }
}

/// A text as its bytes.
extension [UInt8] {
    /// Adds a string in UTF-8.
    fileprivate mutating func append(_ string: String) {
        var string = string
        string.withUTF8 { append(contentsOf: $0) }
    }

    /// Adds a whole number.
    mutating func append(decimal number: UInt64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var place = digits.count
            var rest = number
            repeat {
                place -= 1
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[place...]))
        }
    }

    /// Whether the bytes from here on are letters of ASCII that JSON does not escape.
    fileprivate func isPlain(from start: Int) -> Bool {
        for byte in self[start...] {
            let isPlain =
                (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"")
                && byte != UInt8(ascii: "\\")
            if !isPlain { return false }
        }
        return true
    }
}
