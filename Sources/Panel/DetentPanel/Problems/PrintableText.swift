/// Makes text from outside safe for a log or a terminal.
public enum PrintableText {
    /// The text in one line, without characters that control a terminal or change the order of
    /// letters.
    ///
    /// A control character, a line end or a format character is escaped as in JSON, such as
    /// `\u001b`. Takes time in proportion to the text.
    public static func text(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy(isPrintable) { return text }
        var plain = ""
        for scalar in text.unicodeScalars { append(scalar, to: &plain) }
        return plain
    }

    /// The same, but line feeds and tabs are kept.
    public static func message(_ text: String) -> String {
        func isFit(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "\n" || scalar == "\t" || isPrintable(scalar)
        }
        if text.unicodeScalars.allSatisfy(isFit) { return text }
        var plain = ""
        for scalar in text.unicodeScalars {
            if isFit(scalar) {
                plain.unicodeScalars.append(scalar)
            } else {
                append(scalar, to: &plain)
            }
        }
        return plain
    }

    /// The lines that a program wrote, each as `text` makes it; empty lines are left out.
    ///
    /// Lines end at LF or CR LF. Any other carriage return is escaped.
    public static func lines(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return line.isEmpty ? nil : Self.text(String(decoding: line, as: UTF8.self))
        }
    }

    /// Adds a scalar; escapes it, as UTF-16 in hexadecimal digits, if it is not printable.
    static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        guard !isPrintable(scalar) else { return text.unicodeScalars.append(scalar) }
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
