public import DetentTypes

/// The state core of a panel: events in, effects out, told the time.
///
/// The engine lives in one buffer that its maker gives and keeps alive; it allocates nothing, reads
/// no clock, and neither throws nor traps on any event. Equal settings and equal events give equal
/// effects.
///
/// Synchronization: none; one thread at a time.
public struct Engine: ~Copyable {
    /// Takes each effect with the moment at which it is due, in order, during `handle`.
    public typealias Emit = (Effect, Instant) -> Void

    var lines: Table<ContactLine>
    var controls: Table<Control>
    var settings: Table<ControlSettings>
    var actions: Table<ActionSettings>
    var rules: Table<Rules>
    var rulesSettings: Table<RulesSettings>
    /// Controls that others name: members, listeners.
    var links: Table<ControlID>
    var conditionSteps: Table<ConditionStep>
    var sequenceSteps: Table<SequenceStep>
    var items: Table<MenuItem>
    var deadlines: DeadlineHeap
    /// The first machine of each sort in `deadlines`.
    let machines: Machines
    /// The latest moment that was seen.
    var latest = Instant.zero
    var lastRun: UInt32 = 0
    var isStarted = false
    /// How often controls have asked each other, and looked at each other, since the latest event
    /// came.
    var chained: UInt32 = 0
    /// How many intents between controls are being carried out inside one another.
    var depth: UInt8 = 0
    /// The place of the rules whose sequence began what is being asked for now; nil where a press
    /// or a request from outside did.
    var asking: Int?
    /// Values that returned by themselves since the latest event came.
    var returned: UInt32 = 0
    var lights = PanelLights()
    /// What was dropped or mended since the engine was made.
    public internal(set) var counters = EngineCounters()

    /// Bytes that `init` needs for a capacity.
    public static func byteCount(for capacity: Capacity) -> Int {
        Arena.byteCount(of: ContactLine.self, count: capacity.lines)
            + Arena.byteCount(of: Control.self, count: capacity.controls)
            + Arena.byteCount(of: ControlSettings.self, count: capacity.controls)
            + Arena.byteCount(of: ActionSettings.self, count: capacity.actions)
            + Arena.byteCount(of: Rules.self, count: capacity.rules)
            + Arena.byteCount(of: RulesSettings.self, count: capacity.rules)
            + Arena.byteCount(of: ControlID.self, count: capacity.links)
            + Arena.byteCount(of: ConditionStep.self, count: capacity.conditionSteps)
            + Arena.byteCount(of: SequenceStep.self, count: capacity.sequenceSteps)
            + Arena.byteCount(of: MenuItem.self, count: capacity.items)
            + DeadlineHeap.byteCount(capacity: Machines(capacity).count)
    }

    /// Makes an engine without lines or controls in a buffer of at least `byteCount(for:)` bytes.
    ///
    /// The buffer must outlive the engine, and nothing else may touch it.
    public init(capacity: Capacity, storage: UnsafeMutableRawBufferPointer) {
        var arena = Arena(storage)
        machines = Machines(capacity)
        lines = Table(capacity: capacity.lines, arena: &arena)
        controls = Table(capacity: capacity.controls, arena: &arena)
        settings = Table(capacity: capacity.controls, arena: &arena)
        actions = Table(capacity: capacity.actions, arena: &arena)
        rules = Table(capacity: capacity.rules, arena: &arena)
        rulesSettings = Table(capacity: capacity.rules, arena: &arena)
        links = Table(capacity: capacity.links, arena: &arena)
        conditionSteps = Table(capacity: capacity.conditionSteps, arena: &arena)
        sequenceSteps = Table(capacity: capacity.sequenceSteps, arena: &arena)
        items = Table(capacity: capacity.items, arena: &arena)
        deadlines = DeadlineHeap(capacity: machines.count, arena: &arena)
    }

    /// The next moment at which `handle` has to be called although nothing happens; `never` if
    /// none.
    public var nextDeadline: Instant { deadlines.earliest }

