/// Text from elsewhere, made fit for a log or a terminal.
public enum Plain {
    /// The text in one line, in which a terminal obeys nothing and no letters change their order.
    ///
    /// A control, a line end of any sort or a format character is shown as JSON would escape it,
    /// such as `\u001b`. Takes time in proportion to the text.
    public static func text(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy(isPrintable) { return text }
        var plain = ""
        for scalar in text.unicodeScalars { append(scalar, to: &plain) }
        return plain
    }

    /// The text with its line feeds, and otherwise as `text`; tabs stay as well.
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

    /// The lines of what a program wrote, each made fit by `text`; empty ones are left out.
    ///
    /// Lines end at LF or CR LF. A carriage return elsewhere is shown.
    public static func lines(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return line.isEmpty ? nil : Self.text(String(decoding: line, as: UTF8.self))
        }
    }

    /// Adds a scalar that may be escaped, as UTF-16 in hexadecimal digits.
    static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        guard !isPrintable(scalar) else { return text.unicodeScalars.append(scalar) }
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
