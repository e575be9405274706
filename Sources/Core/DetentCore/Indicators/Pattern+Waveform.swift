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
