import DetentPanel

/// The bytes for the kernel's device of a character display, such as `/dev/lcd`.
///
/// Rows are overwritten in place and padded with blanks, so that nothing flickers. The commands are
/// those of `drivers/auxdisplay/charlcd.c`.
struct CharacterScreen {
    let columns: Int

    /// The letters that the display gets from us. The tables of its controllers differ in all that
    /// is not ASCII, and some have other signs for two letters of ASCII.
    private static let own: [Character] = DisplayLetters.signs + ["\\", "~"]

    /// Ends what an earlier program left unfinished, shows the display without a cursor, and sends
    /// the letters of our own.
    static var opening: [UInt8] {
        var text = "\n\u{1B}[LD\u{1B}[Lc\u{1B}[Lb\u{1B}[L+"
        for (place, letter) in own.enumerated() {
            let rows = DisplayFont.rows(letter) + [0]
            let digits = rows.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            text += "\u{1B}[LG\(place)\(digits.joined());"
        }
        return Array(text.utf8)
    }

    /// One row.
    func row(_ row: Int, _ text: String) -> [UInt8] {
        var bytes = Array("\u{1B}[Lx0y\(row);".utf8)
        for letter in text.prefix(columns) {
            if let place = Self.own.firstIndex(of: letter) {
                bytes.append(UInt8(place))
            } else {
                bytes.append(letter.asciiValue ?? UInt8(ascii: "?"))
            }
        }
        let blanks = max(0, columns - text.count)
        return bytes + Array(repeating: UInt8(ascii: " "), count: blanks)
    }
}
