import DetentTypes

/// One attempt of an action: in flight, or waiting for its next try.
struct Attempt: Equatable, BitwiseCopyable {
    var run: RunID
    var action: ActionID
    let value: Value
    var timeoutAt: Instant
    var retriesLeft: UInt8
    /// The device reported this value during the attempt, and no other value since.
    var isReportedByDevice = false
    /// Some of its steps are done, so the state of the device is unknown.
    var isPartlyDone = false
    /// A failure started it, to return to what was confirmed; so its own failure starts nothing.
    var isRevert: Bool
    var backoff: TimeSpan

    /// Makes an attempt that has not started. A revert is not tried again.
    init(_ action: ActionID, for value: Value, _ settings: ActionSettings, isRevert: Bool) {
        run = RunID(0)
        self.action = action
        self.value = value
        timeoutAt = .never
        self.isRevert = isRevert
        retriesLeft = 0
        backoff = .zero
        if !isRevert { allowRetries(settings) }
    }

    private mutating func allowRetries(_ settings: ActionSettings) {
        switch settings.onFailure {
        case .retry(let count, let first, _):
            retriesLeft = count
            backoff = first
        case .revert, .keep:
            return
        }
    }

    /// A request came for the value that it brings about: its failure is that of the request.
    mutating func join(_ settings: ActionSettings) {
        guard isRevert else { return }
        isRevert = false
        allowRetries(settings)
    }

    /// What the engine needs to start or stop it.
    var handle: AttemptHandle { AttemptHandle(run: run, action: action, value: value) }

    /// Its action has another place from now on.
    mutating func move(_ places: Engine.Places) { action = places.action(action) ?? action }

    /// Starts it under a new run.
    mutating func launch(_ context: inout AttemptContext) {
        run = context.nextRun()
        timeoutAt = context.timeout(of: action)
        context.changes.start(handle)
    }

    /// When the next try is due, after which one try less is left; nil where none is left.
    mutating func nextTry(after now: Instant) -> Instant? {
        guard retriesLeft > 0 else { return nil }
        let due = now + backoff
        retriesLeft &-= 1
        backoff = backoff + backoff
        return due
    }
}

/// What starts and stops an attempt outside the core.
struct AttemptHandle: Equatable, BitwiseCopyable {
    let run: RunID
    let action: ActionID
    /// The value that the attempt brings about; unknown where it asks the device for its value.
    let value: Value
}

/// What a machine needs to start attempts, and what it changed meanwhile.
struct AttemptContext {
    let now: Instant
    let actions: ActionLookup
    /// The run that was started last.
    private(set) var lastRun: UInt32
    var changes = Changes()

    init(now: Instant, actions: ActionLookup, lastRun: UInt32) {
        self.now = now
        self.actions = actions
        self.lastRun = lastRun
    }

    mutating func nextRun() -> RunID {
        lastRun &+= 1
        return RunID(lastRun)
    }

    /// When an attempt of an action that starts now times out.
    func timeout(of action: ActionID) -> Instant {
        actions.settings(of: action).timeout.map { now + $0 } ?? .never
    }
}
