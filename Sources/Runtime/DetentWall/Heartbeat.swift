import DetentTypes

/// How long a process may take to show that it is alive.
struct LifeTimes: Equatable, Sendable {
    /// How often it is asked even if it owes nothing; nil for never.
    var rhythm: TimeSpan?
    /// From a question to its answer.
    var answer = WallLimits.heartbeatAnswer
    /// From its start until it asks for the history.
    var start = WallLimits.startTime
    /// How long connections wait for a process that does not start.
    var unserved = WallLimits.unserved
}

/// Asks a process whether it is alive: when it owes something, and in a rhythm if it has one.
///
/// The process answers with the thread that does its work. So a thread that hangs is noticed within
/// `WallLimits.heartbeat` plus `WallLimits.heartbeatAnswer` of the first thing that it should have
/// done, and a process that owes nothing is not woken.
struct Heartbeat: Equatable, Sendable {
    private enum State: Equatable, Sendable {
        /// Nothing is owed. The next question is possible from `earliest` on.
        case quiet(earliest: Instant)
        /// A question is due then, and possible from `earliest` on.
        case due(at: Instant, earliest: Instant)
        /// It was asked then, and has not answered.
        case asked(at: Instant, until: Instant)
        /// The same, and more has been owed since.
        case askedAgain(at: Instant, until: Instant)
    }

    private let times: LifeTimes
    private var state = State.quiet(earliest: .zero)
    /// The number of the last question.
    private var number: UInt32 = 0

    init(_ times: LifeTimes = LifeTimes()) {
        self.times = times
    }

    /// It owes something from now on, such as an answer, or the handling of what was sent.
    mutating func owe(at now: Instant) {
        switch state {
        case .quiet(let earliest): state = .due(at: max(earliest, now), earliest: earliest)
        case .due(let at, let earliest):
            state = .due(at: min(at, max(earliest, now)), earliest: earliest)
        case .asked(let at, let until): state = .askedAgain(at: at, until: until)
        case .askedAgain: break
        }
    }

    /// The number of the question that is to be sent now; nil if none is due.
    mutating func next(at now: Instant) -> UInt32? {
        guard case .due(let at, _) = state, at <= now else { return nil }
        number = number == .max ? 1 : number + 1
        state = .asked(at: now, until: now + times.answer)
        return number
    }

    /// It has answered a question; answers to others are ignored.
    ///
    /// - Parameter isBusy: whether it still has something to do for others, such as a connection.
    mutating func answered(_ number: UInt32, isBusy: Bool) {
        guard number == self.number else { return }
        switch state {
        case .asked(let at, _):
            let earliest = at + WallLimits.heartbeat
            if isBusy {
                state = .due(at: earliest, earliest: earliest)
            } else if let rhythm = times.rhythm {
                state = .due(at: at + rhythm, earliest: earliest)
            } else {
                state = .quiet(earliest: earliest)
            }
        case .askedAgain(let at, _):
            let earliest = at + WallLimits.heartbeat
            state = .due(at: earliest, earliest: earliest)
        case .quiet, .due: break
        }
    }

    /// Whether it has not answered in time.
    ///
    /// Who looks so late was stopped or starved itself. The other may have been too, or found no
    /// room for its answer: then it is asked again.
    mutating func isOverdue(at now: Instant) -> Bool {
        switch state {
        case .quiet, .due: return false
        case .asked(_, let until), .askedAgain(_, let until):
            guard until <= now else { return false }
            if now - until <= WallLimits.heartbeatLateness { return true }
            state = .due(at: now, earliest: now)
            return false
        }
    }

    /// When `next` or `isOverdue` has something to say; `never` if nothing is owed.
    var deadline: Instant {
        switch state {
        case .quiet: .never
        case .due(let at, _): at
        case .asked(_, let until), .askedAgain(_, let until): until
        }
    }
}
