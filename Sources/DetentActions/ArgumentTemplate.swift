/// The words that an action's arguments and environment are filled with.
public struct ActionWords: Equatable, Sendable {
    /// What `{value}` becomes.
    public var value: String
    /// What `{previous}` becomes.
    public var previous: String
    /// What `{control}` becomes: the id.
    public var control: String
    /// What `{origin}` becomes.
    public var origin: String

    /// Gives the four words.
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

/// Arguments in which `{value}`, `{previous}`, `{control}` and `{origin}` stand for words.
///
/// Only these four are replaced; every other brace stands as it is, and a word that holds a
/// placeholder itself is not looked at again. An argument stays one argument whatever its words
/// hold.
public struct ArgumentTemplate: Equatable, Sendable {
    /// The words as the panel file has them.
    public var arguments: [String]

    /// Takes the arguments as the panel file writes them.
    public init(_ arguments: [String]) {
        self.arguments = arguments
    }

    /// The arguments with their words; takes time in proportion to their length.
    public func expanded(with words: ActionWords) -> [String] {
        arguments.map { Self.expand($0, with: words) }
    }

    private static func expand(_ argument: String, with words: ActionWords) -> String {
        // Scalars, not characters: a combining mark behind a brace must not hide it.
        var result = String.UnicodeScalarView()
        var rest = argument.unicodeScalars[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            let inside = rest[open...].dropFirst()
            if let close = inside.prefix(longestPlaceholder + 1).firstIndex(of: "}"),
                let word = words.word(for: Substring(inside[..<close]))
            {
                result += word.unicodeScalars
                rest = inside[close...].dropFirst()
            } else {
                result.append("{")
                rest = inside
            }
        }
        return String(result + rest)
    }

    /// Scalars of `previous`, so that a lone brace costs no search of the whole argument.
    private static let longestPlaceholder = 8
}
