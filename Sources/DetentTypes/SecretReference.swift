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
            var result = ""
            var rest = text[...]
            while let open = rest.range(of: "${"),
                let end = rest[open.upperBound...].firstIndex(of: "}")
            {
                result += rest[..<open.lowerBound]
                result += try word(rest[open.upperBound..<end])
                rest = rest[rest.index(after: end)...]
            }
            return result + rest
        }
    }

    extension Substring {
        /// Where a text of two characters begins and ends.
        fileprivate func range(of pair: String) -> Range<Index>? {
            var place = startIndex
            while place < endIndex {
                let next = index(after: place)
                if self[place...].hasPrefix(pair) { return place..<index(place, offsetBy: 2) }
                place = next
            }
            return nil
        }
    }
#endif
