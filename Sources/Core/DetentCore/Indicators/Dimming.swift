import DetentTypes

/// How long in each hundredth of a second a lamp is lit.
///
/// All lamps begin their periods at the same moments of the clock, so lamps that are equally bright
/// change together and wake the process once.
struct Dimming: Equatable, BitwiseCopyable {
    /// In microseconds of the period, of a lit lamp.
    private var microseconds: UInt16
    /// When the lines that were drawn last change next.
    private(set) var deadline = Instant.never

    /// No dimming at all; costs nothing.
    static var full: Dimming { Dimming(microseconds: periodMicroseconds) }
    /// Every line is lit: the lamp test.
    static var test: Dimming { Dimming(microseconds: .max) }

    /// 100 Hz: above what any eye sees as flicker of a lamp that stands still.
    private static var periodMicroseconds: UInt16 { 10_000 }
    /// A hundredth of the period; a process cannot be relied on for less.
    private static var shortestMicroseconds: UInt16 { 100 }

    private init(microseconds: UInt16) {
        self.microseconds = microseconds
    }

    /// A lamp that is dimmed; full where its lines do it themselves.
    init(_ indicator: IndicatorSettings, dimmer: UInt8) {
        microseconds =
            indicator.hasLevels
            ? Self.periodMicroseconds
            : Self.strength(of: indicator, dimmer: dimmer).tenThousandths
    }

    /// A lamp's own brightness, dimmed; both in hundredths, of 1 to 100 and of 0 to 100. It is dark
    /// only where the dimmer is 0.
    static func strength(of indicator: IndicatorSettings, dimmer: UInt8) -> Strength {
        let product = UInt16(min(indicator.brightness, 100)) &* UInt16(min(dimmer, 100))
        return Strength(tenThousandths: product == 0 ? 0 : max(product, shortestMicroseconds))
    }

    /// Where a number stands between two others, in hundredths and rounded down; 100 where these
    /// are one.
    static func hundredths(of value: Int32, from low: Int32, to high: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: share(of: value, from: low, to: high, in: 100, bit: 64))
    }

    /// How strong an output is that follows a number between two others: only the lowest number is
    /// nothing.
    static func strength(of value: Int32, from low: Int32, to high: Int32) -> Strength {
        let share = share(of: value, from: low, to: high, in: 10_000, bit: 8_192)
        return Strength(tenThousandths: value > low ? max(share, 1) : share)
    }

    /// A share in `parts`, whose highest bit is `bit`. By shifts: 64-bit division needs a library
    /// on small processors.
    private static func share(
        of value: Int32, from low: Int32, to high: Int32, in parts: UInt16, bit: UInt16
    ) -> UInt16 {
        guard low < high else { return parts }
        let whole = UInt64(UInt32(bitPattern: high &- low))
        let part = UInt64(UInt32(bitPattern: min(max(value, low), high) &- low))
        var rest = part &* UInt64(parts)
        var result: UInt16 = 0
        var bit = bit
        while bit != 0 {
            let step = whole &* UInt64(bit)
            if step <= rest {
                rest &-= step
                result |= bit
            }
            bit >>= 1
        }
        return result
    }

    /// Whether it changes nothing.
    var isFull: Bool { microseconds == Self.periodMicroseconds }

    /// Draws lamps whose lit lines are `lit`, of `count` lines; returns the lines that are lit at
    /// `now`.
    mutating func draw(_ lit: UInt32, count: UInt16, at now: Instant) -> UInt32 {
        deadline = .never
        if self == .test { return count < 32 ? 1 << UInt32(count) &- 1 : UInt32.max }
        guard lit != 0, microseconds != 0, microseconds < Self.periodMicroseconds else {
            return microseconds == 0 ? 0 : lit
        }
        let period = UInt64(Self.periodMicroseconds) &* 1_000
        let share = UInt64(microseconds) &* 1_000
        let offset = Pattern.remainder(now.nanoseconds, period)
        let cycle = Instant(nanoseconds: now.nanoseconds &- offset)
        let isLit = offset < share
        deadline = cycle + TimeSpan(nanoseconds: isLit ? share : period)
        return isLit ? lit : 0
    }
}
