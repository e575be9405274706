import DetentTypes

/// The numbers of a device whose control is a dial: number × scale + offset, in exact decimals.
///
/// A text has as many decimals as the dial shows, and as many more as `scale` below 1 and `offset`
/// need. So two numbers of the dial are two of the device, and each is understood as itself again.
public struct DeviceScale: Equatable, Sendable {
    private let scale: DecimalNumber
    private let offset: DecimalNumber
    /// The decimals of the dial.
    private let shown: Int
    /// The decimals of the device.
    private let sent: Int

    /// Digits of the device's numbers; `NearestDecimal` reads no longer ones.
    static let digits = 15

    /// Makes a scale that is not 0; `decimals` are those of the dial.
    init(scale: DecimalNumber, offset: DecimalNumber, decimals: Int) {
        self.scale = scale
        self.offset = offset
        shown = decimals
        var more = 0
        let one = Self.power(scale.decimals)
        while Int128(scale.digits.magnitude) * Self.power(more) < one { more += 1 }
        sent = max(decimals + more, offset.decimals)
    }

    /// Whether a larger number of the dial is a smaller one of the device.
    var isFalling: Bool { scale.digits < 0 }

    /// Whether the device's number for one of the dial has a usual length.
    func fits(_ raw: Int32) -> Bool { units(of: raw).magnitude < Self.power(Self.digits) }

    /// What the device calls a number, which is given in units of the dial's last decimal.
    func text(of raw: Int32) -> String {
        DecimalNumber.text(units: Int64(clamping: units(of: raw)), decimals: sent)
    }

    /// The number of the dial that is nearest to one of the device, in units of its last decimal;
    /// nil if the text is no number. A half is rounded away from zero.
    func raw(of text: String) -> Int32? {
        // Two more decimals than are sent tell on which side of a half the number is.
        let read = sent + 2
        guard let units = NearestDecimal.units(text.utf8, decimals: read) else { return nil }
        // Both have the decimals of what was read, which are more than those of `offset`.
        let rest = Int128(units) - Int128(offset.digits) * Self.power(read - offset.decimals)
        let nearest = Self.quotient(
            rest * Self.power(scale.decimals + shown),
            Int128(scale.digits) * Self.power(read))
        return Int32(exactly: nearest).flatMap { $0 == .min ? nil : $0 }
    }

    /// The device's number in units of its last decimal.
    private func units(of raw: Int32) -> Int128 {
        let fine = max(shown + scale.decimals, offset.decimals, sent)
        let product =
            Int128(raw) * Int128(scale.digits) * Self.power(fine - shown - scale.decimals)
        let sum = product + Int128(offset.digits) * Self.power(fine - offset.decimals)
        return Self.quotient(sum, Self.power(fine - sent))
    }

    /// The nearest whole number of times; a half is rounded away from zero.
    private static func quotient(_ one: Int128, _ other: Int128) -> Int128 {
        let (whole, rest) = one.quotientAndRemainder(dividingBy: other)
        guard rest.magnitude * 2 >= other.magnitude else { return whole }
        return whole + ((one < 0) == (other < 0) ? 1 : -1)
    }

    private static func power(_ exponent: Int) -> Int128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
