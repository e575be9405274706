public import DetentActions
public import DetentCore
public import DetentHAL
public import DetentPanel
public import DetentPlatform
public import DetentTypes

/// The real-time loop of a panel: one thread that sleeps until a line, a deadline or a request.
///
/// A turn reads the clock, drains every readable descriptor, merges what came by stamp, hands it to
/// the engine, and then fires the deadlines up to that clock. Lamps and outputs are written on this
/// thread before anything else; nothing in a turn allocates or waits.
///
/// Synchronization: none; all calls on one thread. Other threads use the inbox.
public struct PanelLoop: ~Copyable {
    private let plan: PanelPlan
    private let storage: EngineStorage
    private var engine: Engine
    private let backend: any GPIOBackend
    private let dispatcher: ActionDispatcher?
    private let inbox: Inbox
    private let signals: SignalInbox?
    private let sink: EffectSink
    private var pollSet: PollSet
    private var generation: UInt32
    private var backendDescriptors: Int
    /// Lines that `open` could not have.
    private var missing: [Int]
    /// The last drain filled its buffer: lines have said more, and nothing younger may overtake it.
    private var hasMore: Bool
    /// A watcher asked for more states than one turn tells.
    private var hasMoreStates: Bool
    private let lineEvents: UnsafeMutableBufferPointer<LineEvent>

    /// Makes the loop of a panel.
    ///
    /// - Parameters:
    ///   - dispatcher: runs the panel's actions; without one every attempt fails at once.
    ///   - watch: tells a watcher what the panel does; nil where nobody can watch.
    ///   - signals: SIGTERM and SIGINT end the loop; nil where somebody else looks after them.
    /// - Throws: `EngineError` where the plan breaks a bound that its reader should have reported.
    public init(
        plan: PanelPlan, backend: any GPIOBackend, dispatcher: ActionDispatcher?, inbox: Inbox,
        reports: ReportStream, watch: PanelWatch? = nil, signals: SignalInbox? = nil
    ) throws {
        // Before the first property is set, so none has a default: the compiler of Swift 6.2
        // cannot undo a noncopyable value that is half made.
        let storage = EngineStorage(for: plan.capacity)
        let engine = try plan.makeEngine(in: storage)
        self.plan = plan
        self.storage = storage
        self.engine = engine
        self.backend = backend
        self.dispatcher = dispatcher
        self.inbox = inbox
        self.signals = signals
        sink = EffectSink(
            backend: backend, dispatcher: dispatcher, reports: reports, watch: watch,
            controls: plan.controls.count, lines: plan.lines.count)
        pollSet = PollSet(
            capacity: 2 * plan.lines.count + 16 + RuntimeLimits.ownDescriptors)
        generation = 0
        backendDescriptors = 0
        missing = []
        hasMore = false
        hasMoreStates = false
        lineEvents = .allocate(capacity: RuntimeLimits.eventsPerTurn)
    }

    deinit {
        lineEvents.deallocate()
    }

    /// Requests the lines; nothing is driven or started yet.
    ///
    /// - Returns: what could not be had. A caller that goes on with fewer lines calls `start` all
    ///   the same: their controls are faulty until the lines are there. Another one calls `close`.
    public mutating func open() -> [HALError] {
        let errors = backend.open(plan.lineSettings)
        missing = plan.lines.indices.filter { place in
            errors.contains { $0.line == plan.lines[place].name }
        }
        return errors
    }

    /// Reads the lines that were had and applies the start-up rules.
    ///
    /// - Parameter saved: what controls showed when the process last ended.
    public mutating func start(saved: [SavedValue] = []) {
        let now = MonotonicClock.now
        sink.now = now
        for place in missing { sink.add(.lineFault(LineID(UInt16(place))), at: now) }
        _ = collectLines(now: now)
        handOver(until: .never)
        for it in saved {
            sink.add(.saved(it.control, it.value), at: now)
            handOver(until: .never)
        }
        sink.add(.start, at: MonotonicClock.now)
        handOver(until: .never)
        endTurn(at: now)
    }

    /// Runs turns until the inbox or a signal ends them.
    ///
    /// - Returns: the signal that ended it, or nil.
    public mutating func run() -> Int32? {
        while !inbox.isStopping {
            if let signal = turn() { return signal }
        }
        return nil
    }

