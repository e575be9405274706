/// Phrases that make a reader stop. Plain words can say the same.
///
/// They are looked for in documents, and in the text literals and `///` comments of Sources.
enum WordingRules {
    /// In lower case, with one space between words.
    static let phrases = [
        "anybody", "be had", "been had", "besides", "everybody", "for ever", "is no key of",
        "is no value of", "nobody", "shall", "so many", "somebody", "stands at", "stands beside",
        "stands elsewhere", "stands for", "stands in for", "stands twice", "takes its time",
        "whoever", "whomever",
    ]

    /// The phrases as lists of words, by their first word.
    private static let patterns = Dictionary(
        grouping: phrases.map { $0.split(separator: " ").map(String.init) }, by: { $0[0] })

    /// Whether a file has sentences of ours. Generated documents follow Sources; decisions are
    /// records.
    static func covers(_ file: SourceFile) -> Bool {
        if file.path.hasSuffix(".swift") { return file.path.hasPrefix("Sources/") }
        guard file.path.hasSuffix(".md"), file.path != "docs/lint.md" else { return false }
        return !file.path.hasPrefix("docs/reference/") && !file.path.hasPrefix("docs/decisions/")
    }

    /// The places where a file has one of the phrases. A phrase may go on in the next line.
    static func violations(_ file: SourceFile) -> [String] {
        let isSwift = file.path.hasSuffix(".swift")
        let words = split(isSwift ? swiftTexts(file) : documentTexts(file))
        var found: [String] = []
        for start in words.indices {
            for pattern in patterns[words[start].text] ?? []
            where words[start...].prefix(pattern.count).map(\.text) == pattern {
                let phrase = pattern.joined(separator: " ")
                found.append("\(file.place(words[start].index)): `\(phrase)`; use plain words")
            }
        }
        return found
    }

    private struct Word {
        /// In lower case; empty between paragraphs.
        var text: String
        /// The line, from 0.
        var index: Int
    }

    private static func split(_ texts: [String]) -> [Word] {
        var words: [Word] = []
        for (index, text) in texts.enumerated() {
            let parts = text.lowercased().split { !$0.isLetter && $0 != "'" }
            if parts.isEmpty { words.append(Word(text: "", index: index)) }
            words += parts.map { Word(text: String($0), index: index) }
        }
        return words
    }

    /// The text of each line of a document, without code, link targets and generated keys.
    private static func documentTexts(_ file: SourceFile) -> [String] {
        var isCode = false
        var isGenerated = false
        var texts: [String] = []
        for line in file.lines {
            let isFence = line.drop { $0 == " " }.hasPrefix("```")
            if isFence { isCode.toggle() }
            if line.hasPrefix("<!-- keys") { isGenerated = true }
            if line.hasPrefix("<!-- end of keys") { isGenerated = false }
            let isSkipped = isFence || isCode || isGenerated || line.hasPrefix("    ")
            texts.append(isSkipped ? "" : prose(line))
        }
        return texts
    }

    /// A line of a document; a word that no phrase has replaces each piece of code.
    private static func prose(_ line: Substring) -> String {
        let pieces = line.split(separator: "`", omittingEmptySubsequences: false)
        let texts = pieces.indices.filter { $0 % 2 == 0 }.map { String(pieces[$0]) }
        let parts = texts.joined(separator: " code ").split(
            separator: "](", omittingEmptySubsequences: false)
        let rest = parts.dropFirst().map { part in part.drop { $0 != ")" } }
        return (parts.prefix(1) + rest).joined(separator: " ")
    }

    /// The `///` comment, or what is between quotes, of each line of a Swift file.
    private static func swiftTexts(_ file: SourceFile) -> [String] {
        zip(file.lines, file.code).map { line, code in
            let start = line.drop { $0 == " " }
            return start.hasPrefix("///") ? String(start.dropFirst(3)) : literals(line, code)
        }
    }

    /// What is between quotes in a line; interpolations count as text, comments do not.
    private static func literals(_ line: Substring, _ code: String) -> String {
        let space = UInt8(ascii: " ")
        let kept = Array(code.utf8)
        let end = (kept.lastIndex { $0 != space } ?? -1) + 1
        let tail = line.utf8.dropFirst(end).drop { $0 == space }
        let isComment = tail.starts(with: "//".utf8)
        let count = isComment ? end : kept.count
        let bytes = zip(line.utf8, kept).prefix(count).map { $1 == space ? $0 : space }
        return String(decoding: bytes, as: UTF8.self)
    }
}
