public import DetentTypes

/// A small generator of pseudo-random numbers: SplitMix64 (Steele, Lea and Flood, 2014).
///
/// Integers only, so equal seeds give equal numbers on every machine. Not for secrets.
public struct SplitMix64: Equatable, Sendable {
    private var state: UInt64

    /// Begins the row of numbers that belongs to a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// A row of its own for each `stream` of a seed, so that what one line draws moves no other.
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

    /// Whether something with a chance of so many percent happens.
    public mutating func chance(percent: UInt8) -> Bool {
        below(100) < UInt64(percent)
    }

    /// A span between two, each doubling of the shorter one equally likely: small ones are as
    /// common as large ones on a logarithmic scale.
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
