public import DetentTypes

/// The behaviour of a simulated action: how long an attempt takes, and how it ends.
public struct ActionScript: Equatable, Sendable {
    /// How an attempt ends.
    public enum Ending: Equatable, Sendable {
        case succeed
        case fail(code: Int32)
        /// Never: only a timeout or a cancellation ends it.
        case hang
        /// The connection is lost, so the outcome is unknown.
        case lose

        /// The words of the endings in files and messages.
        public static let words = ["succeed", "fail", "hang", "lose"]

        /// Its word.
        public var word: String {
            switch self {
            case .succeed: "succeed"
            case .fail: "fail"
            case .hang: "hang"
            case .lose: "lose"
            }
        }

        /// The ending with this word; only a failure uses the code.
        public init?(_ word: String, code: Int32) {
            let all: [Ending] = [.succeed, .fail(code: code), .hang, .lose]
            guard let ending = all.first(where: { $0.word == word }) else { return nil }
            self = ending
        }
    }

    /// How long an attempt takes.
    public var takes: TimeSpan
    /// How it ends.
    public var ending: Ending
    /// What the device answers when an attempt succeeds, verbatim; nil lets it do what it was
    /// asked.
    public var answer: String?

    /// Makes a script; by default an attempt succeeds at once.
    public init(
        takes: TimeSpan = .zero, then ending: Ending = .succeed, answer: String? = nil
    ) {
        self.takes = takes
        self.ending = ending
        self.answer = answer
    }
}

/// The devices of a panel, as its actions see them; reads no clock.
public struct ActionModel: Equatable, Sendable {
    /// An attempt that ended.
    public struct Outcome: Equatable, Sendable {
        /// The control of the attempt.
        public var control: ControlID
        /// The attempt.
        public var run: RunID
        /// How it ended.
        public var outcome: ActionOutcome
        /// The device's answer; nil for an action, and if there is no answer.
        public var answer: Value?
        /// What it says verbatim, which the caller reads; it may change the device.
        public var text: String?
        /// When it ended.
        public var at: Instant
        /// Whether it was a query.
        public var isQuery: Bool
    }

    private struct Attempt: Equatable {
        var control: ControlID
        var run: RunID
        var endsAt: Instant
        var outcome: ActionOutcome
        /// The value for the device; nil for a query.
        var value: Value?
        /// What the device answers, verbatim.
        var text: String?
    }

    /// The scripts of controls; other actions succeed at once.
    public private(set) var scripts: [ControlID: ActionScript]
    /// Requested failure codes for the next attempts of any control.
    private var anyFailures: [Int32] = []
    /// Requested failure codes for the next attempts of a control.
    private var failures: [ControlID: [Int32]] = [:]
    private var attempts: [Attempt] = [] {
        didSet { next = attempts.reduce(.never) { min($0, $1.endsAt) } }
    }
    /// The value of each device; none if it was never set.
    private var devices: [ControlID: Value] = [:]

    /// Controls without a program, whose attempts fail because the device is not reached where no
    /// code says more.
    public var connections: Set<ControlID> = []

    /// Makes the model; actions of controls without a script succeed at once.
    public init(scripts: [ControlID: ActionScript] = [:], connections: Set<ControlID> = []) {
        self.scripts = scripts
        self.connections = connections
    }

    private func failure(_ code: Int32, of control: ControlID) -> ActionOutcome {
        .failed(
            code == 1 && connections.contains(control)
                ? .unreachable : ActionFailure(code: code))
    }

    /// The next moment at which an attempt ends; `never` if there is none.
    public private(set) var next = Instant.never

    /// Starts an attempt to set the device to a value.
    ///
    /// - Parameter isConfirmed: whether the device confirms it with `answer` of the script. If not,
    ///   the attempt waits until its timeout. nil if `answer` is an answer.
    public mutating func start(
        _ control: ControlID, _ run: RunID, value: Value, at now: Instant,
        isConfirmed: Bool? = nil
    ) {
        let script = scripts[control] ?? ActionScript()
        var endsAt = now + script.takes
        var outcome = ActionOutcome.succeeded
        switch script.ending {
        case .succeed: if isConfirmed == false { endsAt = .never }
        case .fail(let code): outcome = failure(code, of: control)
        case .hang: endsAt = .never
        case .lose: outcome = .lost
        }
        if let code = takeFailure(of: control) {
            (endsAt, outcome) = (now + script.takes, failure(code, of: control))
        }
        add(
            Attempt(
                control: control, run: run, endsAt: endsAt, outcome: outcome, value: value,
                text: isConfirmed == nil ? script.answer : nil), now)
    }

