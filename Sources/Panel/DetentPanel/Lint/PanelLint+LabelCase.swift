extension Rule {
    /// A label is in title case: words begin with a capital, except short ones such as `of`.
    static let labelTitleCase = Rule(
        "label-title-case", .warning,
        "A label is in title case: words begin with a capital, except short ones such as `of`. "
            + "Consistent labels make the panel easier to read. Words with a capital or a digit "
            + "inside and units are left as they are.")
}

extension PanelLint {
    /// Warns of an English label with a word that should begin with a capital.
    func checkLabelCase(_ control: YAMLNode) {
        guard let label = control["label"], let text = label.text,
            let better = TitleCase.corrected(text)
        else { return }
        log.warning(
            .labelTitleCase, at: label.place, "the label is not in title case",
            help: "write `\(quoted(better))`")
    }
}

/// Title case, as in English headings.
enum TitleCase {
    /// The text in title case; nil if it is in title case already, or is not certainly English.
    static func corrected(_ text: String) -> String? {
        // Other languages have other rules.
        guard text.unicodeScalars.allSatisfy({ $0.isASCII || !$0.properties.isAlphabetic }) else {
            return nil
        }
        var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.contains(where: { smallWords.contains($0.lowercased()) }) else { return nil }
        let ends = [words.firstIndex { !$0.isEmpty }, words.lastIndex { !$0.isEmpty }]
        var isMended = false
        for index in words.indices {
            let isEnd = ends.contains(index)
            let before = index > 0 ? words[index - 1] : ""
            guard mustBegin(words[index], isEnd: isEnd, after: before) else { continue }
            guard let letter = words[index].firstIndex(where: \.isLetter) else { continue }
            words[index].replaceSubrange(
                letter...letter, with: words[index][letter].uppercased())
            isMended = true
        }
        return isMended ? words.joined(separator: " ") : nil
    }

    /// Whether a word begins with a small letter and should not.
    private static func mustBegin(_ word: String, isEnd: Bool, after before: String) -> Bool {
        let core = word.drop { !$0.isLetter && !$0.isNumber }
        guard let first = core.first, first.isLowercase else { return false }
        let letters = core.prefix { $0.isLetter || $0 == "'" || $0 == "-" }
        let rest = core.dropFirst(letters.count)
        // A capital or a digit inside, a slash or a dot: kHz, x2, m/s, psu.local.
        guard letters.allSatisfy({ !$0.isUppercase }), rest.allSatisfy(\.isPunctuation),
            !rest.contains("/"), !rest.dropLast().contains(".")
        else { return false }
        // A name, such as the x axis, or a small word of another language.
        guard letters.count > 3 else { return false }
        if units.contains(String(letters)) { return false }
        let isMeasure =
            before.last?.isNumber == true || word.hasPrefix("(") || before == "in"
            || before == "per"
        if isMeasure, unitsThatAreWords.contains(String(letters)) { return false }
        return isEnd || !smallWords.contains(String(letters))
    }

    private static let smallWords: Set = [
        "an", "and", "as", "at", "but", "by", "for", "from", "if", "in", "into", "nor", "of",
        "off", "on", "onto", "or", "out", "over", "per", "so", "than", "the", "to", "up", "via",
        "vs", "with", "yet",
    ]

    /// Units without a capital that are not words.
    private static let units: Set = [
        "cm", "dpi", "fps", "hr", "kg", "km", "kmh", "kph", "lb", "lm", "lx", "mg", "ml", "mm",
        "mph", "ms", "ns", "oz", "ppm", "psi", "rpm",
    ]

    /// Units that are words too. They are units after a number, in brackets, or after `in`.
    private static let unitsThatAreWords: Set = [
        "bar", "cd", "deg", "ft", "in", "min", "mol", "rad", "sec", "us",
    ]
}
