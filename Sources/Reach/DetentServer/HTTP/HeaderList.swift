/// Reads headers whose value is a list, such as `Accept-Encoding: br;q=1, gzip;q=0.8`.
///
/// It accepts every text. Empty items are ignored (RFC 9110, 5.6.1), and commas and semicolons
/// within quotes do not separate. These headers are older than structured fields (RFC 9651), whose
/// parser would reject `100-continue`.
enum HeaderList {
    /// One item of a list.
    struct Item: Equatable {
        /// The word before the parameters, in lower case.
        var word: String
        /// Whether its weight is zero: `gzip;q=0` rejects gzip.
        var isRefused: Bool
    }

    /// The items of a value in their order.
    static func items(_ value: String) -> [Item] {
        pieces(value.utf8[...], at: UInt8(ascii: ",")).compactMap(item)
    }

    private static func item(_ text: Substring.UTF8View) -> Item? {
        let parts = pieces(text, at: UInt8(ascii: ";")).map(trimmed)
        guard let word = parts.first, !word.isEmpty else { return nil }
        return Item(word: word.lowercased(), isRefused: parts.dropFirst().contains(where: isZero))
    }

    /// Whether a parameter is a weight of zero: `q=0`, `Q=0.000`.
    private static func isZero(_ parameter: String) -> Bool {
        let text = parameter.lowercased()
        return text.hasPrefix("q=0") && text.dropFirst(3).allSatisfy { $0 == "." || $0 == "0" }
    }

    /// The pieces between separators outside quotes; at least one.
    private static func pieces(
        _ text: Substring.UTF8View, at separator: UInt8
    ) -> [Substring.UTF8View] {
        var pieces: [Substring.UTF8View] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for place in text.indices {
            let byte = text[place]
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isQuoted
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                pieces.append(text[start..<place])
                start = text.index(after: place)
            }
        }
        pieces.append(text[start...])
        return pieces
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        var rest = text
        while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        return String(Substring(rest))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
