public import DetentTypes

/// The values that a control can have, or for one that only fires, its events.
public enum ValueDomain: Equatable, Sendable, BitwiseCopyable {
    /// No value, and one event: `on`.
    case none
    /// On and off.
    case onOff
    /// One of `count` options, from 0; or for a control that only fires, as many commands. One lamp
    /// for the whole control is dark at `rest`; nil: at the option that the control starts with.
    case options(count: UInt8, rest: UInt8?)
    /// A number.
    case number(NumberRange)
    /// Several of at most 30 options, from `minimum` to `maximum` of them; the value has a bit for
    /// each.
    case subset(of: UInt8, minimum: UInt8, maximum: UInt8)

    /// Whether `value` is one of these.
    public func contains(_ value: Value) -> Bool {
        switch self {
        case .none: return false
        case .onOff: return value == .on || value == .off
        case .options(let count, _): return value.raw >= 0 && value.raw < Int32(count)
        case .number(let range): return range.contains(value)
        case .subset(let options, let minimum, let maximum):
            guard value.raw >= 0, options <= EngineLimits.selectionOptions,
                value.raw < 1 << Int32(options)
            else { return false }
            let count = value.raw.nonzeroBitCount
            return count >= Int(minimum) && count <= Int(maximum)
        }
    }

    /// The value before the first request.
    public var rest: Value {
        switch self {
        case .none, .onOff: .off
        case .options(_, let rest): Value(Int32(rest ?? 0))
        case .number(let range): Value(range.minimum)
        case .subset(_, let minimum, _):
            Value((1 << Int32(min(minimum, EngineLimits.selectionOptions))) - 1)
        }
    }

    /// Whether one lamp for the whole control is lit at `value`. A lamp that is lit at every value
    /// tells nothing, so it is dark at one.
    @inline(__always)
    func isLit(at value: Value) -> Bool {
        switch self {
        case .none: false
        case .onOff: value == .on
        case .options: value != rest
        case .number(let range): value.raw > range.minimum
        case .subset: value.raw > 0
        }
    }

    /// The same values, where options rest at the one that the control starts with.
    func resting(at start: Value) -> ValueDomain {
        guard case .options(let count, nil) = self, contains(start) else { return self }
        return .options(count: count, rest: UInt8(truncatingIfNeeded: start.raw))
    }
}

extension ValueDomain {
    /// The value that has this option, and no other one.
    func value(ofOption option: Value) -> Value {
        switch self {
        case .subset: Value(Int32(bitPattern: option.optionBit))
        case .none, .onOff, .number, .options: option
        }
    }
}

/// The range of a number, in units of its last decimal.
public struct NumberRange: Equatable, Sendable, BitwiseCopyable {
    /// The smallest value, in raw steps of the last decimal.
    public var minimum: Int32
    /// The largest value, in raw steps of the last decimal.
    public var maximum: Int32
    /// What one detent adds; at least 1.
    public var step: Int32
    /// Past the end comes the other end.
    public var wraps: Bool
    /// Largest number of steps a detent, reached at 100 detents a second; 1 turns acceleration off.
    public var acceleration: UInt8

    /// Makes a range.
    public init(
        minimum: Int32, maximum: Int32, step: Int32 = 1, wraps: Bool = false,
        acceleration: UInt8 = 1
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.wraps = wraps
        self.acceleration = acceleration
    }

    /// Whether the value is within the range.
    @inline(__always)
    public func contains(_ value: Value) -> Bool {
        minimum <= value.raw && value.raw <= maximum
    }

    /// The value, or the end of the range that is nearest to it.
    public func nearest(to value: Value) -> Value {
        Value(min(max(value.raw, minimum), maximum))
    }

    /// The value after a number of steps: wrapped within the range, or held at its end.
    func moved(_ value: Value, by steps: Int16) -> Value {
        moved(value, by: Int64(steps) &* Int64(step))
    }

    /// The value that is this far away: wrapped within the range, or held at its end.
    func moved(_ value: Value, by distance: Int64) -> Value {
        let low = Int64(minimum)
        let high = Int64(maximum)
        let sum = Int64(value.raw) &+ distance
        var result = min(max(sum, low), high)
        if wraps, sum != result {
            // Past an end comes the other end; a step of more than the range stops there as well.
            result = sum > high ? low : high
        }
        return Value(Int32(truncatingIfNeeded: result))
    }
}
