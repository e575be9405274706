import DetentTypes

/// What a control's lamps show: the condition with the highest priority, and beneath it the value.
///
/// fault > failed > loading > mismatch > stale > mixed > disabled > value. Loading is held for its
/// minimum, unless a fault or a failure overrides it, so that it never flickers.
struct Indicator: Equatable, BitwiseCopyable {
    private(set) var pattern = Pattern.off
    private(set) var isLit = false
    private var since = Instant.zero
    /// While loading is shown: the moment until which it stays.
    private var loadingUntil = Instant.zero
    private var lamp = LampState(level: .inactive, nextChange: .never)
    /// The condition without the hold, to which the indicator turns when the hold ends.
    private var waiting = Pattern.off

    /// What the lamp shows now.
    var level: Level { lamp.level }

    var deadline: Instant {
        let isHeld = pattern != waiting
        return isHeld ? min(lamp.nextChange, loadingUntil) : lamp.nextChange
    }

    /// The pattern of the highest condition.
    static func pattern(
        flags: Flag, phase: Phase, isLit: Bool, _ choice: PatternChoice
    ) -> Pattern {
        if flags.contains(.fault) { return choice.fault }
        if phase == .failed { return choice.failed }
        if phase == .loading { return choice.loading }
        if flags.contains(.mismatch) { return choice.mismatch }
        if flags.contains(.stale) { return choice.stale }
        if flags.contains(.mixed) { return choice.mixed }
        if flags.contains(.disabled) { return choice.disabled }
        return isLit ? .steady : .off
    }

    /// Shows a condition; returns true where the pattern is another one now.
    mutating func show(
        flags: Flag, phase: Phase, isLit: Bool, _ choice: PatternChoice,
        loadingMinimum: TimeSpan, at now: Instant
    ) -> Bool {
        let wanted = Self.pattern(flags: flags, phase: phase, isLit: isLit, choice)
        waiting = wanted
        let overrides = flags.contains(.fault) || phase == .failed || phase == .loading
        let isHeld = now < loadingUntil && !overrides
        if overrides, phase != .loading || flags.contains(.fault) { loadingUntil = .zero }
        let next = isHeld ? pattern : wanted
        guard next != pattern || isLit != self.isLit else { return false }
        let isNew = next != pattern
        if isNew {
            since = now
            if phase == .loading, !flags.contains(.fault) { loadingUntil = now + loadingMinimum }
        }
        pattern = next
        self.isLit = isLit
        lamp = next.lamp(isLit: isLit, since: since, at: now)
        return isNew
    }

    /// Whether the hold of the loading pattern ends at `now`.
    func isHoldOver(at now: Instant) -> Bool {
        pattern != waiting && loadingUntil <= now
    }

    /// Draws what is due at `now`; returns true where the pattern is another one now.
    mutating func deadlineReached(at now: Instant) -> Bool {
        var isNew = false
        if isHoldOver(at: now) {
            pattern = waiting
            since = now
            isNew = true
        }
        lamp = pattern.lamp(isLit: isLit, since: since, at: now)
        return isNew
    }
}
