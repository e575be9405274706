/// An exact decimal number: `digits` divided by ten to the power of `decimals`.
public struct DecimalNumber: Equatable, Sendable {
    /// All digits as one integer.
    public var digits: Int64
    /// How many of them are after the point, at most 12.
    public var decimals: Int

    /// Reads `12`, `-3` or `0.25`; nil for anything else, and for more than 18 digits.
    public init?(_ text: String) {
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if isNegative { rest = rest.dropFirst() }
        let parts = rest.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
            return nil
        }
        let all = parts.joined()
        guard all.count <= 18, all.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let magnitude = Int64(all)
        else { return nil }
        let decimals = parts.dropFirst().first?.count ?? 0
        guard decimals <= 12 else { return nil }
        self.digits = isNegative ? -magnitude : magnitude
        self.decimals = decimals
    }

    /// The number in units of a decimal place; nil if it has finer digits or does not fit.
    public func units(decimals wanted: Int) -> Int64? {
        var digits = digits
        var decimals = decimals
        while decimals > wanted {
            guard digits % 10 == 0 else { return nil }
            digits /= 10
            decimals -= 1
        }
        while decimals < wanted {
            let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            digits = product
            decimals += 1
        }
        return digits
    }

    /// Writes a number of units of the last decimal, such as 150 with 2 decimals as `1.50`.
    public static func text(units: Int64, decimals: Int) -> String {
        guard decimals > 0 else { return String(units) }
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let point = padded.count - decimals
        return (units < 0 ? "-" : "") + padded.prefix(point) + "." + padded.suffix(decimals)
    }
}
