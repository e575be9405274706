public import DetentTypes

/// What a simulated action does: how long an attempt takes, and how it ends.
public struct ActionScript: Equatable, Sendable {
    /// How an attempt ends.
    public enum Ending: Equatable, Sendable {
        case succeed
        case fail(code: Int32)
        /// Never: only a timeout or a cancel ends it.
        case hang
        /// The connection is lost, so nobody knows.
        case lose
    }

    /// How long an attempt takes.
    public var takes: TimeSpan
    /// How it ends.
    public var ending: Ending

    /// Makes a script; by default an attempt succeeds at once.
    public init(takes: TimeSpan = .zero, then ending: Ending = .succeed) {
        self.takes = takes
        self.ending = ending
    }
}

/// The devices behind a panel, as far as actions know them; reads no clock.
public struct ActionModel: Equatable, Sendable {
    /// An attempt that ended.
    public struct Outcome: Equatable, Sendable {
        /// The control that it is for.
        public var control: ControlID
        /// The attempt.
        public var run: RunID
        /// How it ended.
        public var outcome: ActionOutcome
        /// When it ended.
        public var at: Instant
    }

    private struct Attempt: Equatable {
        var control: ControlID
        var run: RunID
        var endsAt: Instant
        var outcome: ActionOutcome
    }

    private var scripts: [ControlID: ActionScript]
    /// Codes of failures that were asked for, for the next attempts of a control.
    private var failures: [ControlID: [Int32]] = [:]
    private var attempts: [Attempt] = []

    /// Makes the model; controls without a script succeed at once.
    public init(scripts: [ControlID: ActionScript] = [:]) {
        self.scripts = scripts
    }

    /// The next moment at which an attempt ends; `never` if none does.
    public var next: Instant { attempts.lazy.map(\.endsAt).min() ?? .never }

    /// Begins an attempt.
    public mutating func start(_ control: ControlID, _ run: RunID, at now: Instant) {
        let script = scripts[control] ?? ActionScript()
        var endsAt = now + script.takes
        var outcome = ActionOutcome.succeeded
        switch script.ending {
        case .succeed: break
        case .fail(let code): outcome = .failed(code: code)
        case .hang: endsAt = .never
        case .lose: outcome = .lost
        }
        if let code = failures[control]?.first {
            failures[control]?.removeFirst()
            (endsAt, outcome) = (now + script.takes, .failed(code: code))
        }
        if attempts.count >= WorldLimits.attempts { (endsAt, outcome) = (now, .failed(code: -1)) }
        attempts.append(Attempt(control: control, run: run, endsAt: endsAt, outcome: outcome))
    }

    /// Forgets an attempt that the engine has given up; whose it was, nil where it had ended.
    @discardableResult
    public mutating func cancel(_ run: RunID) -> ControlID? {
        guard let place = attempts.firstIndex(where: { $0.run == run }) else { return nil }
        return attempts.remove(at: place).control
    }

    /// From now on attempts of a control go by another script; those in flight stay as they are.
    public mutating func follow(_ script: ActionScript, for control: ControlID) {
        scripts[control] = script
    }

    /// Lets the attempt of a control that is in flight fail, or else its next one.
    public mutating func fail(_ control: ControlID, code: Int32) {
        if let place = attempts.firstIndex(where: { $0.control == control }) {
            attempts[place].outcome = .failed(code: code)
        } else {
            failures[control, default: []].append(code)
        }
    }

    /// Forgets all attempts: the process that had started them is gone.
    public mutating func abandon() {
        attempts = []
    }

    /// Takes out the first attempt that has ended by `now`; those of one moment in their order of
    /// start.
    public mutating func takeEnded(by now: Instant) -> Outcome? {
        let soonest = next
        guard soonest <= now, soonest != .never,
            let place = attempts.firstIndex(where: { $0.endsAt == soonest })
        else { return nil }
        let ended = attempts.remove(at: place)
        return Outcome(
            control: ended.control, run: ended.run, outcome: ended.outcome, at: ended.endsAt)
    }
}
