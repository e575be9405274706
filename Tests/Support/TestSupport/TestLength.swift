import Glibc

/// How much of what could be tried a property test tries.
///
/// `make test` tries a part, so that it ends while one waits. `make proof` sets `DETENT_TESTS=long`
/// and tries everything. Each seed and each place of a list has its own turn in a short run, so a
/// failure of a long run that is not seen in a short one names its seed.
public enum TestLength {
    /// Whether everything is tried.
    public static let isLong = getenv("DETENT_TESTS").map { String(cString: $0) } == "long"

    /// Every seed of a range in a long run, and its first sixteenth in a short one; at least two.
    public static func seeds(_ all: Range<UInt64>) -> Range<UInt64> {
        guard !isLong else { return all }
        return all.prefix(max(2, all.count / 16))
    }

    /// Every seed of a range in a long run, and its first sixteenth in a short one; at least two.
    public static func seeds(_ all: ClosedRange<UInt64>) -> Range<UInt64> {
        seeds(all.lowerBound..<all.upperBound + 1)
    }

    /// All of a list in a long run, and every `step`th in a short one, the first among them.
    public static func some<Element>(of all: [Element], every step: Int) -> [Element] {
        isLong ? all : stride(from: 0, to: all.count, by: step).map { all[$0] }
    }

    /// The size of a space that is tried whole: how many bits or steps its members have.
    public static func size(short: Int, long: Int) -> Int { isLong ? long : short }
}
