/// The words that replace placeholders in an action.
public struct ActionWords: Equatable, Sendable {
    /// Replaces `{value}`.
    public var value: String
    /// Replaces `{previous}`.
    public var previous: String
    /// Replaces `{control}`: the id.
    public var control: String
    /// Replaces `{origin}`.
    public var origin: String

    /// Takes the four words.
    public init(value: String, previous: String, control: String, origin: String) {
        self.value = value
        self.previous = previous
        self.control = control
        self.origin = origin
    }

    /// The variables `DETENT_VALUE`, `DETENT_PREVIOUS`, `DETENT_CONTROL` and `DETENT_ORIGIN`.
    public var environment: [(name: String, value: String)] {
        [
            ("DETENT_VALUE", value), ("DETENT_PREVIOUS", previous), ("DETENT_CONTROL", control),
            ("DETENT_ORIGIN", origin),
        ]
    }

    fileprivate func word(for placeholder: Placeholder) -> String {
        switch placeholder {
        case .value: value
        case .previous: previous
        case .control: control
        case .origin: origin
        }
    }
}

/// A name in braces that a word replaces.
private enum Placeholder: String {
    case value, previous, control, origin

    /// Bytes of `previous`, so that a lone brace costs no search of the whole text.
    static let longest = 8
}

/// A text with the placeholders `{value}`, `{previous}`, `{control}` and `{origin}`, which is read
/// once and filled in often.
///
/// Only these four are replaced. Other braces do not change, and a placeholder inside a word is not
/// replaced.
public struct TextTemplate: Equatable, Sendable {
    private enum Part: Equatable {
        case text(String)
        case placeholder(Placeholder)
    }

    private let parts: [Part]

    /// Reads a text as the panel file has it; takes time in proportion to its length.
    public init(_ text: String) {
        // Bytes, not characters: a combining mark after a brace must not hide it.
        var parts: [Part] = []
        var literal = ""
        var rest = text.utf8[...]
        func end() {
            if !literal.isEmpty { parts.append(.text(literal)) }
            literal = ""
        }
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            let inside = rest[open...].dropFirst()
            if let close = inside.prefix(Placeholder.longest + 1)
                .firstIndex(of: UInt8(ascii: "}")),
                let placeholder = Placeholder(rawValue: String(Substring(inside[..<close])))
            {
                literal += String(Substring(rest[..<open]))
                end()
                parts.append(.placeholder(placeholder))
                rest = inside[close...].dropFirst()
            } else {
                literal += String(Substring(rest[...open]))
                rest = inside
            }
        }
        literal += String(Substring(rest))
        end()
        self.parts = parts
    }

    /// The text with its placeholders replaced; takes time in proportion to its length.
    public func filled(with words: ActionWords) -> String {
        if parts.count == 1 { return Self.text(of: parts[0], words) }
        var result = ""
        for part in parts { result += Self.text(of: part, words) }
        return result
    }

    private static func text(of part: Part, _ words: ActionWords) -> String {
        switch part {
        case .text(let text): text
        case .placeholder(let placeholder): words.word(for: placeholder)
        }
    }
}
