import DetentPanel

/// The letters of small displays, drawn for 5 × 7 dots.
enum DisplayFont {
    /// Dots of a letter from side to side.
    static let width = 5
    /// Dots of a letter from top to bottom.
    static let height = 7

    /// The rows of a letter from the top; the leftmost dot is the bit of 16. A letter without a
    /// form is a question mark.
    static func rows(_ letter: Character) -> ArraySlice<UInt8> {
        var place = 31
        if let code = letter.asciiValue, (32..<127).contains(code) {
            place = Int(code) - 32
        } else if let sign = DisplayLetters.signs.firstIndex(of: letter) {
            place = 95 + sign
        }
        return dots[place * height..<(place + 1) * height]
    }

    /// ASCII from the space on, and then `DisplayLetters.signs`.
    private static let dots: [UInt8] = forms.split(whereSeparator: \.isWhitespace).map {
        UInt8($0, radix: 16) ?? 0
    }

    private static let forms = """
        00 00 00 00 00 00 00  04 04 04 04 04 00 04  0A 0A 0A 00 00 00 00  0A 0A 1F 0A 1F 0A 0A
        04 0F 14 0E 05 1E 04  19 1A 02 04 08 0B 13  08 14 14 08 15 12 0D  04 04 04 00 00 00 00
        02 04 08 08 08 04 02  08 04 02 02 02 04 08  00 15 0E 1F 0E 15 00  00 04 04 1F 04 04 00
        00 00 00 00 04 04 08  00 00 00 1F 00 00 00  00 00 00 00 00 00 04  01 01 02 04 08 10 10
        0E 11 11 15 11 11 0E  04 0C 14 04 04 04 1F  0E 11 01 06 08 10 1F  1E 01 01 0E 01 01 1E
        11 11 11 1F 01 01 01  1F 10 10 1E 01 01 1E  0E 10 10 1E 11 11 0E  1F 01 01 02 04 04 04
        0E 11 11 0E 11 11 0E  0E 11 11 0F 01 01 0E  00 04 00 00 00 04 00  00 04 00 00 04 04 08
        02 04 08 10 08 04 02  00 00 1F 00 1F 00 00  08 04 02 01 02 04 08  0E 11 01 06 04 00 04
        0E 11 17 15 17 10 0F  0E 11 11 1F 11 11 11  1E 11 11 1E 11 11 1E  0F 10 10 10 10 10 0F
        1E 11 11 11 11 11 1E  1F 10 10 1E 10 10 1F  1F 10 10 1E 10 10 10  0F 10 10 13 11 11 0F
        11 11 11 1F 11 11 11  0E 04 04 04 04 04 0E  01 01 01 01 01 11 0E  11 12 14 18 14 12 11
        10 10 10 10 10 10 1F  11 1B 15 15 11 11 11  11 19 19 15 13 13 11  0E 11 11 11 11 11 0E
        1E 11 11 1E 10 10 10  0E 11 11 11 15 13 0F  1E 11 11 1E 14 12 11  0F 10 10 0E 01 01 1E
        1F 04 04 04 04 04 04  11 11 11 11 11 11 0E  11 11 11 11 0A 0A 04  11 11 11 15 15 1B 11
        11 11 0A 04 0A 11 11  11 11 0A 04 04 04 04  1F 01 02 04 08 10 1F  0E 08 08 08 08 08 0E
        10 10 08 04 02 01 01  0E 02 02 02 02 02 0E  04 0A 11 00 00 00 00  00 00 00 00 00 00 1F
        08 04 00 00 00 00 00  00 00 1E 01 0F 11 0F  10 10 1E 11 11 11 1E  00 00 0F 10 10 10 0F
        01 01 0F 11 11 11 0F  00 00 0E 11 1F 10 0F  07 08 08 1E 08 08 08  00 00 0F 11 0F 01 1E
        10 10 1E 11 11 11 11  04 00 0C 04 04 04 06  02 00 06 02 02 02 0C  10 10 11 12 1C 12 11
        0C 04 04 04 04 04 06  00 00 1E 15 15 15 15  00 00 1E 11 11 11 11  00 00 0E 11 11 11 0E
        00 00 1E 11 1E 10 10  00 00 0F 11 0F 01 01  00 00 17 18 10 10 10  00 00 0F 10 0E 01 1E
        08 08 1E 08 08 08 06  00 00 11 11 11 11 0F  00 00 11 11 0A 0A 04  00 00 11 15 15 15 0A
        00 00 11 0A 04 0A 11  00 00 11 11 0F 01 1E  00 00 1F 02 04 08 1F  03 04 04 18 04 04 03
        04 04 04 04 04 04 04  18 04 04 03 04 04 18  00 00 08 15 02 00 00  00 00 00 00 00 00 15
        06 09 09 06 00 00 00  00 00 11 11 11 1E 10  0E 11 11 11 0A 0A 1B  04 04 1F 04 04 00 1F
        """
}
