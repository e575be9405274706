import DetentTypes

/// What the log says of the feedback of one control: each fault once, and when it is over.
struct FeedbackNews: Equatable {
    private enum Told: Equatable {
        case nothing
        case fault(String)
    }

    /// What a fault is about.
    enum Subject: Equatable {
        /// What was reported; its text is that of a device.
        case report
        /// The source, which is gone for this reason.
        case source(String)
    }

    private struct Said: Equatable {
        var subject: Subject
        var until: Instant
    }

    private var told = Told.nothing
    /// What was said lately, with the moment from which it may be said again.
    private var lately: [Said] = []
    private var hasToldOfFlood = false

    /// Whether a fault should be said now: a new one, of which not too many were said lately.
    mutating func isNew(_ fault: String, about subject: Subject, at now: Instant) -> Bool {
        if case .fault(let known) = told, known == fault { return false }
        lately.removeAll { $0.until <= now }
        // Also one that comes and goes is said again after a while only.
        guard lately.count < RuntimeLimits.feedbackLogFaults,
            !lately.contains(where: { $0.subject == subject })
        else { return false }
        told = .fault(fault)
        lately.append(Said(subject: subject, until: now + RuntimeLimits.feedbackLogGap))
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
