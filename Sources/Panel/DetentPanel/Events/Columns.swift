/// Text in the columns of a terminal.
public enum Columns {
    /// The width of a text in columns of a terminal.
    ///
    /// East Asian letters and emoji have two columns, combining marks none. Some terminals differ
    /// in rare cases.
    public static func count(_ text: String) -> Int { text.reduce(0) { $0 + count($1) } }

    /// The text cut or padded to a width in columns; a cut text ends in `…`.
    public static func fit(_ text: String, _ width: Int) -> String {
        let columns = count(text)
        if columns <= width { return text + String(repeating: " ", count: width - columns) }
        guard width > 0 else { return "" }
        var fitting = ""
        var used = 0
        for letter in text {
            let its = count(letter)
            if used + its > width - 1 { break }
            fitting.append(letter)
            used += its
        }
        return fitting + "…" + String(repeating: " ", count: width - 1 - used)
    }

    private static func count(_ letter: Character) -> Int {
        guard let first = letter.unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        case _:
            switch first.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: return 0
            case _: return 1
            }
        }
    }
}
