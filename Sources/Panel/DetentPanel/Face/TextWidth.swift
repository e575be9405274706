/// How wide words are when they are engraved in the condensed face of the page, Roboto Condensed.
package enum TextWidth {
    /// The width of a line in millimetres, in bold letters: those of other weights are narrower.
    package static func millimeters(_ text: String, fontSizeMillimeters: Double) -> Double {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) } * fontSizeMillimeters
    }

    /// In sizes of the font; a letter of another script is estimated on the safe side.
    private static func width(of letter: Unicode.Scalar) -> Double {
        switch letter {
        case "\u{20}"..."\u{7E}": Double(hundredths[Int(letter.value) - 0x20]) / 100
        case "\u{C0}"..."\u{DE}": 0.7
        case "\u{A0}"..."\u{FF}": 0.56
        // Letters of other scripts may be as wide as they are high.
        case "\u{1100}"...: 1.1
        case _: 0.75
        }
    }

    /// The widths of the letters from the space to the tilde, in hundredths of the size of the
    /// font.
    private static let hundredths: [UInt8] = [
        23, 26, 32, 54, 51, 64, 58, 17, 32, 32, 45, 49, 25, 36, 29, 35, 51, 51, 51, 51, 51, 51, 51,
        51, 51, 51, 27, 25, 45, 50, 46, 45, 77, 60, 57, 57, 57, 49, 48, 59, 62, 27, 49, 55, 48, 76,
        62, 60, 57, 60, 55, 54, 54, 57, 58, 75, 56, 54, 53, 26, 38, 26, 39, 40, 33, 48, 50, 46, 50,
        48, 33, 50, 49, 25, 25, 48, 25, 75, 49, 50, 50, 50, 33, 46, 31, 49, 45, 64, 45, 45, 45, 30,
        25, 30, 57,
    ]
}
