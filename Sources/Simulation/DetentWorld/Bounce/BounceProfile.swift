public import DetentTypes

/// How the contacts of a kind of part bounce: a model with plausible values, or a measurement.
///
/// Closing and opening differ. In the model half of the bounces last less than the median, the tail
/// extends to `longest`, and some changes are clean. Pulse widths are distributed logarithmically
/// over their range and become shorter during a bounce. A measurement replaces all of this but the
/// share of clean changes with the distributions of a recording.
public struct BounceProfile: Equatable, Sendable {
    /// The behaviour of a selector's wiper between two positions.
    public enum Transition: String, Equatable, Sendable, CaseIterable {
        case breakBeforeMake = "break-before-make"
        case makeBeforeBreak = "make-before-break"
    }

    /// Median duration of the bounce when a contact closes; zero: it never bounces.
    public var closes: TimeSpan
    /// Median duration of the bounce when a contact opens; zero: it never bounces.
    public var opens: TimeSpan
    /// The longest bounce.
    public var longest: TimeSpan
    /// Percent of the bounces that last from twice the median to `longest`.
    public var tail: UInt8
    /// Percent of the closings without any bounce.
    public var cleanCloses: UInt8
    /// Percent of the openings without any bounce.
    public var cleanOpens: UInt8
    /// The shortest pulse of a bounce.
    public var shortestPulse: TimeSpan
    /// The longest pulse of a bounce.
    public var longestPulse: TimeSpan
    /// How the contact passes from one position to the next.
    public var transition: Transition
    /// Time in which no contact, or two contacts, of a selector are closed between two positions.
    public var gap: TimeSpan
    /// Time from one position of a selector or lever to the next.
    public var travel: TimeSpan
    /// What a recording had; nil for a model.
    public private(set) var measured: Measured?

    /// The bounces of a recording.
    public struct Measured: Equatable, Sendable {
        /// Those of a contact that closes.
        public var closing: MeasuredBounce
        /// Those of a contact that opens.
        public var opening: MeasuredBounce

        /// Makes a measurement.
        public init(closing: MeasuredBounce, opening: MeasuredBounce) {
            self.closing = closing
            self.opening = opening
        }
    }

    /// Makes a measured profile. Its medians and bounds follow from the measurement.
    public init(_ measured: Measured, cleanCloses: UInt8, cleanOpens: UInt8) {
        let widths = (measured.closing.classes + measured.opening.classes).map(\.widths)
        self.init(
            closes: measured.closing.median, opens: measured.opening.median,
            longest: max(measured.closing.longest, measured.opening.longest), tail: 0,
            cleanCloses: cleanCloses, cleanOpens: cleanOpens,
            shortestPulse: widths.compactMap(\.first).min() ?? .zero,
            longestPulse: widths.compactMap(\.last).max() ?? .zero)
        self.measured = measured
    }

    /// Makes a profile; the defaults follow from the medians.
    public init(
        closes: TimeSpan, opens: TimeSpan? = nil, longest: TimeSpan? = nil, tail: UInt8 = 5,
        cleanCloses: UInt8 = 0, cleanOpens: UInt8 = 0,
        shortestPulse: TimeSpan = .microseconds(5), longestPulse: TimeSpan? = nil,
        transition: Transition = .breakBeforeMake, gap: TimeSpan = .milliseconds(4),
        travel: TimeSpan = .milliseconds(15)
    ) {
        self.closes = closes
        self.opens = opens ?? TimeSpan(nanoseconds: closes.nanoseconds / 2)
        let median = max(closes, self.opens)
        self.longest = longest ?? median * 4
        self.tail = tail
        self.cleanCloses = cleanCloses
        self.cleanOpens = cleanOpens
        self.shortestPulse = shortestPulse
        self.longestPulse = longestPulse ?? TimeSpan(nanoseconds: median.nanoseconds / 4)
        self.transition = transition
        self.gap = gap
        self.travel = travel
    }

    /// Contacts that never bounce.
    public static let none = BounceProfile(closes: .zero)

    /// Generates the bounce of one change of a contact.
    ///
    /// - Returns: the time of each further edge after the change. Their number is even, so the
    ///   contact ends at its new level. Empty for a clean change.
    public func edges(closing: Bool, _ random: inout SplitMix64) -> [TimeSpan] {
        let median = closing ? closes : opens
        guard median != .zero, !random.chance(percent: closing ? cleanCloses : cleanOpens) else {
            return []
        }
        if let measured {
            return (closing ? measured.closing : measured.opening).edges(&random)
        }
        let length = duration(median, &random)
        guard length != .zero else { return [] }
        var edges: [TimeSpan] = []
        var offset = TimeSpan.zero
        while edges.count < WorldLimits.pulses * 2 {
            // Pulses become shorter with the remaining energy.
            let left = TimeSpan(nanoseconds: length.nanoseconds - offset.nanoseconds)
            let share = longestPulse.nanoseconds.multipliedFullWidth(by: left.nanoseconds)
            let widest = TimeSpan(
                nanoseconds: length.nanoseconds.dividingFullWidth(share).quotient)
            let contact = random.spread(from: shortestPulse, to: widest)
            let pulse = random.spread(from: shortestPulse, to: widest)
            let end = offset + contact + pulse
            guard end <= length else { break }
            edges.append(offset + contact)
            edges.append(end)
            offset = end
        }
        return edges
    }

    private func duration(_ median: TimeSpan, _ random: inout SplitMix64) -> TimeSpan {
        let half = TimeSpan(nanoseconds: median.nanoseconds / 2)
        let isTail = longest > median * 2 && random.chance(percent: tail)
        let drawn =
            isTail
            ? random.spread(from: median * 2, to: longest)
            : random.spread(from: half, to: median * 2)
        return min(drawn, longest)
    }
}

/// The profiles of the contacts of a panel.
public enum BounceChoice: Equatable, Sendable {
    /// One profile for every contact.
    case all(BounceProfile)
    /// A profile for each kind of part: buttons, levers, selectors, encoders.
    case perPart(
        button: BounceProfile, lever: BounceProfile, selector: BounceProfile,
        encoder: BounceProfile)
}
