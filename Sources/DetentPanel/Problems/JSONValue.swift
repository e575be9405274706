/// A JSON value whose members keep their order, so that equal values give equal bytes.
public indirect enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number as text, written unchanged; the caller must make sure that it is a number.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([(String, JSONValue)])

    /// The value in one line, with a space after each colon and comma.
    public var line: String {
        var text = ""
        write(to: &text, indent: nil)
        return text
    }

    /// The value in several lines, indented by two spaces per level, ending with a line feed.
    public var pretty: String {
        var text = ""
        write(to: &text, indent: 0)
        return text + "\n"
    }

    private func write(to text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += String(number)
        case .number(let number): text += number
        case .string(let string): Self.write(string, to: &text)
        case .array(let items):
            Self.writeMembers(items, "[", "]", to: &text, indent: indent) { item, text, indent in
                item.write(to: &text, indent: indent)
            }
        case .object(let members):
            Self.writeMembers(members, "{", "}", to: &text, indent: indent) {
                member, text, indent in
                Self.write(member.0, to: &text)
                text += ": "
                member.1.write(to: &text, indent: indent)
            }
        }
    }

    private static func writeMembers<Member>(
        _ members: [Member], _ begin: String, _ end: String, to text: inout String, indent: Int?,
        each: (Member, inout String, Int?) -> Void
    ) {
        text += begin
        let inner = indent.map { $0 + 2 }
        for (index, member) in members.enumerated() {
            if index > 0 { text += inner == nil ? ", " : "," }
            if let inner { text += "\n" + String(repeating: " ", count: inner) }
            each(member, &text, inner)
        }
        if let indent, !members.isEmpty { text += "\n" + String(repeating: " ", count: indent) }
        text += end
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        defer { text += "\"" }
        // Most names and words need no escapes.
        let isPlain = string.utf8.allSatisfy {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        if isPlain {
            text += string
            return
        }
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
    }

    /// Whether both have the same text; the order of members matters.
    public static func == (left: JSONValue, right: JSONValue) -> Bool { left.line == right.line }
}

extension JSONValue:
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral text: String) { self = .string(text) }

    /// True or false.
    public init(booleanLiteral truth: Bool) { self = .bool(truth) }

    /// An array.
    public init(arrayLiteral items: JSONValue...) { self = .array(items) }

    /// An object with these members in this order, without those that are nil.
    public init(dictionaryLiteral members: (String, JSONValue?)...) {
        self = .object(members.compactMap { name, value in value.map { (name, $0) } })
    }
}
