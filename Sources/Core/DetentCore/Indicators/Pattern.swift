/// The patterns a lamp can show; each but the first two has an on and an off variant.
public enum Pattern: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    case off
    case steady
    case blink
    case wink
    case doubleWink
    case tripleWink
    case slowWink
    case flashBurst
    case breathe
    /// Lit for a share of each period that grows with the progress of a confirmation; half of it
    /// where there is no progress to tell.
    case fill

    /// The dips at the start of each period; times in milliseconds.
    public struct Shape: Equatable, Sendable, BitwiseCopyable {
        /// How long one period is.
        public let periodMilliseconds: UInt32
        /// How many dips a period has.
        public let dips: UInt32
        /// How long each dip is.
        public let dipMilliseconds: UInt32
        /// From the start of one dip to the start of the next.
        public let distanceMilliseconds: UInt32

        /// In the order of the properties.
        init(_ period: UInt32, _ dips: UInt32, _ dip: UInt32, _ distance: UInt32) {
            periodMilliseconds = period
            self.dips = dips
            dipMilliseconds = dip
            distanceMilliseconds = distance
        }
    }

    /// The dips of the pattern; nil for a lamp that does not move.
    ///
    /// - Parameters:
    ///   - isLit: whether the value beneath the pattern is a lit one.
    ///   - tenths: of a confirmation, 1 to 10; only `fill` depends on it.
    public func shape(isLit: Bool, tenths: UInt8) -> Shape? {
        switch self {
        case .off, .steady: nil
        case .blink: Shape(500, 1, 150, 500)
        case .wink: Shape(1_000, 1, 100, 1_000)
        case .doubleWink: Shape(1_500, 2, 100, 350)
        case .tripleWink: Shape(2_000, 3, 100, 350)
        case .slowWink: Shape(4_000, 1, 200, 4_000)
        case .flashBurst: Shape(2_400, 4, 200, 400)
        case .breathe: Shape(2_000, 1, 700, 2_000)
        case .fill: Self.fill(isLit: isLit, tenths: tenths)
        }
    }

    /// Lit for nine hundredths of the period with each tenth, so that the first one is seen and the
    /// last one is no steady light. The tempo tells the value: 2.5 Hz over on, 1.25 Hz over off.
    private static func fill(isLit: Bool, tenths: UInt8) -> Shape {
        let share = UInt32(min(max(tenths, 1), 10))
        return isLit
            ? Shape(400, 1, 400 &- 36 &* share, 400) : Shape(800, 1, 72 &* share, 800)
    }
}
