import DetentTypes

@testable import DetentCore

/// A control told once more in the plainest way: whole milliseconds, nothing event-driven, nothing
/// shared with the engine. It reverts after a failure.
struct PlainControl {
    struct Attempt {
        var number: Int
        var value: Int32
        var timeoutAt: Int
    }

    var hasAction = true
    var supersede = ActionSettings.Supersede.wait
    var timeout = 400
    var desired: Int32 = 0
    /// nil: unknown.
    var actual: Int32?
    var confirmed: Int32?
    /// The value at start.
    var initial: Int32 = 0
    var attempt: Attempt?
    /// Attempts that have begun so far.
    var begun = 0
    var phase = Phase.idle
    var staged: Int32?
    private var acceptedAt = 0
    private var phaseUntil = 0

    /// False where it is refused.
    mutating func ask(_ value: Int32, _ now: Int) -> Bool {
        if let attempt, attempt.value != value, supersede == .ignore { return false }
        desired = value
        acceptedAt = now
        guard let running = attempt else {
            if value == actual { phase = .idle } else { begin(value, now) }
            return true
        }
        if phase == .failed { wait() }
        if supersede == .cancel, running.value != value {
            actual = nil
            begin(value, now)
        }
        return true
    }

    private mutating func wait() {
        phase = .pending
        phaseUntil = acceptedAt + 150
    }

    private mutating func begin(_ value: Int32, _ now: Int, isRevert: Bool = false) {
        guard hasAction else {
            actual = value
            confirmed = value
            attempt = nil
            if !isRevert { phase = .idle }
            return
        }
        begun += 1
        attempt = Attempt(number: begun, value: value, timeoutAt: now + timeout)
        if !isRevert, phase != .loading { wait() }
    }

    mutating func finish(
        _ number: Int, _ outcome: ActionOutcome, _ now: Int, isPartlyDone: Bool = false
    ) {
        guard let ended = attempt, ended.number == number else { return }
        attempt = nil
        switch outcome {
        case .succeeded:
            actual = ended.value
            confirmed = ended.value
            if desired != ended.value {
                begin(desired, now)
            } else if phase != .failed {
                phase = .idle
            }
            return
        case .failed: break
        case .timedOut, .cancelled, .killed, .lost: actual = nil
        }
        guard desired == ended.value else {
            if desired == actual { phase = .idle } else { begin(desired, now) }
            return
        }
        phase = .failed
        phaseUntil = now + 3_000
        let last = confirmed ?? initial
        guard last != desired else { return }
        desired = last
        var mayHaveActed = isPartlyDone
        switch outcome {
        case .succeeded, .failed: break
        case .timedOut, .cancelled, .killed, .lost: mayHaveActed = true
        }
        guard confirmed != nil || mayHaveActed else { return }
        if actual != last { begin(last, now, isRevert: true) }
    }

    /// The device told its value while nothing was under way.
    mutating func tell(_ value: Int32) {
        if value != actual { desired = value }
        actual = value
        confirmed = value
    }

    /// What is due; true where something was.
    mutating func pass(_ now: Int) -> Bool {
        if let attempt, attempt.timeoutAt <= now {
            finish(attempt.number, .timedOut, now)
            return true
        }
        guard phaseUntil <= now else { return false }
        switch phase {
        case .pending: phase = .loading
        case .failed: phase = attempt == nil ? .idle : .loading
        case .idle, .loading: return false
        }
        return true
    }
}
