import DetentPanel
public import DetentTypes
public import DetentWorld

/// What the bounces of a contact were, and which debounce time follows.
public struct BounceReport: Equatable, Sendable {
    /// The changes in one direction.
    public struct Side: Equatable, Sendable {
        /// How many there were.
        public var count: Int
        /// How many had no bounce.
        public var clean: Int
        /// Half of the bounces were shorter; zero if there was none.
        public var median: TimeSpan
        /// The longest bounce.
        public var longest: TimeSpan
        /// The most edges of one change.
        public var edges: Int
        /// The bounces in the bins of `BounceReport.bins`.
        public var bins: [Int]
    }

    /// Changes that closed the contact.
    public var closing: Side
    /// Changes that opened it.
    public var opening: Side
    /// Groups of edges that were no change.
    public var glitches: Int
    /// The recommended debounce time; nil if nothing was measured.
    public var debounce: TimeSpan?
    /// The profile for the simulator; nil if nothing was measured.
    public var profile: BounceProfile?

    /// The upper ends of the bins of a histogram; a last bin has the rest.
    public static let bins: [TimeSpan] = [
        .zero, .microseconds(50), .microseconds(100), .microseconds(200), .microseconds(500),
        .milliseconds(1), .milliseconds(2), .milliseconds(5), .milliseconds(10), .milliseconds(20),
    ]

    /// The times that are recommended: the smallest that is at least 1.5 times the longest bounce.
    static let times: [TimeSpan] = [1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 80, 100].map {
        .milliseconds($0)
    }

    /// Makes the report of a meter; end its last change with `finish` first.
    public init(_ meter: BounceMeter) {
        closing = Side(meter.closings)
        opening = Side(meter.openings)
        glitches = meter.glitches
        guard meter.count > 0 else { return }
        let longest = max(closing.longest, opening.longest)
        debounce = Self.debounce(after: longest)
        profile = BounceFit.profile(meter)
    }

    /// The recommended time for a longest bounce.
    public static func debounce(after longest: TimeSpan) -> TimeSpan {
        let wanted = TimeSpan(nanoseconds: longest.nanoseconds / 2 * 3)
        return times.first { $0 >= wanted } ?? .milliseconds(100)
    }
}

extension BounceReport.Side {
    init(_ changes: [BounceMeter.Change]) {
        let lengths = changes.filter { $0.edges > 1 }.map(\.length).sorted()
        count = changes.count
        clean = changes.count - lengths.count
        median = lengths.isEmpty ? .zero : lengths[lengths.count / 2]
        longest = lengths.last ?? .zero
        edges = changes.map(\.edges).max() ?? 0
        bins = Array(repeating: 0, count: BounceReport.bins.count + 1)
        for change in changes {
            let place = BounceReport.bins.firstIndex { change.length <= $0 } ?? bins.count - 1
            bins[place] += 1
        }
    }
}
