/// How strong an active output is that has levels, such as the brightness of a lit lamp.
public struct Strength: Equatable, Sendable, BitwiseCopyable {
    /// In ten-thousandths of the full strength, 0 to 10,000.
    public let tenThousandths: UInt16

    /// As strong as the output can be.
    public static var full: Strength { Strength(tenThousandths: 10_000) }

    /// Makes a strength; more than 10,000 ten-thousandths are full strength.
    public init(tenThousandths: UInt16) {
        self.tenThousandths = min(tenThousandths, 10_000)
    }
}
