import DetentTypes
public import DetentWorld

/// Fits a profile of the simulator to the changes that a meter found.
///
/// Nothing is assumed about the shape of a distribution: the bounces of each direction are divided
/// by their length, and each class keeps the quantiles of its lengths, pulses and widths.
public enum BounceFit {
    /// The bounces of a class are longer than those of all classes before it. The last ones are
    /// narrow, because they are the tail.
    private static let ends = [25, 50, 75, 90, 97, 100]
    /// With fewer bounces, a class is joined with the next.
    private static let fewest = 8
    private static let pulses = 10

    /// The profile of a meter; end its last change with `finish` first.
    public static func profile(_ meter: BounceMeter) -> BounceProfile {
        BounceProfile(
            BounceProfile.Measured(
                closing: MeasuredBounce(classes(meter.closings)),
                opening: MeasuredBounce(classes(meter.openings))),
            cleanCloses: cleanPercent(meter.closings), cleanOpens: cleanPercent(meter.openings))
    }

    /// The share of changes without a bounce, rounded; 100 without any change.
    private static func cleanPercent(_ changes: [BounceMeter.Change]) -> UInt8 {
        guard !changes.isEmpty else { return 100 }
        let clean = changes.count { $0.edges == 1 }
        return UInt8(clamping: (clean * 200 + changes.count) / (changes.count * 2))
    }

    private static func classes(_ changes: [BounceMeter.Change]) -> [MeasuredBounce.Class] {
        let bounces = changes.filter { $0.edges > 1 }.sorted { $0.length < $1.length }
        guard !bounces.isEmpty else { return [] }
        var found: [MeasuredBounce.Class] = []
        var (begin, percent) = (0, 0)
        for (place, end) in ends.enumerated() {
            let cut = bounces.count * end / 100
            let isLast = place == ends.count - 1
            // What would remain for the last class must not be too little either.
            guard isLast || cut - begin >= fewest && bounces.count - cut >= fewest else {
                continue
            }
            found.append(one(Array(bounces[begin..<cut]), share: end - percent))
            (begin, percent) = (cut, end)
        }
        return found
    }

    private static func one(
        _ bounces: [BounceMeter.Change], share: Int
    ) -> MeasuredBounce.Class {
        let pulses = bounces.map { min(($0.edges - 1) / 2, WorldLimits.pulses) }.sorted()
        let middles = (0..<Self.pulses).map { place in
            UInt8(max(1, pulses[pulses.count * (2 * place + 1) / (2 * Self.pulses)]))
        }
        return MeasuredBounce.Class(
            share: UInt8(share), lengths: marks(bounces.map(\.length)), pulses: middles,
            widths: marks(bounces.flatMap(\.widths)))
    }

    /// The quantiles at the marks of a class, with three digits.
    private static func marks(_ spans: [TimeSpan]) -> [TimeSpan] {
        let sorted = spans.sorted()
        return MeasuredBounce.marks.map { percent in
            rounded(sorted[((sorted.count - 1) * Int(percent) + 50) / 100])
        }
    }

    /// Rounds to three digits; at least 1 ns and at most 1 s, as a profile allows.
    private static func rounded(_ span: TimeSpan) -> TimeSpan {
        var unit: UInt64 = 1
        while span.nanoseconds / unit >= 1_000 { unit *= 10 }
        let rounded = (span.nanoseconds + unit / 2) / unit * unit
        return min(max(TimeSpan(nanoseconds: rounded), .nanoseconds(1)), .seconds(1))
    }
}
