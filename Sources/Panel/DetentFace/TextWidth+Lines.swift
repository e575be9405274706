import DetentPanel

extension TextWidth {
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
        let wrapped = balanced(
            lines(text, width: width, fontSizeMillimeters: fontSizeMillimeters, count: count),
            length)
        if wrapped.allSatisfy({ length($0) <= most }) { return wrapped }
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

    /// Two lines that are as alike as their words allow: no number stands alone below its name.
    private static func balanced(_ lines: [String], _ length: (String) -> Double) -> [String] {
        guard lines.count == 2 else { return lines }
        let words = lines.joined(separator: " ").split(separator: " ")
        let choices = (1..<words.count).map { first in
            [words[..<first], words[first...]].map { $0.joined(separator: " ") }
        }
        return choices.map { (lines: $0, width: $0.map(length).max() ?? 0) }
            .min { $0.width < $1.width }?.lines ?? lines
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
