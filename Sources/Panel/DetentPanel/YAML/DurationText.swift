public import DetentTypes

/// Reads durations with their units: `150us`, `20ms`, `1.5s`, `10min`, `2h`.
public enum DurationText {
    /// Why a text is not a duration.
    public enum Failure: Error, Equatable, Sendable {
        /// A number without a unit.
        case noUnit
        /// There is no such unit.
        case unknownUnit(String)
        /// Not a number with a unit at all.
        case malformed
        case negative
        /// Not a whole number of nanoseconds.
        case tooFine
        /// More than 584 years.
        case tooLong
    }

    /// The units and their nanoseconds.
    public static let units: [(name: String, nanoseconds: UInt64)] = [
        ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
        ("min", 60_000_000_000), ("h", 3_600_000_000_000),
    ]

    /// Reads one duration; the text must not contain anything else.
    public static func parse(_ text: String) throws(Failure) -> TimeSpan {
        let isNumeric = { (character: Character) in
            ("0"..."9").contains(character) || character == "." || character == "-"
        }
        let number = text.prefix(while: isNumeric)
        guard !number.isEmpty, number != "-", number != "." else { throw .malformed }
        let unitName = String(text.dropFirst(number.count))
        guard let decimal = DecimalNumber(String(number)) else { throw .malformed }
        guard !unitName.isEmpty else { throw .noUnit }
        guard let unit = units.first(where: { $0.name == unitName }) else {
            throw .unknownUnit(unitName)
        }
        guard decimal.digits >= 0, !number.hasPrefix("-") else { throw .negative }
        let product = UInt64(decimal.digits).multipliedFullWidth(by: unit.nanoseconds)
        var divisor: UInt64 = 1
        for _ in 0..<decimal.decimals { divisor *= 10 }
        guard product.high < divisor else { throw .tooLong }
        let (nanoseconds, rest) = divisor.dividingFullWidth(product)
        guard rest == 0 else { throw .tooFine }
        return TimeSpan(nanoseconds: nanoseconds)
    }

    /// A moment in exact seconds: `12.000000001s`.
    public static func seconds(_ span: TimeSpan) -> String {
        let second: UInt64 = 1_000_000_000
        var digits = String(span.nanoseconds % second + second).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        let whole = String(span.nanoseconds / second)
        return digits.isEmpty ? whole + "s" : whole + "." + digits + "s"
    }

    /// A duration as a whole number of the largest possible unit.
    public static func text(_ span: TimeSpan) -> String {
        guard span != .zero else { return "0ms" }
        for unit in units.reversed() where span.nanoseconds % unit.nanoseconds == 0 {
            return "\(span.nanoseconds / unit.nanoseconds)\(unit.name)"
        }
        return "\(span.nanoseconds)ns"
    }
}
