/// Where a sample of an analog channel lies between the ends of its part.
///
/// A potentiometer that is wired the other way round has its larger sample at the first end.
public struct AnalogScale: Equatable, Sendable, BitwiseCopyable {
    /// The sample at the first position.
    public var first: Int32
    /// The sample at the last position; never the same.
    public var last: Int32

    /// The last end, where the first is 0: 16 bits are as fine as the usual converters.
    public static var full: UInt32 { 65_535 }

    /// Makes a scale between two samples, in either direction.
    public init(first: Int32, last: Int32) {
        self.first = first
        self.last = last
    }

    /// How far a sample is from the first end, from 0 to `full`; beyond an end is that end.
    public func fraction(of sample: Int32) -> UInt32 {
        let width = Int64(last) &- Int64(first)
        guard width != 0 else { return 0 }
        let isFalling = width < 0
        let way = isFalling ? Int64(first) &- Int64(sample) : Int64(sample) &- Int64(first)
        let whole = isFalling ? 0 &- width : width
        if way <= 0 { return 0 }
        if way >= whole { return Self.full }
        return UInt32(truncatingIfNeeded: (way &* Int64(Self.full) &+ whole / 2) / whole)
    }

    /// The sample that is this far from the first end.
    public func sample(at fraction: UInt32) -> Int32 {
        let width = Int64(last) &- Int64(first)
        let far = Int64(min(fraction, Self.full))
        return Int32(truncatingIfNeeded: Int64(first) &+ width &* far / Int64(Self.full))
    }
}

/// Where the positions of an analog part are, as fractions of its scale.
public struct AnalogLevels: Equatable, Sendable, BitwiseCopyable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// How many levels there can be.
    public static var maximum: Int { 16 }

    /// Makes levels that are all 0.
    public init() {}

    /// The level of a position; 0 where there is none.
    public subscript(_ place: UInt32) -> UInt32 {
        get {
            let shift = UInt64(place & 3) &* 16
            var word: UInt64 = 0
            if place < 4 {
                word = words.0
            } else if place < 8 {
                word = words.1
            } else if place < 12 {
                word = words.2
            } else if place < 16 {
                word = words.3
            }
            return UInt32(truncatingIfNeeded: word >> shift & 0xFFFF)
        }
        set {
            let shift = UInt64(place & 3) &* 16
            let mask = ~(UInt64(0xFFFF) << shift)
            let bits = UInt64(min(newValue, AnalogScale.full)) << shift
            if place < 4 {
                words.0 = words.0 & mask | bits
            } else if place < 8 {
                words.1 = words.1 & mask | bits
            } else if place < 12 {
                words.2 = words.2 & mask | bits
            } else if place < 16 {
                words.3 = words.3 & mask | bits
            }
        }
    }

    /// Whether all levels are equal.
    public static func == (left: AnalogLevels, right: AnalogLevels) -> Bool {
        left.words == right.words
    }
}
