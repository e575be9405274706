public import DetentTypes

/// How samples of an analog channel become the values of a potentiometer or of a selector on a
/// ladder of resistors.
public struct AnalogSettings: Equatable, Sendable, BitwiseCopyable {
    /// The samples at both ends.
    public var scale: AnalogScale
    /// How long a position must hold before it counts.
    public var settle: TimeSpan
    private var ownLevels = AnalogLevels()
    /// The value of the first position.
    public var minimum: Int32
    /// The value of the last position.
    public var maximum: Int32
    /// From one position to the next; the last one may be nearer.
    public var step: Int32
    /// The band around the border of two positions in which neither follows the other, as a
    /// fraction of the scale; noise up to this width moves nothing that has settled.
    public var hysteresis: UInt16
    /// Whether each other position begins to settle anew, as on a selector; else the part follows
    /// a turn that goes on.
    public var settlesEach: Bool
    private var hasLevels = false

    /// 1 % of the scale, which is above the noise of a long wire at a converter of 12 bits.
    public static var defaultHysteresis: UInt16 { 655 }

    /// Makes the settings of a part with these values.
    public init(
        scale: AnalogScale, hysteresis: UInt16 = Self.defaultHysteresis, settle: TimeSpan = .zero,
        settlesEach: Bool = false, minimum: Int32 = 0, maximum: Int32, step: Int32 = 1,
        levels: AnalogLevels? = nil
    ) {
        self.scale = scale
        self.hysteresis = hysteresis
        self.settle = settle
        self.settlesEach = settlesEach
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.levels = levels
    }

    /// The levels of the positions, where their steps are not equal.
    ///
    /// They are kept without an optional value: all settings of controls have room for them.
    public var levels: AnalogLevels? {
        get { hasLevels ? ownLevels : nil }
        set {
            hasLevels = newValue != nil
            ownLevels = newValue ?? AnalogLevels()
        }
    }

    /// How many positions there are.
    public var positions: UInt32 { lastPosition &+ 1 }

    private var lastPosition: UInt32 {
        let width = Int64(maximum) &- Int64(minimum)
        guard width > 0, step > 0 else { return 0 }
        return UInt32(truncatingIfNeeded: (width &+ Int64(step) &- 1) / Int64(step))
    }

    /// The value of a position.
    public func value(at position: UInt32) -> Value {
        let value = Int64(minimum) &+ Int64(position) &* Int64(step)
        return Value(Int32(truncatingIfNeeded: min(value, Int64(maximum))))
    }

    /// The position that is nearest to a value, from below.
    public func position(of value: Value) -> UInt32 {
        guard value.raw > minimum, step > 0 else { return 0 }
        if value.raw >= maximum { return lastPosition }
        let way = Int64(value.raw) &- Int64(minimum)
        return UInt32(truncatingIfNeeded: way / Int64(step))
    }

    /// Where a position is, as a fraction of the scale.
    ///
    /// Both ends are half of the hysteresis away from those of the scale: so they are reached.
    public func level(of position: UInt32) -> UInt32 {
        if hasLevels { return ownLevels[position] }
        let last = UInt64(lastPosition)
        guard last > 0 else { return 0 }
        let inset = UInt64(reach)
        let width = UInt64(AnalogScale.full) &- 2 &* inset
        return UInt32(truncatingIfNeeded: inset &+ UInt64(position) &* width / last)
    }

    /// How far apart two samples may be that the decoder need not tell apart: a quarter of the
    /// band, and of the way between two positions, so that the ends are still reached.
    public var tolerance: UInt32 {
        let width = (Int64(scale.last) &- Int64(scale.first)).magnitude
        var least = UInt64(hysteresis)
        if levels == nil, lastPosition > 0 {
            least = min(least, UInt64(AnalogScale.full) / UInt64(lastPosition))
        }
        return UInt32(truncatingIfNeeded: width &* least / UInt64(AnalogScale.full) / 4)
    }

    /// A sample that a part gives in a position, whichever position it was turned from.
    public func sample(at position: UInt32, from before: UInt32) -> Int32 {
        if position == 0 { return scale.first }
        if position >= lastPosition { return scale.last }
        var place = Int64(level(of: position))
        if position > before {
            place = max(place, border(below: position) &+ Int64(reach) &+ 1)
        } else if position < before {
            place = min(place, border(below: position &+ 1) &- Int64(reach))
        }
        var sample = scale.sample(at: UInt32(truncatingIfNeeded: max(0, place)))
        // What a coarse converter rounds away, the hand turns further.
        let direction: Int32 = (position > before) == (scale.last > scale.first) ? 1 : -1
        for _ in 0..<4
        where self.position(at: scale.fraction(of: sample), after: before) != position {
            sample = sample &+ direction
        }
        return sample
    }

    /// The position of a part at rest in this place.
    func position(at fraction: UInt32) -> UInt32 { highest(upTo: Int64(fraction)) }

    /// The position that follows `before` when a sample is in this place.
    func position(at fraction: UInt32, after before: UInt32) -> UInt32 {
        let low = highest(upTo: Int64(fraction) &- Int64(reach))
        if low > before { return low }
        return min(before, highest(upTo: Int64(fraction) &+ Int64(reach)))
    }

    /// Half of the band.
    private var reach: UInt16 { hysteresis / 2 &+ hysteresis & 1 }

    /// The highest position whose lower border is below a place.
    private func highest(upTo place: Int64) -> UInt32 {
        var low: UInt32 = 0
        var high = lastPosition
        while low < high {
            let middle = low &+ (high &- low &+ 1) / 2
            if place > border(below: middle) { low = middle } else { high = middle &- 1 }
        }
        return low
    }

    /// The border between a position and the one before.
    private func border(below position: UInt32) -> Int64 {
        (Int64(level(of: position &- 1)) &+ Int64(level(of: position))) / 2
    }
}
