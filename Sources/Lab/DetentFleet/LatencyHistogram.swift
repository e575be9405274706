public import DetentTypes

/// How often each span occurred, in a bounded memory: a share is exact to 1 in 64.
public struct LatencyHistogram: Equatable, Sendable {
    /// Below 128 ns each has a bucket; above, each doubling has 64.
    private var counts = [UInt64](repeating: 0, count: 128 + 57 * 64)
    /// The number of spans.
    public private(set) var count: UInt64 = 0
    /// The longest span.
    public private(set) var longest = TimeSpan.zero

    /// Nothing yet.
    public init() {}

    /// Adds a span.
    public mutating func add(_ span: TimeSpan) {
        counts[Self.bucket(span.nanoseconds)] += 1
        count += 1
        longest = max(longest, span)
    }

    /// The span that this share in a thousand does not exceed; zero if there is none.
    public func span(perMille share: UInt64) -> TimeSpan {
        guard count > 0 else { return .zero }
        let rank = max(1, (count * min(share, 1_000) + 999) / 1_000)
        var seen: UInt64 = 0
        for (place, number) in counts.enumerated() {
            seen += number
            if seen >= rank {
                return min(TimeSpan(nanoseconds: Self.highest(place)), longest)
            }
        }
        return longest
    }

    private static func bucket(_ nanoseconds: UInt64) -> Int {
        guard nanoseconds >= 128 else { return Int(nanoseconds) }
        let octave = 63 - nanoseconds.leadingZeroBitCount
        let fraction = Int(nanoseconds >> UInt64(octave - 6)) - 64
        return 128 + (octave - 7) * 64 + fraction
    }

    /// The longest span of a bucket.
    private static func highest(_ place: Int) -> UInt64 {
        guard place >= 128 else { return UInt64(place) }
        let octave = UInt64((place - 128) / 64 + 7)
        let fraction = UInt64((place - 128) % 64 + 64)
        let (end, isOver) = (fraction + 1).multipliedReportingOverflow(by: 1 << (octave - 6))
        return isOver ? .max : end - 1
    }
}
