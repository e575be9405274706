/// Numbers that look random and are the same in every run.
public struct SeededRandom {
    private var state: UInt64

    /// Starts with a seed.
    public init(seed: UInt64) { state = seed }

    /// A number from 0 to below a bound, which is at least 1.
    public mutating func below(_ bound: Int) -> Int {
        // Knuth's factor and summand; the high bits have the longest period.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    /// Every index of a list as often as its element says, in a random order.
    public mutating func interleave(_ lengths: [Int]) -> [Int] {
        var order = lengths.indices.flatMap { Array(repeating: $0, count: lengths[$0]) }
        for place in order.indices.reversed() { order.swapAt(place, below(place + 1)) }
        return order
    }
}
