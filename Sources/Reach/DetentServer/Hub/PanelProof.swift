import DetentRuntime
import DetentTypes
import DetentWorld

/// Whether the panel behind a server is alive, as far as its words show: it is not believed.
struct PanelProof: Equatable {
    private enum Question: Equatable {
        case none
        case asked(at: Instant)
    }

    /// The question for all states that the panel has not answered.
    private var question = Question.none
    /// When the last question that it answered was asked.
    private var sharedFrom: Instant?
    /// When it last said anything.
    private var heardAt: Instant?

    /// The panel is asked for all states; an earlier question is answered with this one.
    mutating func asked(at now: Instant) {
        if case .none = question { question = .asked(at: now) }
    }

    /// The panel has said something.
    mutating func heard(at now: Instant) { heardAt = now }

    /// The panel has told all states.
    mutating func answered() {
        guard case .asked(let moment) = question else { return }
        sharedFrom = moment
        question = .none
    }

    /// Whether it owes an answer.
    var isAsked: Bool { question != .none }

    /// Whether it owes an answer for too long.
    func isOverdue(at now: Instant) -> Bool {
        guard case .asked(let moment) = question else { return false }
        return moment + RuntimeLimits.answerTime <= now
    }

    /// Whether it said something of late.
    func isFresh(at now: Instant) -> Bool { Self.isRecent(heardAt, now) }

    /// Whether the answer to the last question can be shared.
    func isShared(at now: Instant) -> Bool { Self.isRecent(sharedFrom, now) }

    private static func isRecent(_ moment: Instant?, _ now: Instant) -> Bool {
        moment.map { now < $0 + ServerLimits.sharedAnswer } ?? false
    }
}

/// A caller that waits for the states of all controls.
struct StateRequest {
    /// The WebSocket that asks; nil for HTTP.
    let source: InputSourceID?
    /// When the answer is overdue.
    let until: Instant
    let finish: (APIError?) -> Void
}

extension APIError {
    /// The panel does not say a word.
    static var hangs: APIError {
        APIError(
            503, "No answer from the panel",
            "it hangs or has too much to do: see its log, and start it again if this lasts")
    }
}
