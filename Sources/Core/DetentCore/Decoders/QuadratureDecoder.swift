import DetentTypes

/// The detents of a rotary encoder, from the levels of A and B.
///
/// The whole cycle is followed, never the line that moved: a bounce goes forth and back and
/// cancels. Quarters are counted from the last rest, where the count starts anew, so a lost pulse
/// costs nothing that the next detent does not put right. Both lines changing at one stamp, as
/// polled expanders tell it, is a transition that cannot be: edges between were lost. It counts as
/// lost and in no direction, and what comes up to the next rest counts for nothing. A detent is
/// therefore told only when its stamp is over, since the other line may change at the same one.
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

    /// What has been seen since the last rest.
    private enum Progress: Equatable, BitwiseCopyable {
        /// Quarters, clockwise positive.
        case counted(Int8)
        /// Both lines have changed at once: the position is unknown until the next rest.
        case adrift
    }

    private struct Change: Equatable, BitwiseCopyable {
        var at = Instant.never
        var levels: UInt8 = 0
        var progress = Progress.counted(0)
    }

    /// What the present stamp has brought so far, told when it is over.
    private enum Outcome: Equatable, BitwiseCopyable {
        case none
        case detent(Int8)
    }

    private enum Detent: Equatable, BitwiseCopyable {
        case everyTransition
        case twoTransitions
        case fourTransitions
    }

    private let detent: Detent
    /// The levels of A and B at rest.
    private let rest: UInt8
    private let acceleration: UInt8
    /// A in bit 1, B in bit 0.
    private var levels: UInt8 = 0
    private var progress = Progress.counted(0)
    /// The last change: when it came, and what held before it.
    private var last = Change()
    private var outcome = Outcome.none
    /// Direction of the last detent: 1, -1, or 0 before the first.
    private var direction: Int8 = 0
    private var lastDetent = Instant.zero
    private var reversal = Reversal.none
    /// Transitions that cannot be, since start.
    private(set) var lost: UInt32 = 0

    init(_ settings: EncoderSettings, acceleration: UInt8) {
        detent =
            settings.transitions == 1
            ? .everyTransition : settings.transitions == 2 ? .twoTransitions : .fourTransitions
        rest = settings.rest & 3
        self.acceleration = acceleration
    }

    var deadline: Instant {
        let settled: Instant =
            switch outcome {
            case .none: .never
            case .detent: last.at + .nanoseconds(1)
            }
        switch reversal {
        case .none: return settled
        case .waiting(let until): return min(until, settled)
        }
    }

    /// The moment at which what is due at `now` happened: a detent at its own stamp.
    func moment(dueAt now: Instant) -> Instant {
        switch outcome {
        case .none: now
        case .detent: min(now, last.at)
        }
    }

    mutating func start(_ levels: UInt8) {
        self.levels = levels & 3
        progress = .counted(0)
        last = Change()
        outcome = .none
        reversal = .none
    }

    mutating func contacts(_ now: UInt8, at moment: Instant) -> DecoderOutput {
        guard levels != now & 3 else { return .nothing }
        if last.at == moment {
            // The other line at the same stamp: both are looked at together.
            progress = last.progress
            outcome = .none
        } else {
            last = Change(at: moment, levels: levels, progress: progress)
        }
        levels = now & 3
        var decoded = DecoderOutput.nothing
        // A clockwise turn changes A first.
        let quarters = (Self.quarter(levels) &- Self.quarter(last.levels)) & 3
        if quarters == 2 {
            lost &+= 1
            decoded.gestures.insert(.lost)
            progress = .adrift
        } else if quarters != 0 {  // 0: there and back
            count(quarters == 1 ? 1 : -1)
        }
        guard isRest, levels != last.levels else { return decoded }
        if case .counted(let quarters) = progress {
            let detents = detentsAtRest(quarters)
            if detents != 0 { outcome = .detent(detents) }
        }
        progress = .counted(0)
        return decoded
    }

    private mutating func count(_ quarter: Int8) {
        // Between two rests there are three at most.
        if case .counted(let quarters) = progress { progress = .counted(quarters &+ quarter) }
    }

    /// The stamp of a detent is over, or nothing has cancelled the step back.
    mutating func deadlineReached(at now: Instant) -> DecoderOutput {
        guard case .detent(let step) = outcome else {
            reversal = .none
            return stepped(direction > 0 ? -1 : 1, .nothing, at: now)
        }
        outcome = .none
        if detent == .everyTransition {
            return locked(step, .nothing, at: last.at)
        }
        return stepped(step, .nothing, at: last.at)
    }

    /// Place of a pair of levels in a clockwise turn: 00, 10, 11, 01, packed two bits each.
    private static func quarter(_ levels: UInt8) -> UInt8 {
        (0b10_01_11_00 >> (levels &* 2)) & 3
    }

    private var isRest: Bool {
        switch detent {
        case .everyTransition: true
        case .twoTransitions: levels == rest || levels == ~rest & 3
        case .fourTransitions: levels == rest
        }
    }

    /// At least half of the quarters that a detent has must have been seen.
    private func detentsAtRest(_ quarters: Int8) -> Int8 {
        let needed: Int8 = detent == .everyTransition ? 1 : 2
        return quarters >= needed ? 1 : quarters <= -needed ? -1 : 0
    }

    private mutating func locked(
        _ step: Int8, _ decoded: DecoderOutput, at now: Instant
    ) -> DecoderOutput {
        switch reversal {
        case .none where direction != 0 && step != direction:
            reversal = .waiting(until: now + Self.reversalLock)
            return decoded
        case .none:
            return stepped(step, decoded, at: now)
        case .waiting where step == direction:
            reversal = .none  // forth again: the two cancel
            return decoded
        case .waiting:
            reversal = .none  // a second step back: both were real
            var both = stepped(step, decoded, at: now)
            both.delta &*= 2
            both.steps &*= 2
            return both
        }
    }

    private mutating func stepped(
        _ step: Int8, _ decoded: DecoderOutput, at now: Instant
    ) -> DecoderOutput {
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