    /// Starts a query of the device's value. It takes as long as an attempt, and fails if there is
    /// no value.
    public mutating func ask(_ control: ControlID, _ run: RunID, at now: Instant) {
        let script = scripts[control] ?? ActionScript()
        let outcome = takeFailure(of: control).map { failure($0, of: control) }
        add(
            Attempt(
                control: control, run: run, endsAt: now + script.takes,
                outcome: outcome ?? .succeeded, text: script.answer),
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

    /// Changes the value of a device from outside; the panel notices only by a query.
    public mutating func set(_ control: ControlID, to value: Value) { devices[control] = value }

    /// The value of a device; nil if it was never set.
    public func device(of control: ControlID) -> Value? { devices[control] }

    /// Removes an attempt that the engine has cancelled. Returns its control; nil if it had ended.
    @discardableResult
    public mutating func cancel(_ run: RunID) -> ControlID? {
        guard let place = attempts.firstIndex(where: { $0.run == run }) else { return nil }
        return attempts.remove(at: place).control
    }

    /// Sets the script for later attempts of a control; running attempts do not change.
    public mutating func setScript(_ script: ActionScript, for control: ControlID) {
        scripts[control] = script
    }

    /// Makes the running attempt of a control fail, or otherwise its next one.
    ///
    /// It fails when it would have ended, or now if it would never end.
    public mutating func fail(_ control: ControlID, code: Int32, at now: Instant) {
        if let place = attempts.firstIndex(where: { $0.control == control }) {
            attempts[place].outcome = failure(code, of: control)
            if attempts[place].endsAt == .never { attempts[place].endsAt = now }
        } else {
            guard failures[control, default: []].count < WorldLimits.attempts else { return }
            failures[control, default: []].append(code)
        }
    }

    /// Makes the running attempt of a control succeed now; without one, nothing changes.
    public mutating func finish(_ control: ControlID, at now: Instant) {
        guard let place = attempts.firstIndex(where: { $0.control == control }) else { return }
        attempts[place].outcome = .succeeded
        attempts[place].text = nil
        attempts[place].endsAt = now
    }

    /// Whether an attempt of a control runs.
    public func isRunning(_ control: ControlID) -> Bool {
        attempts.contains { $0.control == control }
    }

    /// Breaks a running attempt off, so that its outcome is unknown.
    public mutating func breakOff(_ run: RunID, at now: Instant) {
        guard let place = attempts.firstIndex(where: { $0.run == run }) else { return }
        attempts[place].outcome = .lost
        attempts[place].endsAt = now
    }

    /// Makes the next attempt of any control fail.
    public mutating func failNext(code: Int32) {
        if anyFailures.count < WorldLimits.attempts { anyFailures.append(code) }
    }

    /// The devices of a panel that follows: attempts of controls that are gone are forgotten.
    ///
    /// - Parameter place: the new place of a control; nil if it is gone.
    public func moved(_ place: (ControlID) -> ControlID?) -> ActionModel {
        func moved<Content>(_ table: [ControlID: Content]) -> [ControlID: Content] {
            var result: [ControlID: Content] = [:]
            for (control, content) in table {
                if let control = place(control) { result[control] = content }
            }
            return result
        }
        var model = self
        model.scripts = moved(scripts)
        model.failures = moved(failures)
        model.devices = moved(devices)
        model.attempts = attempts.compactMap { attempt in
            var attempt = attempt
            guard let control = place(attempt.control) else { return nil }
            attempt.control = control
            return attempt
        }
        return model
    }

    /// Removes all attempts, because the process that started them has ended. Devices keep their
    /// values.
    public mutating func abandon() {
        attempts = []
    }

    /// Removes the first attempt that has ended by `now`; attempts that end at the same moment are
    /// in the order of their start.
    public mutating func takeEnded(by now: Instant) -> Outcome? {
        let soonest = next
        guard soonest <= now, soonest != .never,
            let place = attempts.firstIndex(where: { $0.endsAt == soonest })
        else { return nil }
        let ended = attempts.remove(at: place)
        var outcome = ended.outcome
        var answer: Value?
        let text = outcome == .succeeded ? ended.text : nil
        if outcome == .succeeded, text == nil {
            if let value = ended.value {
                devices[ended.control] = value
            } else {
                answer = devices[ended.control]
                if answer == nil { outcome = failure(1, of: ended.control) }
            }
        }
        return Outcome(
            control: ended.control, run: ended.run, outcome: outcome, answer: answer,
            text: text, at: ended.endsAt, isQuery: ended.value == nil)
    }
}
