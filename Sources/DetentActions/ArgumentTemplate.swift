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

    fileprivate func word(for placeholder: Substring) -> String? {
        switch placeholder {
        case "value": value
        case "previous": previous
        case "control": control
        case "origin": origin
        default: nil
        }
    }
}

/// Arguments with the placeholders `{value}`, `{previous}`, `{control}` and `{origin}`.
///
/// Only these four are replaced. Other braces do not change, and a placeholder inside a word is not
/// replaced. An argument stays one argument, whatever its words contain.
public struct ArgumentTemplate: Equatable, Sendable {
    /// The arguments as the panel file has them.
    public var arguments: [String]

    /// Takes the arguments as the panel file has them.
    public init(_ arguments: [String]) {
        self.arguments = arguments
    }

    /// The arguments with their placeholders replaced; takes time in proportion to their length.
    public func expanded(with words: ActionWords) -> [String] {
        arguments.map { words.filled(into: $0) }
    }
}

extension ActionWords {
    /// A text with its placeholders replaced; takes time in proportion to its length.
    public func filled(into text: String) -> String {
        // Bytes, not characters: a combining mark after a brace must not hide it.
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var result = ""
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            let inside = rest[open...].dropFirst()
            if let close = inside.prefix(Self.longestPlaceholder + 1)
                .firstIndex(of: UInt8(ascii: "}")),
                let word = word(for: Substring(inside[..<close]))
            {
                result += String(Substring(rest[..<open]))
                result += word
                rest = inside[close...].dropFirst()
            } else {
                result += String(Substring(rest[...open]))
                rest = inside
            }
        }
        return result + String(Substring(rest))
    }

    /// Bytes of `previous`, so that a lone brace costs no search of the whole argument.
    private static let longestPlaceholder = 8
}
