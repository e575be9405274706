/// Reads numbers as people, programs and JSON write them, and rounds them.
public enum NearestDecimal {
    /// The number nearest to a text, in units of a decimal place; a half is rounded away from zero.
    /// Reads `-3`, `0.25`, `26.666666666666664` and `1e-05`.
    ///
    /// - Parameters:
    ///   - text: ASCII, without blanks.
    ///   - decimals: 2 for units of a hundredth.
    /// - Returns: nil if the text is no number, or one with more than 17 digits as a whole number
    ///   of units.
    public static func units(_ text: some Collection<UInt8>, decimals: Int) -> Int64? {
        var rest = Array(text)[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let whole = takeDigits(&rest)
        var digits = whole
        guard !whole.isEmpty else { return nil }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let fraction = takeDigits(&rest)
            guard !fraction.isEmpty else { return nil }
            digits += fraction
        }
        guard let exponent = takeExponent(&rest), rest.isEmpty else { return nil }
        // How many of the digits are whole units.
        let count = whole.count + exponent + decimals
        var units: Int64 = 0
        if !digits.allSatisfy({ $0 == 0 }) {
            for place in 0..<max(count, 0) {
                guard units < 10_000_000_000_000_000 else { return nil }
                units = 10 * units + (place < digits.count ? digits[place] : 0)
            }
        }
        if digits.indices.contains(count), digits[count] >= 5 { units += 1 }
        return isNegative ? -units : units
    }

    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> [Int64] {
        var digits: [Int64] = []
        while let byte = rest.first, byte >= 0x30, byte <= 0x39 {
            digits.append(Int64(byte) - 0x30)
            rest = rest.dropFirst()
        }
        return digits
    }

    /// 0 if there is none; nil for one of more than three digits.
    private static func takeExponent(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") else { return 0 }
        rest = rest.dropFirst()
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let digits = takeDigits(&rest)
        guard !digits.isEmpty, digits.count <= 3 else { return nil }
        let exponent = Int(digits.reduce(0) { 10 * $0 + $1 })
        return isNegative ? -exponent : exponent
    }
}
