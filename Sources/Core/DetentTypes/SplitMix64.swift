/// A small generator of pseudo-random numbers: SplitMix64 (Steele, Lea and Flood, 2014).
///
/// It uses integers only, so equal seeds give equal numbers on every machine. Not for secrets.
public struct SplitMix64: Equatable, Sendable, BitwiseCopyable {
    private var state: UInt64

    /// Starts the sequence of numbers of a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// Starts a separate sequence for each `stream` of a seed. Drawing from one changes no other.
    public init(seed: UInt64, stream: UInt64) {
        var mixer = SplitMix64(seed: stream &+ 0x5DEE_CE66)
        state = seed ^ mixer.next()
    }

    /// The next number, any of 2^64.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below `bound`; 0 where `bound` is 0.
    public mutating func below(_ bound: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: bound).high
    }

    /// True with a probability of `percent` in 100.
    public mutating func chance(percent: UInt8) -> Bool {
        below(100) < UInt64(percent)
    }

    /// True with a probability of 1 in `count`; never where `count` is 0.
    public mutating func happens(oneIn count: UInt64) -> Bool {
        count > 0 && next() % count == 0
    }

    /// A span between two, uniform on a logarithmic scale: each doubling of the shorter one is
    /// equally likely.
    public mutating func spread(from shortest: TimeSpan, to longest: TimeSpan) -> TimeSpan {
        let low = max(1, shortest.nanoseconds)
        let high = longest.nanoseconds
        guard low < high else { return TimeSpan(nanoseconds: low) }
        var octaves: UInt64 = 1
        while octaves < 63, high >> octaves > low { octaves += 1 }
        let first = low << below(octaves)
        let last = first > high / 2 ? high : first * 2
        return TimeSpan(nanoseconds: first + below(last - first + 1))
    }
}
