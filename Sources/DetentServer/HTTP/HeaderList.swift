/// Reads headers whose value is a list, such as `Accept-Encoding: br;q=1, gzip;q=0.8`.
///
/// Total: every text gives some items. Empty items count as nothing, as RFC 9110, 5.6.1 asks of a
/// recipient; a comma or a semicolon within quotes separates nothing. These headers are older than
/// structured fields (RFC 9651), whose parser would refuse `100-continue`.
enum HeaderList {
    /// One item of a list.
    struct Item: Equatable {
        /// The word before all parameters, in lower case.
        var word: String
        /// Whether its weight is zero: `gzip;q=0` asks not to get gzip.
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

    /// What stands between separators, outside of quotes; at least one piece.
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
