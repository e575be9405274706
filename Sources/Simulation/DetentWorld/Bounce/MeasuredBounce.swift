public import DetentTypes

/// How a contact bounced in a recording, in one direction: classes of bounces, shortest first.
///
/// Long bounces have other pulses than short ones, so each class has distributions of its own. The
/// tail of the recording is in the last classes.
public struct MeasuredBounce: Equatable, Sendable {
    /// The bounces between two lengths.
    public struct Class: Equatable, Sendable {
        /// How many of 100 bounces belong to it.
        public var share: UInt8
        /// The times from the first edge to the last that were not exceeded by the percents of
        /// `marks`.
        public var lengths: [TimeSpan]
        /// Numbers of pulses back to the old level, each as likely as the others.
        public var pulses: [UInt8]
        /// The times between two edges that were not exceeded by the percents of `marks`.
        public var widths: [TimeSpan]

        /// Makes a class without any check.
        public init(share: UInt8, lengths: [TimeSpan], pulses: [UInt8], widths: [TimeSpan]) {
            self.share = share
            self.lengths = lengths
            self.pulses = pulses
            self.widths = widths
        }
    }

    /// The classes; none if the contact never bounced. Their shares add up to 100.
    public var classes: [Class]

    /// The percents of the times in a class.
    public static let marks: [UInt64] = [0, 5, 25, 50, 75, 95, 100]

    /// Combinations that are drawn for a bounce. The one that needs the least stretching is used.
    private static let tries = 8

    /// Makes the bounces of one direction without any check.
    public init(_ classes: [Class]) {
        self.classes = classes
    }

    /// Half of the bounces are shorter, to the next mark; zero without any.
    public var median: TimeSpan {
        var before = 0
        for bounce in classes {
            let share = Int(bounce.share)
            if before + share >= 50 {
                let percent = UInt64(max(0, 50 - before) * 100 / max(1, share))
                let mark = Self.marks.firstIndex { $0 >= percent } ?? 0
                return bounce.lengths[mark]
            }
            before += share
        }
        return .zero
    }

    /// The longest bounce; zero without any.
    public var longest: TimeSpan { classes.compactMap(\.lengths.last).max() ?? .zero }

    /// Generates one bounce, as `BounceProfile.edges` returns it.
    func edges(_ random: inout SplitMix64) -> [TimeSpan] {
        guard let drawn = drawClass(&random) else { return [] }
        let length = Self.time(drawn.lengths, &random)
        var best: [TimeSpan] = []
        var difference = UInt64.max
        for _ in 0..<Self.tries {
            let pulses = drawn.pulses[Int(random.below(UInt64(drawn.pulses.count)))]
            var offset = TimeSpan.zero
            let edges = (0..<2 * Int(pulses)).map { _ in
                offset = offset + Self.time(drawn.widths, &random)
                return offset
            }
            let (less, more) = (min(offset, length).nanoseconds, max(offset, length).nanoseconds)
            // The ratio of the two, in thousandths; at most 1 s by less than 1 ns.
            let stretch = more * 1_000 / max(1, less)
            guard stretch < difference else { continue }
            difference = stretch
            best = edges
        }
        return Self.stretched(best, to: length)
    }

    private func drawClass(_ random: inout SplitMix64) -> Class? {
        var place = random.below(100)
        for bounce in classes {
            if place < UInt64(bounce.share) { return bounce }
            place -= UInt64(bounce.share)
        }
        return classes.last
    }

    /// A time between two marks.
    private static func time(_ times: [TimeSpan], _ random: inout SplitMix64) -> TimeSpan {
        let percent = random.below(100)
        let next = marks.firstIndex { $0 > percent } ?? marks.count - 1
        return random.even(from: times[next - 1], to: times[next])
    }

    /// The same edges over a length; no two of them coincide.
    private static func stretched(_ edges: [TimeSpan], to length: TimeSpan) -> [TimeSpan] {
        guard let whole = edges.last?.nanoseconds, whole > 0 else { return [] }
        var last: UInt64 = 0
        return edges.map { edge in
            let product = edge.nanoseconds.multipliedFullWidth(by: length.nanoseconds)
            // The product is at most that of the whole, and so the quotient at most the length.
            last = max(whole.dividingFullWidth(product).quotient, last + 1)
            return TimeSpan(nanoseconds: last)
        }
    }
}

extension SplitMix64 {
    /// A span between two, uniform on a logarithmic scale.
    ///
    /// The interval is halved at its geometric mean. A square root is rounded correctly by every
    /// machine, so equal seeds give equal spans.
    fileprivate mutating func even(from shortest: TimeSpan, to longest: TimeSpan) -> TimeSpan {
        var low = max(1, shortest.nanoseconds)
        var high = max(low, longest.nanoseconds)
        var choices = next()
        for _ in 0..<12 where high - low > 1 {
            let root = (Double(low) * Double(high)).squareRoot()
            let middle = min(high, max(low, UInt64(root)))
            if choices & 1 == 0 { high = middle } else { low = middle }
            choices >>= 1
        }
        return TimeSpan(nanoseconds: low + below(high - low + 1))
    }
}
