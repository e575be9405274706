public import DetentTypes

/// The state core of a panel: it takes events with their times, and gives effects.
///
/// The engine lives in one buffer that its owner keeps alive. It allocates nothing, reads no clock,
/// and neither throws nor traps on any event. Equal settings and equal events give equal
/// effects.
///
/// Synchronization: none; one thread at a time.
public struct Engine: ~Copyable {
    /// Takes each effect with the moment at which it is due, in order, during `handle`.
    public typealias Emit = (Effect, Instant) -> Void

    var lines: Table<LineIndex, LineState>
    var controls: Table<ControlIndex, Control>
    var settings: Table<ControlIndex, ControlSettings>
    var actions: Table<ActionID, ActionSettings>
    var relations: Table<RelationIndex, Relations>
    var relationSettings: Table<RelationIndex, RelationSettings>
    /// Controls that others name: members, listeners.
    var links: Table<Int, ControlID>
    var conditionSteps: Table<Int, ConditionStep>
    var sequenceSteps: Table<Int, SequenceStep>
    var items: Table<Int, MenuItem>
    @usableFromInline var deadlines: DeadlineHeap
    let machineNumbers: MachineNumbers
    /// The moment that is handled now, which is the latest that was seen.
    var now = Instant.zero
    /// The moment for which `handle` was called. Deadlines before it are late.
    var clock = Instant.zero
    var lastRun: UInt32 = 0
    var isStarted = false
    /// How many requests and evaluations between controls the latest event has caused.
    var chained: UInt32 = 0
    /// How deep the present request is nested in requests between controls.
    var depth: UInt8 = 0
    /// The relations whose sequence began the present request; nil where a press or a request from
    /// outside did.
    var requestRoot: RelationIndex?
    /// Values that returned after their time since the latest event.
    var returned: UInt32 = 0
    var lights = PanelLights()
    /// Conditions look at all controls, or at the broker.
    var isLookedAt = false
    var isBrokerOffline = false
    /// What was dropped or repaired since the engine was made.
    public internal(set) var counters = EngineCounters()

    /// Bytes that `init` needs for a capacity.
    public static func byteCount(for capacity: Capacity) -> Int {
        Arena.byteCount(of: LineState.self, count: capacity.lines)
            + Arena.byteCount(of: Control.self, count: capacity.controls)
            + Arena.byteCount(of: ControlSettings.self, count: capacity.controls)
            + Arena.byteCount(of: ActionSettings.self, count: capacity.actions)
            + Arena.byteCount(of: Relations.self, count: capacity.relations)
            + Arena.byteCount(of: RelationSettings.self, count: capacity.relations)
            + Arena.byteCount(of: ControlID.self, count: capacity.links)
            + Arena.byteCount(of: ConditionStep.self, count: capacity.conditionSteps)
            + Arena.byteCount(of: SequenceStep.self, count: capacity.sequenceSteps)
            + Arena.byteCount(of: MenuItem.self, count: capacity.items)
            + DeadlineHeap.byteCount(capacity: MachineNumbers(capacity).count)
    }

    /// Makes an engine without lines or controls in a buffer of at least `byteCount(for:)` bytes.
    ///
    /// The buffer must outlive the engine, and nothing else may touch it.
    public init(capacity: Capacity, storage: UnsafeMutableRawBufferPointer) {
        var arena = Arena(storage)
        machineNumbers = MachineNumbers(capacity)
        lines = Table(capacity: capacity.lines, arena: &arena)
        controls = Table(capacity: capacity.controls, arena: &arena)
        settings = Table(capacity: capacity.controls, arena: &arena)
        actions = Table(capacity: capacity.actions, arena: &arena)
        relations = Table(capacity: capacity.relations, arena: &arena)
        relationSettings = Table(capacity: capacity.relations, arena: &arena)
        links = Table(capacity: capacity.links, arena: &arena)
        conditionSteps = Table(capacity: capacity.conditionSteps, arena: &arena)
        sequenceSteps = Table(capacity: capacity.sequenceSteps, arena: &arena)
        items = Table(capacity: capacity.items, arena: &arena)
        deadlines = DeadlineHeap(capacity: machineNumbers.count, arena: &arena)
    }

    /// The next moment at which `handle` has to be called although nothing happens; `never` if
    /// none.
    @inlinable public var nextDeadline: Instant { deadlines.earliest }

    /// Fires every deadline up to `stamp`, each at its own time, then applies the event.
    ///
    /// A stamp earlier than one already seen counts as that one, and is counted. Events that name
    /// what does not exist are ignored, and counted.
    ///
    /// - Complexity: O(log n) in the deadlines that wait, for each that is due; allocates nothing.
    public mutating func handle(_ event: Event, at stamp: Instant, emit: Emit) {
        let moment = max(stamp, now)
        if stamp < now { counters.clampedStamps &+= 1 }
        clock = moment
        chained = 0
        returned = 0
        if deadlines.earliest <= moment { fireDeadlines(emit) }
        now = moment
        if case .edge(let line, let level, let sequence) = event {
            handleEdge(line, level, sequence, stamped: stamp, emit)
        } else {
            apply(event, emit)
        }
        // Times of zero end at the very instant: nothing that is due is left behind.
        if deadlines.earliest <= moment { fireDeadlines(emit) }
    }