    /// Sleeps until something is due, and handles it.
    ///
    /// - Returns: the signal that came, or nil.
    public mutating func turn() -> Int32? {
        rebuildPollSet()
        let deadline = hasMore || hasMoreStates ? .zero : min(engine.nextDeadline, backend.deadline)
        let isReady = pollSet.wait(now: MonotonicClock.now, until: deadline)
        let now = MonotonicClock.now
        sink.now = now
        var signal: Int32?
        if isReady {
            for place in 0..<backendDescriptors where pollSet.isReady(place) {
                backend.markReady(place)
            }
            signal = collectRequests(now: now)
        }
        // Lines that were not looked at are known to be silent up to the deadline that was waited
        // for, and no further: an edge between it and `now` must come before any later deadline.
        var limit = Instant.never
        var known = min(now, deadline)
        if isReady || hasMore || backend.deadline <= now {
            limit = collectLines(now: now)
            known = min(now, limit)
        }
        handOver(until: limit)
        if engine.nextDeadline <= known {
            sink.add(.tick, at: known)
            handOver(until: limit)
        }
        endTurn(at: now)
        return signal
    }

    /// Leaves every output at its declared level and gives the lines back.
    public mutating func close() {
        backend.close()
    }

    /// The state of a control, for tests and for a final word.
    public func snapshot(of control: ControlID) -> ControlSnapshot? {
        engine.snapshot(of: control)
    }

    private mutating func rebuildPollSet() {
        guard pollSet.count == 0 || generation != backend.descriptorGeneration else { return }
        generation = backend.descriptorGeneration
        pollSet.removeAll()
        backendDescriptors = 0
        for descriptor in backend.descriptors where pollSet.add(descriptor) {
            backendDescriptors += 1
        }
        _ = pollSet.add(inbox.descriptor)
        _ = pollSet.add(dispatcher?.reportDescriptor ?? -1)
        _ = pollSet.add(signals?.descriptor ?? -1)
    }

    /// Wakes whoever should look at what the turn has brought.
    private mutating func endTurn(at now: Instant) {
        sink.endTurn()
        let lines = backend
        hasMoreStates = sink.feeder.endTurn(
            at: now, snapshot: { engine.snapshot(of: $0) },
            present: { lines.read($0, now: now)?.level },
            contact: { engine.contactLevel(of: $0) })
    }

    /// Takes what lines have said.
    ///
    /// - Returns: the moment up to which all is known: `never`, or the stamp of the last event
    ///   where lines have said more than one turn takes. The next turn then comes at once.
    private mutating func collectLines(now: Instant) -> Instant {
        let count = backend.drain(into: lineEvents, now: now)
        for place in 0..<count {
            let event = lineEvents[place]
            sink.add(Event(event), at: event.at)
            if let level = event.level { sink.feeder.level(event.line, level, at: event.at) }
        }
        hasMore = count == lineEvents.count
        return hasMore ? lineEvents[count - 1].at : .never
    }

    private mutating func collectRequests(now: Instant) -> Int32? {
        // There is room for the requests of one turn: while some wait for lines to catch up, others
        // wait where they are.
        let hasRoom = sink.isEmpty
        if hasRoom, pollSet.isReady(backendDescriptors) {
            inbox.drain { sink.add($0.event, at: $0.at) }
        }
        if hasRoom, pollSet.isReady(backendDescriptors + 1), let dispatcher {
            dispatcher.drainReports { report in
                switch report.kind {
                case .started:
                    sink.add(.actionStarted(report.control, report.run), at: report.at)
                case .finished(let outcome):
                    sink.add(
                        .actionFinished(report.control, report.run, outcome), at: report.at)
                case .answered(let value):
                    sink.add(.answered(report.control, report.run, value), at: report.at)
                }
            }
        }
        if pollSet.isReady(backendDescriptors + 2) { return signals?.take() }
        return nil
    }

    /// Hands the events of the turn over in the order of their stamps, and with them the answers
    /// that their effects bring: an answer comes behind every event that is older.
    ///
    /// Events later than `limit` wait for the next turn.
    private mutating func handOver(until limit: Instant) {
        let sink = self.sink
        while let next = sink.takeEvent(until: limit) {
            engine.handle(next.event, at: next.at) { effect, at in sink.take(effect, at: at) }
            guard sink.feeder.isTracing else { continue }
            sink.feeder.lookAtContacts(at: next.at) { engine.contactLevel(of: $0) }
        }
    }
}
