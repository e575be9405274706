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
        /// What the device said; nil for an action, and where it said nothing.
        public var answer: Value?
        /// When it ended.
        public var at: Instant
        /// It asked for the device's value.
        public var isQuery: Bool
    }

    private struct Attempt: Equatable {
        var control: ControlID
        var run: RunID
        var endsAt: Instant
        var outcome: ActionOutcome
        /// What the device shall have; nil for a question.
        var value: Value?
    }

    /// How attempts of controls go; the others succeed at once.
    public private(set) var scripts: [ControlID: ActionScript]
    /// Codes of failures that were asked for, for the next attempts of any control.
    private var anyFailures: [Int32] = []
    /// Codes of failures that were asked for, for the next attempts of a control.
    private var failures: [ControlID: [Int32]] = [:]
    private var attempts: [Attempt] = []
    /// The value of each device; none where nobody has brought one about.
    private var devices: [ControlID: Value] = [:]

    /// Makes the model; controls without a script succeed at once.
    public init(scripts: [ControlID: ActionScript] = [:]) {
        self.scripts = scripts
    }

    /// The next moment at which an attempt ends; `never` if none does.
    public var next: Instant { attempts.lazy.map(\.endsAt).min() ?? .never }

    /// Begins an attempt to give the device a value.
    public mutating func start(
        _ control: ControlID, _ run: RunID, value: Value, at now: Instant
    ) {
        let script = scripts[control] ?? ActionScript()
        var endsAt = now + script.takes
        var outcome = ActionOutcome.succeeded
        switch script.ending {
        case .succeed: break
        case .fail(let code): outcome = .failed(ActionFailure(code: code))
        case .hang: endsAt = .never
        case .lose: outcome = .lost
        }
        if let code = takeFailure(of: control) {
            (endsAt, outcome) = (now + script.takes, .failed(ActionFailure(code: code)))
        }
        add(
            Attempt(control: control, run: run, endsAt: endsAt, outcome: outcome, value: value), now
        )
    }

    /// Asks the device for its value, which takes as long as an attempt; it fails without one.
    public mutating func ask(_ control: ControlID, _ run: RunID, at now: Instant) {
        let takes = scripts[control]?.takes ?? .zero
        let outcome = takeFailure(of: control).map { ActionOutcome.failed(ActionFailure(code: $0)) }
        add(
            Attempt(
                control: control, run: run, endsAt: now + takes, outcome: outcome ?? .succeeded),
            now)
    }

    private mutating func takeFailure(of control: ControlID) -> Int32? {
        if let code = failures[control]?.first {
            failures[control]?.removeFirst()
            return code
        }
        return anyFailures.isEmpty ? nil : anyFailures.removeFirst()
    }

    private mutating func add(_ attempt: Attempt, _ now: Instant) {
        var attempt = attempt
        if attempts.count >= WorldLimits.attempts {
            attempt.endsAt = now
            attempt.outcome = .failed(.notStarted)
        }
        attempts.append(attempt)
    }

    /// Somebody gives a device another value; the panel learns it only by asking.
    public mutating func set(_ control: ControlID, to value: Value) { devices[control] = value }

    /// The value of a device; nil where nobody has brought one about.
    public func device(of control: ControlID) -> Value? { devices[control] }

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
    ///
    /// It fails at the moment at which it would have ended, or now where it never would.
    public mutating func fail(_ control: ControlID, code: Int32, at now: Instant) {
        if let place = attempts.firstIndex(where: { $0.control == control }) {
            attempts[place].outcome = .failed(ActionFailure(code: code))
            if attempts[place].endsAt == .never { attempts[place].endsAt = now }
        } else {
            guard failures[control, default: []].count < WorldLimits.attempts else { return }
            failures[control, default: []].append(code)
        }
    }

    /// Lets the next attempt fail, whichever control it is for.
    public mutating func failNext(code: Int32) {
        if anyFailures.count < WorldLimits.attempts { anyFailures.append(code) }
    }

    /// Forgets all attempts: the process that had started them is gone. Devices keep their values.
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
        var outcome = ended.outcome
        var answer: Value?
        if outcome == .succeeded {
            if let value = ended.value {
                devices[ended.control] = value
            } else {
                answer = devices[ended.control]
                if answer == nil { outcome = .failed(.exit(1)) }
            }
        }
        return Outcome(
            control: ended.control, run: ended.run, outcome: outcome, answer: answer,
            at: ended.endsAt, isQuery: ended.value == nil)
    }
}
