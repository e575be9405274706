/// How wide words are when they are engraved in a plain face without serifs.
enum TextWidth {
    /// The width of a line in millimetres: an estimate on the safe side, as no font is asked.
    static func millimeters(_ text: String, fontSizeMillimeters: Double) -> Double {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) } * fontSizeMillimeters
    }

    /// In sizes of the font. The values are those of Helvetica's letters, rounded up by class.
    private static func width(of letter: Unicode.Scalar) -> Double {
        switch letter {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!": 0.3
        case " ", "f", "t", "r", "(", ")", "-", "/", "1": 0.4
        case "m", "w", "M", "W", "@", "%": 0.95
        case "A"..."Z": 0.75
        case "\u{20}"..."\u{7E}": 0.6
        // Letters of other scripts may be as wide as they are high.
        case "\u{1100}"...: 1.1
        case _: 0.75
        }
    }

    /// Breaks words into at most `count` lines of at most `width` millimetres; what does not fit is
    /// on the last line, which may be wider.
    ///
    /// Where a line is wider than `most`, the text has as many lines of at most `width` as it
    /// needs, and a word that is wider is broken too.
    static func lines(
        _ text: String, width: Double, most: Double, fontSizeMillimeters: Double, count: Int
    ) -> [String] {
        let length = { (line: String) in
            millimeters(line, fontSizeMillimeters: fontSizeMillimeters)
        }
        let usual = lines(
            text, width: width, fontSizeMillimeters: fontSizeMillimeters, count: count)
        if usual.allSatisfy({ length($0) <= most }) { return usual }
        var pieces: [String] = []
        for word in text.split(separator: " ") {
            var piece = ""
            for letter in word {
                if !piece.isEmpty, length(piece + String(letter)) > width {
                    pieces.append(piece)
                    piece = ""
                }
                piece.append(letter)
            }
            pieces.append(piece)
        }
        return lines(
            pieces.joined(separator: " "), width: width, fontSizeMillimeters: fontSizeMillimeters,
            count: .max)
    }

    private static func lines(
        _ text: String, width: Double, fontSizeMillimeters: Double, count: Int
    ) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let longer = lines.last.map { "\($0) \(word)" }
            if let longer,
                lines.count == count
                    || millimeters(longer, fontSizeMillimeters: fontSizeMillimeters) <= width
            {
                lines[lines.count - 1] = longer
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
