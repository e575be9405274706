import DetentTypes

/// What a control's lamps show: the condition with the highest priority, and beneath it the value.
///
/// fault > failed > loading > confirm > mismatch > stale > unconfirmed > mixed > disabled > value.
/// Loading is held for its minimum, unless a fault or a failure overrides it, so that it never
/// flickers.
struct Indicator: Equatable, BitwiseCopyable {
    /// What is shown.
    private(set) var condition = LampCondition.off
    private(set) var pattern = Pattern.off
    private(set) var isLit = false
    /// The condition without the hold, to which the indicator turns when the hold ends.
    private var waiting = LampCondition.off
    /// The progress of a confirmation, and what the present period of `fill` shows.
    private var progress: UInt8 = 0
    private var tenths: UInt8 = 0
    /// When the pattern begins its first period.
    private var since = Instant.zero
    /// While loading is shown: the moment until which it stays.
    private var loadingUntil = Instant.zero
    /// Before this moment no other pattern may begin a dip.
    private var nextDip = Instant.zero
    private var lamp = LampState(level: .inactive, nextChange: .never)

    /// What the lamp shows now.
    var level: Level { lamp.level }

    var deadline: Instant {
        let isHeld = condition != waiting
        return isHeld ? min(lamp.nextChange, loadingUntil) : lamp.nextChange
    }

    /// A condition to show; returns the one to turn to, or nil if nothing changes.
    // Two steps, so that the caller looks up one pattern and copies none (Benchmarks/run).
    @inline(__always)
    mutating func accept(
        _ wanted: LampCondition, isLit: Bool, progress: UInt8, at now: Instant
    ) -> LampCondition? {
        waiting = wanted
        self.progress = progress
        if wanted == .fault || wanted == .failed { loadingUntil = .zero }
        let isHeld = wanted != .loading && now < loadingUntil
        let next = isHeld ? condition : wanted
        return next != condition || isLit != self.isLit ? next : nil
    }

    /// Turns to the condition that `accept` returned; returns true where its pattern is another
    /// one.
    @inline(__always)
    mutating func turn(
        to next: LampCondition, isLit: Bool, _ pattern: Pattern, at now: Instant
    ) -> Bool {
        let isNew = turn(to: next, pattern, at: now)
        self.isLit = isLit
        draw(at: now)
        return isNew
    }

    /// Keeps loading up until a moment, whatever lower condition comes.
    mutating func hold(until moment: Instant) { loadingUntil = moment }

    /// Whether the hold of the loading pattern ends at `now`.
    func isHoldOver(at now: Instant) -> Bool {
        condition != waiting && loadingUntil <= now
    }

    /// Draws what is due at `now`; returns true where the pattern is another one now.
    mutating func deadlineReached(_ patterns: PatternChoice, at now: Instant) -> Bool {
        let isNew = isHoldOver(at: now) ? turn(to: waiting, patterns[waiting], at: now) : false
        draw(at: now)
        return isNew
    }

    /// Takes up a condition; returns true where its pattern is another one.
    @inline(__always)
    private mutating func turn(
        to next: LampCondition, _ pattern: Pattern, at now: Instant
    ) -> Bool {
        condition = next
        let former = self.pattern
        self.pattern = pattern
        guard pattern != former else { return false }
        // A dip that is under way becomes the first one of the new pattern.
        since = lamp.isDip ? now : max(now, nextDip)
        tenths = wantedTenths
        return true
    }

    /// Without a confirmation there is no progress: half full.
    private var wantedTenths: UInt8 { condition == .confirm ? progress : 5 }

    private mutating func draw(at now: Instant) {
        if pattern == .off || pattern == .steady {
            lamp = LampState(level: Level(isLit && pattern == .steady), nextChange: .never)
        } else {
            drawDips(at: now)
        }
    }

    // Kept out of the way of values alone.
    @inline(never)
    private mutating func drawDips(at now: Instant) {
        let wasDip = lamp.isDip
        // Only at a change that is due: a dark lamp would light up twice in a period otherwise.
        if lamp.nextChange <= now { tenths = wantedTenths }
        lamp = pattern.lamp(isLit: isLit, since: since, at: now, tenths: tenths)
        if lamp.isDip, !wasDip { nextDip = now + Pattern.dipDistance }
    }
}
