/// Reads lengths with their unit: `40mm`.
enum LengthText {
    /// Millimetres; nil if the text is not a length with at most one decimal.
    static func millimeters(_ text: String) -> Double? {
        guard text.hasSuffix("mm"), let tenths = tenths(String(text.dropLast(2))) else {
            return nil
        }
        return Double(tenths) / 10
    }

    /// A number in tenths; nil if the text is not a number with at most one decimal.
    fileprivate static func tenths(_ text: String) -> Int64? {
        DecimalNumber(text)?.units(decimals: 1)
    }
}

extension YAMLNode {
    /// The length in millimetres; nil with a problem in the log.
    func millimeters(in range: ClosedRange<Int>, _ log: ProblemLog, _ name: String) -> Double? {
        guard let text = text(log, name) else { return nil }
        guard let length = LengthText.millimeters(text) else {
            let isBare = LengthText.tenths(text) != nil
            log.error(
                .invalidNumber, at: place,
                "`\(quoted(name))`: `\(quoted(text))` "
                    + (isBare ? "has no unit" : "is not a length in millimetres"),
                help: isBare ? "write `\(quoted(text))mm`" : "write for example `40mm` or `2.5mm`")
            return nil
        }
        guard Double(range.lowerBound)...Double(range.upperBound) ~= length else {
            log.error(
                .outOfRange, at: place, "`\(quoted(name))` is \(quoted(text))",
                help: "allowed: \(range.lowerBound)mm to \(range.upperBound)mm")
            return nil
        }
        return length
    }
}
