#if !hasFeature(Embedded)
    /// The name of a secret in a text: `${env:NAME}` or `${file:/path}`.
    public enum SecretReference: Equatable, Sendable {
        /// A variable of the environment.
        case variable(String)
        /// The contents of a file, without line feeds at their end.
        case file(String)

        /// Reads what is between `${` and `}`; nil if it names no secret.
        public init?(_ text: Substring) {
            if text.hasPrefix("env:") {
                let name = text.dropFirst(4)
                guard !name.isEmpty,
                    name.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") })
                else { return nil }
                self = .variable(String(name))
            } else if text.hasPrefix("file:/"), !text.utf8.contains(0) {
                self = .file(String(text.dropFirst(5)))
            } else {
                return nil
            }
        }

        /// The references of a text that name no secret, as they are written.
        public static func unreadable(in text: String) -> [String] {
            var wrong: [String] = []
            _ = replaced(in: text) { inside in
                if SecretReference(inside) == nil { wrong.append("${\(inside)}") }
                return ""
            }
            return wrong
        }

        /// A text with its references replaced; `word` gets what is between `${` and `}`. A `${`
        /// without an end stays. Takes time in proportion to the length of both texts.
        public static func replaced<Failure: Error>(
            in text: String, by word: (Substring) throws(Failure) -> String
        ) throws(Failure) -> String {
            // Bytes, not characters: a combining mark after a brace must not hide it.
            guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
            var result = ""
            var rest = text[...]
            while let (open, start) = rest.opening,
                let end = rest.utf8[start...].firstIndex(of: UInt8(ascii: "}"))
            {
                result += String(rest[..<open])
                result += try word(rest[start..<end])
                rest = rest[rest.utf8.index(after: end)...]
            }
            return result + String(rest)
        }
    }

    extension Substring {
        /// Where the first `${` begins, and what is after it.
        fileprivate var opening: (Index, Index)? {
            var from = startIndex
            while let dollar = utf8[from...].firstIndex(of: UInt8(ascii: "$")) {
                let brace = utf8.index(after: dollar)
                if brace < endIndex, utf8[brace] == UInt8(ascii: "{") {
                    return (dollar, utf8.index(after: brace))
                }
                from = brace
            }
            return nil
        }
    }
#endif
