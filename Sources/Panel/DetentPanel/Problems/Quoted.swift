/// A quotation from a file for a message: cut, in one line, without control characters.
public func quoted(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(Limits.quotedCharacters) {
        result.append(isPrintable(scalar) ? scalar : "\u{FFFD}")
    }
    let isCut = text.unicodeScalars.count > Limits.quotedCharacters
    return String(result) + (isCut ? "…" : "")
}

/// Whether a character is visible and does not control the terminal.
func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value >= 0x20 }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
    default: true
    }
}
