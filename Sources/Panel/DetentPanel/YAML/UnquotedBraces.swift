import DetentTypes

/// Texts such as `sim {value}` that a file has in brackets without quotes. To YAML they end at the
/// brace, and the rest of the file has no meaning.
struct UnquotedBraces {
    /// The file with other signs in place of these braces; all places are the same.
    let source: SourceText
    private let found: [(place: SourcePlace, text: String)]

    /// Characters that no panel file has, in place of the braces.
    private static let open: Unicode.Scalar = "\u{E000}"
    private static let close: Unicode.Scalar = "\u{E001}"

    /// Finds the texts of a file; nil if it has none.
    init?(_ source: SourceText) {
        var found: [(place: SourcePlace, text: String)] = []
        var lines: [String] = []
        let text = String(decoding: source.bytes, as: UTF8.self)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            var scalars = Array(line.unicodeScalars)
            for range in Self.texts(scalars) {
                let place = SourcePlace(
                    line: number + 1, column: range.lowerBound + 1, length: range.count)
                found.append((place, Self.string(scalars[range])))
                for index in range where scalars[index] == "{" { scalars[index] = Self.open }
                for index in range where scalars[index] == "}" { scalars[index] = Self.close }
            }
            lines.append(Self.string(scalars[...]))
        }
        guard !found.isEmpty else { return nil }
        self.found = found
        self.source = SourceText(file: source.file, text: lines.joined(separator: "\n"))
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Where a line has texts without quotes in which a name is in braces.
    private static func texts(_ line: [Unicode.Scalar]) -> [Range<Int>] {
        var texts: [Range<Int>] = []
        var begin = 0
        var quote: Unicode.Scalar?
        var hasName = false
        var place = 0
        func isStart(_ place: Int) -> Bool { line[begin..<place].allSatisfy { $0 == " " } }
        func end(_ place: Int) {
            var range = begin..<place
            while let last = range.last, line[last] == " " { range = range.dropLast() }
            while let first = range.first, line[first] == " " { range = range.dropFirst() }
            // A name in braces that is all of the text is a map to YAML, which is told elsewhere.
            if hasName, line[range.lowerBound] != "{" || line[range.upperBound - 1] != "}" {
                texts.append(range)
            }
            hasName = false
        }
        while place < line.count {
            let sign = line[place]
            if let open = quote {
                if sign == open { quote = nil }
            } else if sign == "\"" || sign == "'", isStart(place) {
                quote = sign
            } else if sign == "#", place == 0 || line[place - 1] == " " {
                break
            } else if sign == "{", let close = name(line, at: place) {
                hasName = true
                place = close
            } else if "{}[],".unicodeScalars.contains(sign)
                || sign == ":" && (place + 1 == line.count || line[place + 1] == " ")
            {
                end(place)
                begin = place + 1
            }
            place += 1
        }
        end(place)
        return texts
    }

    /// The end of a name in braces, such as `{value}`.
    private static func name(_ line: [Unicode.Scalar], at open: Int) -> Int? {
        guard let close = line[open...].firstIndex(of: "}"), close > open + 1 else { return nil }
        let isName = line[open + 1..<close].allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || "-._0123456789".unicodeScalars.contains($0))
        }
        return isName ? close : nil
    }

    /// Adds an error for each of the texts.
    func report(_ log: ProblemLog) {
        for each in found {
            log.error(
                .yamlSyntax, at: each.place, "a text with braces needs quotes",
                help: "write `\"\(quoted(each.text))\"`")
        }
    }

    /// The tree with the braces of the file.
    func restored(_ node: YAMLNode) -> YAMLNode {
        var node = node
        switch node.content {
        case .scalar(let text, let isPlain):
            guard text.unicodeScalars.contains(Self.open) else { return node }
            let scalars = text.unicodeScalars.map {
                $0 == Self.open ? "{" : $0 == Self.close ? "}" : $0
            }
            node.content = .scalar(Self.string(scalars[...]), isPlain: isPlain)
        case .sequence(let items): node.content = .sequence(items.map(restored))
        case .mapping(let entries):
            node.content = .mapping(
                entries.map { YAMLEntry(key: restored($0.key), value: restored($0.value)) })
        }
        return node
    }
}
