public import DetentTypes

/// Learns the ends of an analog part, and the noise of its channel.
///
/// Turn the part from its lowest value to its highest, and let it rest: noise is what is left in
/// the quieter half of the time.
public struct AnalogMeter: Sendable {
    private struct Extreme: Sendable {
        var sample: Int32
        var at: Instant
    }

    private var low: Extreme?
    private var high: Extreme?
    private var last: Int32 = 0
    /// The lowest and the highest sample of the present window, and when it began.
    private var window: (low: Int32, high: Int32, since: Instant)?
    /// How wide the samples of each window were.
    private var widths: [Int64] = []
    /// How many samples there were.
    public private(set) var count = 0

    /// Begins without a sample.
    public init() {}

    /// Takes a sample.
    public mutating func record(_ sample: Int32, at now: Instant) {
        settle(at: now)
        count += 1
        last = sample
        if sample < low?.sample ?? .max { low = Extreme(sample: sample, at: now) }
        if sample > high?.sample ?? .min { high = Extreme(sample: sample, at: now) }
        let present = window ?? (sample, sample, now)
        window = (min(present.low, sample), max(present.high, sample), present.since)
    }

    /// Ends the windows that are over: none comes while nothing changes.
    public mutating func settle(at now: Instant) {
        while let present = window, present.since + BenchLimits.noiseWindow <= now,
            widths.count < BenchLimits.changes
        {
            widths.append(Int64(present.high) - Int64(present.low))
            window = (last, last, present.since + BenchLimits.noiseWindow)
        }
    }

    /// The samples that were reached, in the order of time; nil before the first sample.
    public var reached: (first: Int32, last: Int32)? {
        guard let low, let high else { return nil }
        return low.at <= high.at
            ? (low.sample, high.sample) : (high.sample, low.sample)
    }

    /// How wide the samples of a part at rest are.
    public var noise: Int64 {
        let sorted = widths.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 4]
    }

    /// How far the part was turned.
    public var width: Int64 {
        reached.map { abs(Int64($0.last) - Int64($0.first)) } ?? 0
    }

    /// Whether it was turned, and not only disturbed.
    public var isTurned: Bool { width > max(BenchLimits.analogMove, 4 * noise) }

    /// Ends a hundredth inside of those that were reached, so that they are reached on a cold day.
    public var ends: (first: Int32, last: Int32)? {
        guard let reached else { return nil }
        let inset = (Int64(reached.last) - Int64(reached.first)) / 100
        return (
            Int32(clamping: Int64(reached.first) + inset),
            Int32(clamping: Int64(reached.last) - inset)
        )
    }

    /// A hysteresis above twice the noise, in tenths of a percent; nil if no possible one is.
    public var hysteresis: Int? {
        guard width > 0 else { return nil }
        let needed = Int((noise * 2_000 + width - 1) / width)
        return needed > 100 ? nil : max(10, needed)
    }

    /// What was measured, for people, with what belongs into the panel file.
    ///
    /// - Parameter channel: as the panel file names it: `{device: ads1015, channel: 0}`.
    public func text(name: String, channel: String) -> String {
        guard let reached, let ends else { return "\(name): no sample\n" }
        var text =
            "\(name): \(count) samples, from \(reached.first) to \(reached.last); noise at rest "
            + "\(noise)\n"
        guard isTurned else { return text }
        var entry = "analog: \(channel.dropLast()), ends: [\(ends.first), \(ends.last)]"
        switch hysteresis {
        case 10: break
        case .some(let tenths): entry += ", hysteresis: \(tenths / 10).\(tenths % 10)%"
        case nil:
            text +=
                "  The noise is too wide for any hysteresis: use shorter or shielded wires, and a "
                + "capacitor of 100 nF from the wiper to ground.\n"
        }
        return text + "  \(entry)}\n"
            + "  Exchange the ends if it was turned from its highest value to its lowest.\n"
    }
}
