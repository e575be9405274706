import DetentTypes

/// What the log says of the feedback of one control: each fault once, and when it is over.
struct FeedbackNews: Equatable {
    private enum Told: Equatable {
        case nothing
        case fault(String)
    }

    private var told = Told.nothing
    private var quietUntil = Instant.zero
    private var hasToldOfFlood = false

    /// Whether a fault should be said now: a new one, and not so soon after another.
    mutating func isNew(_ fault: String, at now: Instant) -> Bool {
        if case .fault(let known) = told, known == fault { return false }
        // Also one that comes and goes is said again after a while only.
        if now < quietUntil { return false }
        told = .fault(fault)
        quietUntil = now + RuntimeLimits.feedbackLogGap
        return true
    }

    /// Whether it should be said that the feedback works again.
    mutating func isOver() -> Bool {
        guard case .fault = told else { return false }
        told = .nothing
        return true
    }

    /// Whether it should be said that reports come too fast: once.
    mutating func isFlood() -> Bool {
        defer { hasToldOfFlood = true }
        return !hasToldOfFlood
    }
}
