/// The unit of times in a VCD file.
struct VCDTimescale: Equatable {
    /// Femtoseconds of one unit: a power of ten up to 100 s.
    private var femtoseconds: UInt64

    /// 1 ns, if the file does not contain a timescale.
    static var nanosecond: VCDTimescale { VCDTimescale(femtoseconds: 1_000_000) }

    private init(femtoseconds: UInt64) {
        self.femtoseconds = femtoseconds
    }

    /// Reads `10us`, without spaces; nil if invalid.
    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let factor: UInt64? =
            switch text[digits.endIndex...] {
            case "s": 1_000_000_000_000_000
            case "ms": 1_000_000_000_000
            case "us": 1_000_000_000
            case "ns": 1_000_000
            case "ps": 1_000
            case "fs": 1
            default: nil
            }
        guard let factor, let count = UInt64(digits), [1, 10, 100].contains(count) else {
            return nil
        }
        femtoseconds = factor * count
    }

    /// A number of units in whole nanoseconds, rounded down; nil if too large.
    func nanoseconds(_ units: UInt64) -> UInt64? {
        let product = units.multipliedFullWidth(by: femtoseconds)
        if product.high >= 1_000_000 { return nil }
        return UInt64(1_000_000).dividingFullWidth(product).quotient
    }
}
