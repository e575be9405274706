import DetentTypes

/// What a lamp shows at one moment, and when that changes.
struct LampState: Equatable, BitwiseCopyable {
    var level: Level
    var nextChange: Instant
    /// Whether this is a dip: the lamp is away from its value.
    var isDip = false
}

/// The patterns as functions of time.
///
/// A pattern is a row of equal dips at the beginning of a period: a lit lamp goes dark in each dip,
/// a dark one lights up, so that the value is seen through every pattern. No pattern has more than
/// three dips in any second (WCAG 2.3.1), since none follows another within `dipDistance`.
extension Pattern {
    /// From the beginning of one dip to the next: never less than this, in any pattern and from
    /// any pattern to another. Three times this is more than a second.
    static var dipDistance: TimeSpan { .milliseconds(334) }

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

    /// What is due at `now` of a pattern that begins at `start`; a late call catches nothing up.
    ///
    /// - Parameter tenths: of a confirmation; `fill` alone looks at it.
    func lamp(
        isLit: Bool, since start: Instant, at now: Instant, tenths: UInt8 = 5
    ) -> LampState {
        guard let shape = shape(isLit: isLit, tenths: tenths) else {
            return LampState(level: Level(isLit && self == .steady), nextChange: .never)
        }
        guard start <= now else { return LampState(level: Level(isLit), nextChange: start) }
        let between = Level(isLit)
        let period = TimeSpan.milliseconds(UInt64(shape.periodMilliseconds)).nanoseconds
        let offset = Self.remainder((now - start).nanoseconds, period)
        let cycle = Instant(nanoseconds: now.nanoseconds &- offset)
        var dip: UInt32 = 0
        while dip < shape.dips {
            let begins = UInt64(dip &* shape.distanceMilliseconds) &* 1_000_000
            let ends = begins &+ UInt64(shape.dipMilliseconds) &* 1_000_000
            if offset < begins {
                return LampState(
                    level: between, nextChange: cycle + TimeSpan(nanoseconds: begins))
            }
            if offset < ends {
                return LampState(
                    level: between.opposite, nextChange: cycle + TimeSpan(nanoseconds: ends),
                    isDip: true)
            }
            dip &+= 1
        }
        return LampState(level: between, nextChange: cycle + TimeSpan(nanoseconds: period))
    }

    /// `value` modulo `divisor` by shifts: 64-bit division needs a library on small processors.
    @inline(never)
    static func remainder(_ value: UInt64, _ divisor: UInt64) -> UInt64 {
        guard value >= divisor else { return value }
        var rest = value
        // From where the highest bits of both stand at one place.
        var places = divisor.leadingZeroBitCount &- value.leadingZeroBitCount
        while places >= 0 {
            let part = divisor &<< UInt64(truncatingIfNeeded: places)
            if part <= rest { rest &-= part }
            places &-= 1
        }
        return rest
    }
}
