import DetentTypes

/// What a control does about its value or its events, behind one interface.
enum ControlWork: Equatable, BitwiseCopyable {
    /// A control with a value.
    case value(ValueReconciler)
    /// A control without state.
    case events(EventQueue)
    /// The state is derived from other controls; nothing of its own runs.
    case derived

    /// Whether something is in flight or will be tried again.
    enum Load: Equatable, BitwiseCopyable {
        case idle
        case busy
    }

    init(_ role: ControlRole) {
        switch role {
        case .device: self = .value(ValueReconciler())
        case .events: self = .events(EventQueue())
        case .group, .form, .mirror: self = .derived
        }
    }

    var load: Load {
        switch self {
        case .value(let reconciler): reconciler.load
        case .events(let queue): queue.load
        case .derived: .idle
        }
    }

    /// Whether an event's attempt of this run is in flight.
    func owns(_ run: RunID) -> Bool {
        switch self {
        case .events(let queue): queue.owns(run)
        case .value, .derived: false
        }
    }

    /// The value of the attempt that is in flight or will be tried again.
    var attemptValue: Value? {
        switch self {
        case .value(let reconciler): reconciler.attemptValue
        case .events(let queue): queue.attemptValue
        case .derived: nil
        }
    }

    /// Remembers when a value that continues was asked for.
    mutating func continues(_ former: ControlWork) {
        guard case .value(var reconciler) = self, case .value(let before) = former else { return }
        reconciler.continues(before)
        self = .value(reconciler)
    }

    /// When the last intent came, or its attempt began or ended.
    var changedAt: Instant {
        switch self {
        case .value(let reconciler): reconciler.changedAt
        case .events, .derived: .zero
        }
    }

    var isSwitchingOutputs: Bool {
        switch self {
        case .value(let reconciler): reconciler.isSwitchingOutputs
        case .events, .derived: false
        }
    }

    @inline(__always)
    var deadline: Instant {
        switch self {
        case .value(let reconciler): reconciler.deadline
        case .events(let queue): queue.deadline
        case .derived: .never
        }
    }

    // Inlined with the accept that it calls: 2 instructions an edge (Benchmarks/run).
    @inline(__always)
    mutating func accept(
        _ value: Value, _ origin: Origin, isForced: Bool, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) -> Bool {
        switch self {
        case .value(var reconciler):
            defer { self = .value(reconciler) }
            return reconciler.accept(value, origin, isForced: isForced, &state, &context)
        case .events, .derived:
            return false  // it takes no value; the engine refuses such a request before
        }
    }

    mutating func fire(
        _ value: Value, _ origin: Origin, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) -> Bool {
        switch self {
        case .events(var queue):
            defer { self = .events(queue) }
            return queue.fire(value, origin, &state, &context)
        case .value, .derived:
            return false  // it has no events; the engine refuses such a request before
        }
    }

    mutating func attemptStarted(_ run: RunID, _ context: borrowing AttemptContext) {
        switch self {
        case .value(var reconciler):
            reconciler.attemptStarted(run, context)
            self = .value(reconciler)
        case .events(var queue):
            queue.attemptStarted(run, context)
            self = .events(queue)
        case .derived:
            break  // nothing of its own runs
        }
    }

    mutating func attemptFinished(
        _ run: RunID, _ outcome: ActionOutcome, _ state: inout ControlState,
        _ context: inout AttemptContext
    ) {
        switch self {
        case .value(var reconciler):
            reconciler.attemptFinished(run, outcome, &state, &context)
            self = .value(reconciler)
        case .events(var queue):
            queue.attemptFinished(run, outcome, &state, &context)
            self = .events(queue)
        case .derived:
            break  // nothing of its own runs
        }
    }

    /// Does the one thing that is due, in the work or in what the state displays.
    mutating func deadlineReached(_ state: inout ControlState, _ context: inout AttemptContext) {
        let isDone: Bool
        switch self {
        case .value(var reconciler):
            isDone = reconciler.deadlineReached(&state, &context)
            self = .value(reconciler)
        case .events(var queue):
            isDone = queue.deadlineReached(&state, &context)
            self = .events(queue)
        case .derived:
            isDone = false
        }
        if !isDone { state.deadlineReached(load, at: context.now, &context.changes) }
    }

    /// The work with the device of a control that has a value, if this is one.
    mutating func withReconciler(_ body: (inout ValueReconciler) -> Void) {
        switch self {
        case .value(var reconciler):
            body(&reconciler)
            self = .value(reconciler)
        case .events, .derived:
            break  // no device has its value
        }
    }

    /// Its panel is followed by another one, where its actions have other places.
    mutating func move(_ places: Engine.Places) {
        switch self {
        case .value(var reconciler):
            reconciler.move(places)
            self = .value(reconciler)
        case .events(var queue):
            queue.move(places)
            self = .events(queue)
        case .derived:
            break
        }
    }
}
