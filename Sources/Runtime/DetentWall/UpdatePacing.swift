import DetentRuntime
import DetentTypes

/// When updates are passed on to a process: at most thirty times a second, and at once while it
/// waits for an answer.
struct UpdatePacing: Equatable {
    private var next = Instant.zero
    /// Requests that wait for an answer. Counted until `awaitedUntil`: an answer may be lost.
    private var awaited = 0
    private var awaitedUntil = Instant.zero

    /// A request waits for its answer.
    mutating func expectAnswer(now: Instant) {
        if awaited == 0 { next = .zero }
        awaited += 1
        awaitedUntil = now + RuntimeLimits.answerTime
    }

    /// An update is passed on.
    mutating func note(_ update: PanelUpdate) {
        switch update {
        case .answer, .complete: awaited = max(0, awaited - 1)
        case .report, .state, .level, .contact, .simulation, .restarted: break
        }
    }

    /// The waiting updates were passed on.
    mutating func forwarded(at now: Instant) {
        if awaitedUntil <= now { awaited = 0 }
        next = now + (awaited > 0 ? RuntimeLimits.answersEvery : RuntimeLimits.eventsEvery)
    }

    /// Until when updates wait; nil if they do not.
    func pause(now: Instant) -> Instant? { next > now ? next : nil }
}
