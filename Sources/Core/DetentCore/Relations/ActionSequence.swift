import DetentTypes

/// The steps of one attempt that the core makes by itself, one after another.
///
///     idle ──begin──▶ due ──step done at once──▶ due (the next) … ──last──▶ idle
///                      └──step takes time──▶ waiting for its end ──▶ due (the next)
struct ActionSequence: Equatable, BitwiseCopyable {
    private enum State: Equatable, BitwiseCopyable {
        case idle
        /// The step at `place` is to be done.
        case due
        case waiting(until: Instant)
        /// An output is being written; `pulse` is how long it stays active then, zero for good.
        case writing(LineID, Level, pulse: TimeSpan)
        case pulsing(LineID, until: Instant)
        case awaiting(ControlID, Value)
        case running(ActionID, timeoutAt: Instant)
    }

    private var state = State.idle
    /// The attempt that these steps are.
    private(set) var run = RunID(0)
    private var place: UInt16 = 0
    private var end: UInt16 = 0
    /// A step that was done may have changed something outside, which no failure takes back.
    private(set) var hasActed = false
    /// The relations whose sequence led to this one; its own where a press did.
    private(set) var root = RelationIndex(offset: 0)
    /// What was asked of others in all sequences that this one led to, itself among them.
    private(set) var requests: UInt16 = 0

    var isActive: Bool { state != .idle }

    /// Whether an attempt is these steps, and they are not over.
    func owns(_ run: RunID) -> Bool { isActive && self.run == run }

    var deadline: Instant {
        switch state {
        case .idle, .writing, .awaiting: .never
        case .due: .zero
        case .waiting(let until), .pulsing(_, let until): until
        case .running(_, let timeoutAt): timeoutAt
        }
    }

    /// The place of the step to do now; nil where nothing is to be done yet.
    var dueStep: UInt16? { state == .due && place < end ? place : nil }

    /// All steps are done.
    var isDone: Bool { state == .due && place >= end }

    /// The control whose end is awaited.
    var awaited: (control: ControlID, value: Value)? {
        guard case .awaiting(let control, let value) = state else { return nil }
        return (control, value)
    }

    /// The action that leaves the core and is in flight.
    var runningAction: ActionID? {
        guard case .running(let action, _) = state else { return nil }
        return action
    }

    /// - Parameter isRoot: a press began it, and not the sequence at `root`.
    mutating func begin(_ steps: PlanRange, _ run: RunID, root: RelationIndex, isRoot: Bool) {
        self.run = run
        self.root = root
        if isRoot { requests = 0 }
        place = steps.first
        end = steps.first &+ steps.count
        hasActed = false
        state = .due
    }

    /// Takes note of a request; false where there were too many.
    mutating func countRequest() -> Bool {
        guard requests < EngineLimits.requestsPerPress else { return false }
        requests &+= 1
        return true
    }

    mutating func stepDone() {
        place &+= 1
        hasActed = true
        state = .due
    }

    /// The next steps are alternatives, of which one is done now: it ends after the last of them.
    mutating func skip(_ count: UInt8) { place = place &+ UInt16(count) }

    mutating func wait(until: Instant) {
        place &+= 1
        state = .waiting(until: until)
    }

    mutating func write(_ line: LineID, _ level: Level, pulse: TimeSpan = .zero) {
        state = .writing(line, level, pulse: pulse)
    }

    mutating func await(_ control: ControlID, _ value: Value) {
        state = .awaiting(control, value)
    }

    mutating func started(_ action: ActionID, timeoutAt: Instant) {
        state = .running(action, timeoutAt: timeoutAt)
    }

    /// The line that a step is driving; nil where none is.
    var drivenLine: LineID? {
        switch state {
        case .writing(let line, _, _), .pulsing(let line, _): line
        case .idle, .due, .waiting, .awaiting, .running: nil
        }
    }

    /// An output was really written; the stamp of another level is that of an earlier write.
    mutating func written(_ line: LineID, _ level: Level, at now: Instant) {
        guard case .writing(line, level, let pulse) = state else { return }
        if pulse == .zero {
            stepDone()
        } else {
            state = .pulsing(line, until: now + pulse)
        }
    }

    /// What is due at `now`: an output to switch off, or an action that took too long.
    mutating func deadlineReached(at now: Instant) -> (off: LineID?, timedOut: ActionID?) {
        switch state {
        case .waiting(let until) where until <= now:
            state = .due
        case .pulsing(let line, let until) where until <= now:
            state = .writing(line, .inactive, pulse: .zero)
            return (line, nil)
        case .running(let action, let timeoutAt) where timeoutAt <= now:
            return (nil, action)
        case .idle, .due, .waiting, .writing, .pulsing, .awaiting, .running:
            break  // not due
        }
        return (nil, nil)
    }

    /// It is given up; what it left on must go off, what it runs must stop.
    mutating func abandon() -> (off: LineID?, stops: ActionID?) {
        defer { state = .idle }
        switch state {
        case .pulsing(let line, _): return (line, nil)
        case .writing(let line, _, let pulse): return (pulse == .zero ? nil : line, nil)
        case .running(let action, _): return (nil, action)
        case .idle, .due, .waiting, .awaiting: return (nil, nil)
        }
    }

    /// Its panel is followed by another one, in whose tables it goes on.
    mutating func move(by move: SequenceMove, _ places: Engine.Places) {
        place = place &+ move.steps
        end = end &+ move.steps
        root = move.root
        switch state {
        case .idle, .due, .waiting:
            break
        case .writing(let line, let level, let pulse):
            state = .writing(LineID(line.index &+ move.lines), level, pulse: pulse)
        case .pulsing(let line, let until):
            state = .pulsing(LineID(line.index &+ move.lines), until: until)
        case .awaiting(let control, let value):
            // A control that is gone never ends, so the attempt times out.
            state = .awaiting(places.control(control) ?? ControlID(.max), value)
        case .running(let action, let timeoutAt):
            state = .running(places.action(action) ?? action, timeoutAt: timeoutAt)
        }
    }
}

/// How far the steps and the lines of a sequence move from one panel to the next.
struct SequenceMove {
    let steps: UInt16
    let lines: UInt16
    let root: RelationIndex
}
