public import DetentTypes
public import DetentWorld

/// Whether two measurements show the same contact: a recording, and what the simulator plays from
/// the profile that was fitted to it.
///
/// The distributions of lengths, pulses and widths are compared by the test of Kolmogorov and
/// Smirnov; the share of clean changes by its error; and the tail by two quantiles, because the
/// test hardly notices it.
public struct BounceComparison: Equatable, Sendable {
    /// One compared figure.
    public struct Figure: Equatable, Sendable {
        /// What was compared, such as `closing: widths`.
        public var name: String
        /// How far the two differ, in percent.
        public var difference: Double
        /// The most that chance and the classes of a fit explain, in percent.
        public var bound: Double

        /// Whether the two agree.
        public var agrees: Bool { difference <= bound }
    }

    /// All figures, closing first.
    public var figures: [Figure]

    /// What the classes of a fit may add to the statistic of a distribution.
    private static let classes = 0.06
    /// The two-sample statistic is larger once in 1000 comparisons of equal distributions.
    private static let critical = 1.95
    /// The quantiles of the tail, the ratios they may have, and the bounces they need.
    private static let tails: [(percent: Int, ratio: Double, fewest: Int)] = [
        (95, 1.5, 400), (99, 2, 800),
    ]

    /// Compares two meters; end their last changes with `finish` first.
    public init(_ one: BounceMeter, _ other: BounceMeter) {
        figures =
            Self.compare("closing", one.closings, other.closings)
            + Self.compare("opening", one.openings, other.openings)
    }

    /// Compares a recording with what a profile plays. Equal arguments give equal figures.
    public init(_ recording: BounceMeter, plays profile: BounceProfile, seed: UInt64 = 1) {
        self.init(recording, Self.played(profile, quiet: recording.quiet, seed: seed))
    }

    /// Whether everything agrees.
    public var agrees: Bool { figures.allSatisfy(\.agrees) }

    /// What a meter finds when the simulator plays a profile.
    public static func played(
        _ profile: BounceProfile, quiet: TimeSpan, seed: UInt64
    ) -> BounceMeter {
        var random = SplitMix64(seed: seed)
        var meter = BounceMeter(level: .inactive, quiet: quiet)
        var now = Instant.zero
        for place in 0..<2 * BenchLimits.played {
            let isClosing = place % 2 == 0
            now = now + quiet * 2
            var level = Level(isClosing)
            meter.take(level, at: now)
            let edges = profile.edges(closing: isClosing, &random)
            for offset in edges {
                level = level.opposite
                meter.take(level, at: now + offset)
            }
            now = now + (edges.last ?? .zero)
        }
        meter.finish()
        return meter
    }

    private static func compare(
        _ name: String, _ one: [BounceMeter.Change], _ other: [BounceMeter.Change]
    ) -> [Figure] {
        guard !one.isEmpty, !other.isEmpty else { return [] }
        var figures = [clean(name, one, other)]
        let (first, second) = (one.filter { $0.edges > 1 }, other.filter { $0.edges > 1 })
        guard !first.isEmpty, !second.isEmpty else { return figures }
        // The widths within a bounce are related, so their number adds nothing.
        let bound = chance(first.count, second.count) + classes
        let unit = max(resolution(first), resolution(second))
        func add(_ what: String, _ values: (BounceMeter.Change) -> [UInt64]) {
            let difference = distance(first.flatMap(values), second.flatMap(values))
            figures.append(
                Figure(name: "\(name): \(what)", difference: difference * 100, bound: bound * 100))
        }
        add("lengths") { [($0.length.nanoseconds + unit / 2) / unit] }
        add("pulses") { [UInt64($0.edges / 2)] }
        add("widths") { $0.widths.map { max(1, ($0.nanoseconds + unit / 2) / unit) } }
        return figures + tail(name, first, second)
    }

    /// The step of the clock that stamped the edges: a capture of 1 MHz has whole microseconds, and
    /// the same bounce with nanoseconds would seem different.
    private static func resolution(_ bounces: [BounceMeter.Change]) -> UInt64 {
        var found: UInt64 = 0
        for width in bounces.lazy.flatMap(\.widths) {
            var rest = width.nanoseconds
            while rest != 0 { (found, rest) = (rest, found % rest) }
            if found == 1 { break }
        }
        return max(1, found)
    }

    /// The share of clean changes. Its standard error is at most half of the root.
    private static func clean(
        _ name: String, _ one: [BounceMeter.Change], _ other: [BounceMeter.Change]
    ) -> Figure {
        func share(_ changes: [BounceMeter.Change]) -> Double {
            Double(changes.count { $0.edges == 1 }) / Double(changes.count)
        }
        // 3.3 standard errors, and a percent for the rounding of the profile.
        let bound = 1.65 * reach(one.count, other.count) + 0.01
        return Figure(
            name: "\(name): clean changes", difference: abs(share(one) - share(other)) * 100,
            bound: bound * 100)
    }

    private static func chance(_ one: Int, _ other: Int) -> Double { critical * reach(one, other) }

    private static func reach(_ one: Int, _ other: Int) -> Double {
        (Double(one + other) / (Double(one) * Double(other))).squareRoot()
    }

    private static func tail(
        _ name: String, _ one: [BounceMeter.Change], _ other: [BounceMeter.Change]
    ) -> [Figure] {
        let (first, second) = (one.map(\.length).sorted(), other.map(\.length).sorted())
        return tails.compactMap { percent, ratio, fewest in
            guard min(first.count, second.count) >= fewest else { return nil }
            func at(_ sorted: [TimeSpan]) -> Double {
                Double(max(1, sorted[(sorted.count - 1) * percent / 100].nanoseconds))
            }
            let (less, more) = (min(at(first), at(second)), max(at(first), at(second)))
            return Figure(
                name: "\(name): length that \(100 - percent) % exceed",
                difference: (more / less - 1) * 100, bound: (ratio - 1) * 100)
        }
    }

    /// The statistic of Kolmogorov and Smirnov: the largest difference of two distributions.
    static func distance(_ one: [UInt64], _ other: [UInt64]) -> Double {
        guard !one.isEmpty, !other.isEmpty else { return one.isEmpty == other.isEmpty ? 0 : 1 }
        let (first, second) = (one.sorted(), other.sorted())
        var (here, there) = (0, 0)
        var largest = 0.0
        while here < first.count, there < second.count {
            let value = min(first[here], second[there])
            while here < first.count, first[here] == value { here += 1 }
            while there < second.count, second[there] == value { there += 1 }
            let difference =
                Double(here) / Double(first.count) - Double(there) / Double(second.count)
            largest = max(largest, abs(difference))
        }
        return largest
    }
}