    // Kept out of the way of edges, which are nearly all events.
    @inline(never)
    private mutating func apply(_ event: Event, _ emit: Emit) {
        switch event {
        case .tick, .edge:
            break  // nothing, and done
        case .reading(let line, let level):
            handleReading(line, level, emit)
        case .sample(let line, let sample):
            handleSample(line, sample, emit)
        case .overflow(let line):
            handleOverflow(line, emit)
        case .lineFault(let line):
            handleFault(line, isFaulty: true, emit)
        case .lineRestored(let line):
            handleFault(line, isFaulty: false, emit)
        case .start:
            start(emit)
        case .resync(let origin):
            resync(origin, emit)
        case .broker(let isOffline):
            handleBroker(isOffline: isOffline)
        case .lampTest(let isOn, let origin):
            emit(.report(.ofPanel(.lampTest(isOn: isOn, origin))), now)
            test(.event, isOn: isOn, emit)
        case .reload(let origin, let user):
            emit(.report(.ofPanel(.reload(user: user, origin))), now)
        case .intent(let control, let value, let origin, let request):
            handleIntent(control, value, origin, request, emit)
        case .fire(let control, let value, let origin, let isConfirmed, let request):
            handleFire(control, value, origin, isConfirmed, request, emit)
        case .change(let control, let distance, let origin, let request):
            handleChange(control, distance, origin, request, emit)
        case .close(let control, let origin):
            handleClose(control, origin, emit)
        case .actionStarted(let control, let run):
            handleActionStarted(control, run)
        case .actionFinished(let control, let run, let outcome):
            handleActionFinished(control, run, outcome, emit)
        case .outputWritten(let line, let level):
            handleWritten(line, level, emit)
        case .saved(let control, let value):
            handleSaved(control, value)
        case .answered(let control, let run, let value):
            handleAnswered(control, run, value, emit)
        case .feedback(let control, let value, let asked):
            handleFeedback(control, value, asked: asked, emit)
        case .feedbackLost(let control):
            handleFeedbackLost(control, emit)
        }
    }

    /// Brings flags, lamps, outputs and deadlines of a control up to its state, and marks the
    /// controls that observe it. Every input to a control ends here.
    mutating func refresh(_ control: ControlIndex, _ emit: Emit) {
        refreshFlags(control, emit)
        showIndicator(control, emit)
        driveOutputs(control, emit)
        updateDeadlines(of: control)
        if settings[control].relation != .none { refreshRelations(control, emit) }
    }

    private mutating func refreshFlags(_ control: ControlIndex, _ emit: Emit) {
        let position = controls[control].position
        var flags = controls[control].relationFlags
        // No position says mixed.
        if position != .unknown, position != controls[control].state.desired,
            settings[control].mismatch.showsMismatch, !flags.contains(.mixed)
        {
            flags.insert(.mismatch)
        }
        let actual = controls[control].state.actual
        if actual != controls[control].state.desired, isStarted, controls[control].nature.hasValue {
            if actual == .unknown {
                flags.insert(.unconfirmed)
            } else if controls[control].isAmiss {
                flags.insert(.mismatch)
            }
        }
        if let reported = reportedByLine(control), reported != controls[control].state.desired,
            controls[control].work.load == .idle, isStarted
        {
            flags.insert(.mismatch)
        }
        if controls[control].faultyLines != 0 { flags.insert(.fault) }
        var changed = flags.symmetricDifference(controls[control].flags).rawValue
        controls[control].flags = flags
        while changed != 0 {
            let bit = Flag(rawValue: changed & (~changed &+ 1))
            changed &= changed &- 1
            if isLookedAt { markForTrouble() }
            // Faults have an event of their own.
            if bit != .fault {
                report(.flag(bit, isSet: flags.contains(bit)), control, emit)
            }
        }
    }

    mutating func report(
        _ kind: Report.Kind, _ control: ControlIndex, _ emit: Emit
    ) {
        let id = control.id
        emit(.report(Report(control: id, kind: kind)), now)
    }

    /// The state of a control; nil if there is no such control.
    public func snapshot(of control: ControlID) -> ControlSnapshot? {
        guard controls.contains(ControlIndex(control)) else { return nil }
        let machine = controls[ControlIndex(control)]
        return ControlSnapshot(
            desired: machine.state.desired, actual: machine.state.actual,
            position: machine.position,
            closedContacts: machine.closed, phase: shownPhase(ControlIndex(control)).phase,
            flags: machine.flags,
            pattern: machine.indicator.pattern, isLit: machine.indicator.isLit,
            lamps: machine.lamps,
            outputs: machine.interlock.driven,
            lost: machine.lost, staged: machine.staged, focus: focus(of: ControlIndex(control)),
            progress: machine.progress)
    }

    private func focus(of control: ControlIndex) -> Value {
        guard let relation = relationIndex(control) else { return .unknown }
        return relations[relation].navigator.focus.map { Value(Int32($0)) } ?? .unknown
    }

    /// The debounced level of a contact; nil if the line is no contact.
    public func contactLevel(of line: LineID) -> Level? {
        guard lines.contains(LineIndex(line.index)), lines[LineIndex(line.index)].isContact else {
            return nil
        }
        let input = lines[LineIndex(line.index)]
        return Level(
            controls[ControlIndex(input.control)].closed & (1 << UInt32(input.contact)) != 0)
    }
}
