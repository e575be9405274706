import DetentTypes

/// The detents of a rotary encoder, from the levels of A and B.
///
/// The whole cycle is followed, never the line that moved: a bounce goes forth and back and
/// cancels. Quarters are counted from the last rest, where the count starts anew, so a lost pulse
/// costs nothing that the next detent does not put right. Both lines changing at once is a
/// transition that cannot be: an edge was lost, and it is taken to have gone on in the direction
/// under way, if there is one.
///
/// With one transition a detent nothing within a detent tells a bounce from a reversal, so the
/// first step back waits `reversalLock` for the step that would cancel it.
struct QuadratureDecoder: Equatable, BitwiseCopyable {
    /// 5 ms: longer than encoder contacts bounce (data sheets say at most 2 to 3 ms).
    static var reversalLock: TimeSpan { .milliseconds(5) }
    /// Detents slower than this apart are never accelerated; about 100 ms in units of 1024 ns.
    private static var slowestUnits: UInt32 { 97_656 }
    /// Detents this fast have full acceleration: 100 a second; 10 ms in units of 1024 ns.
    private static var fastestUnits: UInt32 { 9_766 }

    private enum Reversal: Equatable, BitwiseCopyable {
        case none
        case waiting(until: Instant)
    }

    /// A in bit 1, B in bit 0.
    private var levels: UInt8 = 0
    /// Quarters since the last rest, clockwise positive.
    private var quarters: Int8 = 0
    /// Direction of the last detent: 1, -1, or 0 before the first.
    private var direction: Int8 = 0
    private var lastDetent = Instant.zero
    private var reversal = Reversal.none
    /// Transitions that cannot be, since start.
    private(set) var lost: UInt32 = 0

    var deadline: Instant {
        switch reversal {
        case .none: .never
        case .waiting(let until): until
        }
    }

    mutating func start(_ levels: UInt8) {
        self.levels = levels & 3
        quarters = 0
        reversal = .none
    }

    mutating func contacts(
        _ now: UInt8, at moment: Instant, _ settings: EncoderSettings, acceleration: UInt8
    ) -> Decoded {
        let before = levels
        levels = now & 3
        guard before != levels else { return .nothing }
        var decoded = Decoded.nothing
        // A clockwise turn changes A first.
        switch (Self.quarter(levels) &- Self.quarter(before)) & 3 {
        case 1: quarters &+= 1
        case 3: quarters &-= 1
        case _:
            lost &+= 1
            decoded.gestures.insert(.lost)
            // Noise that never comes to rest must not wrap the count into the other direction.
            if abs(quarters) <= 4 { quarters &+= quarters > 0 ? 2 : quarters < 0 ? -2 : 0 }
        }
        guard isRest(settings) else { return decoded }
        let detents = detentsAtRest(settings)
        quarters = 0
        guard detents != 0 else { return decoded }
        if settings.transitions == 1 {
            return locked(detents, decoded, at: moment, acceleration)
        }
        return stepped(detents, decoded, at: moment, acceleration)
    }

    /// Nothing cancelled the step back: it was one.
    mutating func deadlineReached(at now: Instant, acceleration: UInt8) -> Decoded {
        reversal = .none
        return stepped(direction > 0 ? -1 : 1, .nothing, at: now, acceleration)
    }

    /// Place of a pair of levels in a clockwise turn: 00, 10, 11, 01, packed two bits each.
    private static func quarter(_ levels: UInt8) -> UInt8 {
        (0b10_01_11_00 >> (levels &* 2)) & 3
    }

    private func isRest(_ settings: EncoderSettings) -> Bool {
        switch settings.transitions {
        case 1: true
        case 2: levels == settings.rest & 3 || levels == ~settings.rest & 3
        case _: levels == settings.rest & 3
        }
    }

    /// At least half of the quarters that a detent has must have been seen.
    private func detentsAtRest(_ settings: EncoderSettings) -> Int8 {
        let needed: Int8 = settings.transitions >= 2 ? 2 : 1
        return quarters >= needed ? 1 : quarters <= -needed ? -1 : 0
    }

    private mutating func locked(
        _ step: Int8, _ decoded: Decoded, at now: Instant, _ acceleration: UInt8
    ) -> Decoded {
        switch reversal {
        case .none where direction != 0 && step != direction:
            reversal = .waiting(until: now + Self.reversalLock)
            return decoded
        case .none:
            return stepped(step, decoded, at: now, acceleration)
        case .waiting where step == direction:
            reversal = .none  // forth again: the two cancel
            return decoded
        case .waiting:
            reversal = .none  // a second step back: both were real
            var both = stepped(step, decoded, at: now, acceleration)
            both.delta &*= 2
            both.steps &*= 2
            return both
        }
    }

    private mutating func stepped(
        _ step: Int8, _ decoded: Decoded, at now: Instant, _ acceleration: UInt8
    ) -> Decoded {
        var decoded = decoded
        decoded.gestures.insert(.stepped)
        decoded.delta = Int16(step)
        decoded.steps = Int16(step)
        // A change of direction is never multiplied: it may be the bounce of a fast turn.
        if step == direction {
            decoded.steps &*= Self.multiplier(now - lastDetent, acceleration)
        }
        direction = step
        lastDetent = now
        return decoded
    }

    /// From 1 at 100 ms a detent or slower, in proportion to `acceleration` at 10 ms or faster.
    private static func multiplier(_ interval: TimeSpan, _ acceleration: UInt8) -> Int16 {
        guard acceleration > 1 else { return 1 }
        let units = interval.nanoseconds >> 10
        guard units < UInt64(slowestUnits) else { return 1 }
        let faster = slowestUnits &- max(UInt32(truncatingIfNeeded: units), fastestUnits)
        let extra = (UInt32(acceleration) &- 1) &* faster / (slowestUnits &- fastestUnits)
        return 1 &+ Int16(truncatingIfNeeded: extra)
    }
}
