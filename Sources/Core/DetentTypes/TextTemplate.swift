#if !hasFeature(Embedded)
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
        /// Replaces `{group}`: the name of the control's group; empty if it has none.
        public var group: String
        /// Replaces `{steps}`; empty where nothing was turned.
        public var steps: String
        /// Replace the names of other controls, in the order in which the template knows them.
        public var others: [String]

        /// Takes the words.
        public init(
            value: String, previous: String, control: String, origin: String, group: String = "",
            steps: String = "", others: [String] = []
        ) {
            self.value = value
            self.previous = previous
            self.control = control
            self.origin = origin
            self.group = group
            self.steps = steps
            self.others = others
        }

        /// The variables `DETENT_VALUE`, `DETENT_PREVIOUS`, `DETENT_CONTROL` and `DETENT_ORIGIN`,
        /// and `DETENT_STEPS` where something was turned.
        public var environment: [(name: String, value: String)] {
            let always = [
                ("DETENT_VALUE", value), ("DETENT_PREVIOUS", previous), ("DETENT_CONTROL", control),
                ("DETENT_ORIGIN", origin),
            ]
            return always + (steps.isEmpty ? [] : [("DETENT_STEPS", steps)])
        }

        /// An id as other programs name their variables: `pump-1` is `PUMP_1`.
        public static func inCapitals(_ id: String) -> String {
            let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
            let bytes = id.utf8.map { byte in
                byte == UInt8(ascii: "-")
                    ? UInt8(ascii: "_") : letters.contains(byte) ? byte - 0x20 : byte
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        fileprivate func word(for placeholder: Placeholder) -> String {
            switch placeholder {
            case .value: value
            case .previous: previous
            case .control: control
            case .controlInCapitals: Self.inCapitals(control)
            case .group: group
            case .origin: origin
            case .steps: steps
            case .other(let place): others.indices.contains(place) ? others[place] : ""
            }
        }
    }

    /// A name in braces that a word replaces.
    private enum Placeholder: Equatable {
        case value, previous, control, controlInCapitals, group, origin, steps
        /// The value of another control, by its place among the names that the template knows.
        case other(Int)

        /// The names that mean the same in every text.
        static let fixed: [(name: String, placeholder: Placeholder)] = [
            ("value", .value), ("previous", .previous), ("control", .control),
            ("CONTROL", .controlInCapitals), ("group", .group), ("origin", .origin),
            ("steps", .steps),
        ]
    }

    /// A text with placeholders such as `{value}`, which is read once and filled in often. Each
    /// word of `ActionWords` has one.
    ///
    /// Only these and the names of controls that it is told of are replaced. Other braces do not
    /// change, and a placeholder inside a word is not replaced. A word is encoded by the rules of
    /// the language around it.
    public struct TextTemplate: Equatable, Sendable {
        /// The language of a text, whose rules a word must obey.
        public enum Language: Equatable, Sendable {
            /// None: words are put in as they are.
            case plain
            /// An address of the web: all but letters, digits and `-._~` is encoded.
            case address
            /// JSON, if the text begins as JSON does; a word within quotation marks is encoded.
            case json
        }

        private enum Part: Equatable {
            case text(String)
            case placeholder(Placeholder, Language)
        }

        private let parts: [Part]

        /// The names of placeholders that mean the same in every text.
        public static let fixedNames = Placeholder.fixed.map(\.name)

        /// Reads a text as the panel file has it; takes time in proportion to its length.
        ///
        /// - Parameter others: names of the values of other controls, such as `axis.shown`.
        public init(_ text: String, in language: Language = .plain, others: [String] = []) {
            let language = language == .json && !Self.beginsAsJSON(text) ? .plain : language
            // Bytes, not characters: a combining mark after a brace must not hide it.
            var parts: [Part] = []
            var literal = ""
            var rest = text.utf8[...]
            func end() {
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = ""
            }
            // Bytes of the longest name, so that a lone brace costs no search of the whole text.
            let longest = others.reduce(8) { max($0, $1.utf8.count) }
            while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
                let inside = rest[open...].dropFirst()
                if let close = inside.prefix(longest + 1).firstIndex(of: UInt8(ascii: "}")),
                    let placeholder = Self.placeholder(
                        String(Substring(inside[..<close])), after: text.utf8[..<open], others)
                {
                    literal += String(Substring(rest[..<open]))
                    end()
                    let before = text.utf8[..<open]
                    let isEncoded = language != .json || Self.endsInString(before)
                    parts.append(.placeholder(placeholder, isEncoded ? language : .plain))
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

        private static func placeholder(
            _ name: String, after text: some BidirectionalCollection<UInt8>, _ others: [String]
        ) -> Placeholder? {
            if let known = Placeholder.fixed.first(where: { $0.name == name }) {
                return known.placeholder
            }
            // `${name}` is a variable of a shell.
            guard text.last != UInt8(ascii: "$") else { return nil }
            return others.firstIndex(of: name).map { .other($0) }
        }

        /// The names in braces of a text that can be those of other controls, in their order.
        public static func names(in text: String) -> [String] {
            var names: [String] = []
            var before: UInt8?
            var rest = text.utf8[...]
            while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
                if open > rest.startIndex { before = rest[rest.index(before: open)] }
                let inside = rest[open...].dropFirst()
                let name = inside.prefix(while: Self.isOfName)
                if before != UInt8(ascii: "$"), inside[name.endIndex...].first == UInt8(ascii: "}"),
                    let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
                {
                    names.append(String(Substring(name)))
                }
                before = UInt8(ascii: "{")
                rest = inside
            }
            return names.filter { !fixedNames.contains($0) }
        }

        private static func isOfName(_ byte: UInt8) -> Bool {
            byte.isASCIIAlphanumeric || "-._".utf8.contains(byte)
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
            case .placeholder(let placeholder, .plain): words.word(for: placeholder)
            case .placeholder(let placeholder, .address):
                words.word(for: placeholder).percentEncoded(except: "-._~")
            case .placeholder(let placeholder, .json): escaped(words.word(for: placeholder))
            }
        }

        /// Whether a text begins as an object, a list or a text of JSON; `{value}` is none of them.
        public static func beginsAsJSON(_ text: String) -> Bool {
            let first = text.utf8.drop { $0 <= 0x20 }
            switch first.first {
            case UInt8(ascii: "["), UInt8(ascii: "\""): return true
            case UInt8(ascii: "{"):
                let next = first.dropFirst().drop { $0 <= 0x20 }.first
                return next == UInt8(ascii: "\"") || next == UInt8(ascii: "}")
            case nil, .some: return false
            }
        }

        /// Whether the end of a part of a text is within quotation marks.
        private static func endsInString(_ part: some Collection<UInt8>) -> Bool {
            var isInside = false
            var isEscaped = false
            for byte in part {
                if isEscaped {
                    isEscaped = false
                } else if isInside, byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInside.toggle()
                }
            }
            return isInside
        }

        /// A word for a text of JSON (RFC 8259, 7).
        private static func escaped(_ word: String) -> String {
            var text = String.UnicodeScalarView()
            for scalar in word.unicodeScalars {
                if scalar == "\"" || scalar == "\\" {
                    text.append("\\")
                    text.append(scalar)
                } else if scalar.value < 0x20 {
                    let digits = String(scalar.value, radix: 16)
                    text.append(
                        contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
                            .unicodeScalars)
                } else {
                    text.append(scalar)
                }
            }
            return String(text)
        }
    }
#endif