    /// Fires every deadline up to `stamp`, each at its own time, then applies the event.
    ///
    /// A stamp earlier than one already seen counts as that one, and is counted. Events that name
    /// what does not exist are ignored, and counted.
    ///
    /// - Complexity: O(log n) in the deadlines that wait, for each that is due; allocates nothing.
    public mutating func handle(_ event: Event, at stamp: Instant, emit: Emit) {
        var now = stamp
        if now < latest {
            now = latest
            counters.clampedStamps &+= 1
        }
        chained = 0
        returned = 0
        if deadlines.earliest <= now { fireDeadlines(until: now, emit) }
        latest = now
        switch event {
        case .tick:
            break
        case .edge(let line, let level, let sequence):
            handleEdge(line, level, sequence, stamped: stamp, at: now, emit)
        case .reading(let line, let level):
            handleReading(line, level, at: now, emit)
        case .overflow(let line):
            handleOverflow(line, at: now, emit)
        case .lineFault(let line):
            handleFault(line, isFaulty: true, at: now, emit)
        case .lineRestored(let line):
            handleFault(line, isFaulty: false, at: now, emit)
        case .start:
            start(at: now, emit)
        case .resync:
            resync(at: now, emit)
        case .lampTest(let isOn):
            test(.event, isOn: isOn, at: now, emit)
        case .intent(let control, let value, let origin, let request):
            handleIntent(control, value, origin, request, at: now, emit)
        case .fire(let control, let value, let origin, let isConfirmed, let request):
            handleFire(control, value, origin, isConfirmed, request, at: now, emit)
        case .actionStarted(let control, let run):
            handleActionStarted(control, run, at: now)
        case .actionFinished(let control, let run, let outcome):
            handleActionFinished(control, run, outcome, at: now, emit)
        case .outputWritten(let line, let level):
            handleWritten(line, level, at: now, emit)
        case .saved(let control, let value):
            handleSaved(control, value)
        case .answered(let control, let run, let value):
            handleAnswered(control, run, value, at: now, emit)
        case .feedback(let control, let value):
            handleFeedback(control, value, at: now, emit)
        }
        // Times of zero end at the very instant: nothing that is due is left behind.
        if deadlines.earliest <= now { fireDeadlines(until: now, emit) }
    }

    /// The state of a control; nil if there is no such control.
    public func snapshot(of control: ControlID) -> ControlSnapshot? {
        guard Int(control.index) < controls.count else { return nil }
        let it = controls[Int(control.index)]
        return ControlSnapshot(
            desired: it.pursuit.desired, actual: it.pursuit.actual, position: it.position,
            closedContacts: it.closed, phase: it.pursuit.phase, flags: it.flags,
            pattern: it.indicator.pattern, isLit: it.indicator.isLit, lamps: it.lamps,
            outputs: it.interlock.driven,
            lost: it.lost, staged: it.staged, focus: focus(of: Int(control.index)),
            progress: it.progress)
    }

    private func focus(of control: Int) -> Value {
        guard let rule = rulesPlace(control) else { return .unknown }
        return rules[rule].navigator.focus.map { Value(Int32($0)) } ?? .unknown
    }

    /// The debounced level of a contact; nil if the line is no contact.
    public func contactLevel(of line: LineID) -> Level? {
        guard Int(line.index) < lines.count, lines[Int(line.index)].isContact else { return nil }
        let it = lines[Int(line.index)]
        return Level(controls[Int(it.control)].closed & (1 << UInt32(it.contact)) != 0)
    }
}

/// What was dropped or mended since an engine was made.
public struct EngineCounters: Equatable, Sendable, BitwiseCopyable {
    /// Stamps earlier than one already seen; they counted as that one.
    public var clampedStamps: UInt32 = 0
    /// Edges older than the last reading of their line; the reading already told them.
    public var staleEdges: UInt32 = 0
    /// Events that named a line, control or run that does not exist.
    public var ignoredEvents: UInt32 = 0
    /// Edges that were lost, on all lines.
    public var lostEdges: UInt32 = 0
    /// Intents that were refused.
    public var refusedIntents: UInt32 = 0
    /// Steps and looks past `EngineLimits.chainLength`, which were left out.
    public var cutChains: UInt32 = 0
    /// Requests of sequences past `EngineLimits.requestsPerPress`, which were refused.
    public var cutRequests: UInt32 = 0
    /// Returns past `EngineLimits.returnsBehind`, which were put off.
    public var cutReturns: UInt32 = 0
}

/// Where the machines of each sort stand in the heap of deadlines.
///
/// At one instant lines come before decoders, decoders before pursuits, pursuits before
/// indicators, indicators before interlocks, interlocks before rules.
struct Machines: BitwiseCopyable {
    let decoders: Int
    let pursuits: Int
    let indicators: Int
    let interlocks: Int
    let rules: Int
    let count: Int

    init(_ capacity: Capacity) {
        decoders = capacity.lines
        pursuits = decoders &+ capacity.controls
        indicators = pursuits &+ capacity.controls
        interlocks = indicators &+ capacity.controls
        rules = interlocks &+ capacity.controls
        count = rules &+ capacity.rules
    }
}
