package import DetentCore
package import DetentHAL
package import DetentPanel
package import DetentTypes

/// Performs the effects of an engine, in the same turn.
///
/// Synchronization: none; all calls on the thread that runs the turns.
package protocol EffectHandler: AnyObject {
    /// Performs an effect at once.
    ///
    /// - Parameters:
    ///   - due: the moment for which the engine produced it.
    ///   - now: the clock of the turn, or `due` if that is later.
    ///   - queue: takes the events that result from the effect: a reading, the timestamp of a
    ///     write, the end of an attempt that could not start.
    func carryOut(_ effect: Effect, due: Instant, now: Instant, into queue: inout TurnQueue)

    /// An event is about to be applied.
    func willHandle(_ event: Event, at moment: Instant)

    /// An event has been applied, and all its effects have been carried out.
    ///
    /// - Parameter engine: only to look at; a borrowed one is copied.
    func didHandle(_ event: Event, at moment: Instant, by engine: inout Engine)
}

/// One turn of a panel, in real time and in virtual time. This is the only implementation of the
/// time law.
///
/// A turn merges events of lines and other sources by timestamp, passes them to the engine, fires
/// the deadlines up to its clock, and performs each effect at once. Events that result from effects
/// are merged by timestamp too. So results do not depend on when the process woke.
///
/// A turn allocates nothing. Synchronization: none; one thread at a time.
package struct PanelTurn<Handler: EffectHandler>: ~Copyable {
    private let plan: PanelPlan
    private let storage: EngineStorage
    // Readable, because a getter of another module copies the whole turn.
    package private(set) var engine: Engine
    private let backend: any GPIOBackend
    private let handler: Handler
    private var queue: TurnQueue
    private let lineEvents: UnsafeMutableBufferPointer<LineEvent>
    /// The moment of the turn: its clock, or the timestamp of its latest event if that is later.
    package private(set) var now: Instant
    /// Later events wait for the next turn: the lines have more events than one turn takes.
    private var limit: Instant
    /// All events of the lines up to this moment are in the queue.
    private var known: Instant
    /// The last read of the lines filled the buffer. The next turn must begin at once and read
    /// again.
    package private(set) var hasMore: Bool
    /// Whether the turn has room for requests and outcomes. If not, they wait with their senders
    /// until the events of the lines are handled.
    package private(set) var hasRoom: Bool

    /// Makes a panel that has not started.
    ///
    /// - Throws: `EngineError` if the plan exceeds a limit of the engine.
    package init(
        _ plan: PanelPlan, backend: any GPIOBackend, handler: Handler
    ) throws(EngineError) {
        // This comes before the first property is set, so no property has a default value: the
        // compiler of Swift 6.2 cannot destroy a noncopyable value that is partly initialized.
        let storage = EngineStorage(for: plan.capacity)
        let engine = try plan.makeEngine(in: storage)
        self.plan = plan
        self.storage = storage
        self.engine = engine
        self.backend = backend
        self.handler = handler
        queue = TurnQueue(lines: plan.lines.count)
        lineEvents = .allocate(capacity: RuntimeLimits.eventsPerTurn)
        now = .zero
        limit = .never
        known = .zero
        hasMore = false
        hasRoom = true
    }

    /// Makes a panel that follows another one; the engine takes over what did not change.
    ///
    /// Then change the lines of the backend, and call `startFollowing`.
    ///
    /// - Throws: `EngineError` if the plan exceeds a limit of the engine.
    package init(
        _ plan: PanelPlan, following former: borrowing PanelTurn, _ difference: PanelDifference,
        handler: Handler
    ) throws(EngineError) {
        let storage = EngineStorage(for: plan.capacity)
        let engine = try difference.makeEngine(
            of: plan, in: storage, following: former.engine)
        self.plan = plan
        self.storage = storage
        self.engine = engine
        backend = former.backend
        self.handler = handler
        queue = TurnQueue(lines: plan.lines.count)
        lineEvents = .allocate(capacity: RuntimeLimits.eventsPerTurn)
        now = former.now
        limit = .never
        known = former.known
        hasMore = false
        hasRoom = true
    }

    deinit {
        lineEvents.deallocate()
    }

    /// Whether all events that were read have been handled, so that another panel can follow.
    package var isBetweenTurns: Bool { queue.isEmpty && !hasMore }

    /// Starts the controls that do not continue, after the backend has changed its lines.
    ///
    /// - Parameter saved: the values that such controls had before.
    package mutating func startFollowing(_ difference: PanelDifference, saved: [SavedValue]) {
        // Readings come first, at the moment up to which the former panel knew all events. Edges
        // after that moment follow the start.
        let count = backend.drain(into: lineEvents, now: now)
        hasMore = count == lineEvents.count
        for place in 0..<count where isStart(lineEvents[place], difference) {
            queue.insert(Event(lineEvents[place]), at: now)
        }
        handOver(until: .never)
        for entry in saved {
            queue.insert(.saved(entry.control, entry.value), at: now)
            handOver(until: .never)
        }
        queue.insert(.start, at: now)
        handOver(until: .never)
        for place in 0..<count where !isStart(lineEvents[place], difference) {
            queue.insert(Event(lineEvents[place]), at: lineEvents[place].at)
            now = max(now, lineEvents[place].at)
        }
        handOver(until: .never)
    }

    /// Whether an event says how a line that does not continue begins.
    private func isStart(_ event: LineEvent, _ difference: PanelDifference) -> Bool {
        let place = Int(event.line.index)
        guard difference.lines.indices.contains(place), difference.lines[place] == nil else {
            return false
        }
        switch event.kind {
        case .reading, .sample, .fault: return true
        case .edge, .written, .overflow, .restored: return false
        }
    }

    /// Counts of events that the engine dropped or corrected.
    package var counters: EngineCounters { engine.counters }

    /// The state of a control; nil if the control is unknown.
    package func snapshot(of control: ControlID) -> ControlSnapshot? {
        engine.snapshot(of: control)
    }

    /// The debounced level of a contact; nil if the line is not a contact.
    package func contactLevel(of line: LineID) -> Level? { engine.contactLevel(of: line) }

    /// Reads the lines that the backend has opened, and applies the start-up rules.
    ///
    /// - Parameters:
    ///   - missing: lines that could not be opened.
    ///   - saved: the values of the controls when the process last ended.
    ///   - clock: returns the moment at which the panel starts, after the lines were read.
    package mutating func start(
        at now: Instant, missing: [LineID] = [], saved: [SavedValue], clock: () -> Instant
    ) {
        self.now = now
        for line in missing { queue.insert(.lineFault(line), at: now) }
        _ = collectLines()
        handOver(until: .never)
        for entry in saved {
            queue.insert(.saved(entry.control, entry.value), at: now)
            handOver(until: .never)
        }
        queue.insert(.start, at: clock())
        handOver(until: .never)
    }

    /// Begins a turn: reads the events of the lines into the queue.
    ///
    /// Call `add` for requests and outcomes, then `finish`.
    ///
    /// The clock may be one that was read before the lines changed, if they stamp their edges:
    /// deadlines after it fire in the next turn, unless an event of this turn is later.
    ///
    /// - Parameter silence: if not nil, the lines are known to have no events up to this moment and
    ///   are not read. Deadlines after this moment wait, because an edge before `now` must be
    ///   handled first.
    package mutating func begin(at now: Instant, linesSilentUntil silence: Instant? = nil) {
        self.now = now
        hasRoom = queue.isEmpty
        if let silence, !hasMore {
            limit = .never
            known = min(now, silence)
        } else {
            limit = collectLines()
            known = min(now, limit)
        }
    }

    /// Adds a request or an outcome, with the timestamp of its producer.
    ///
    /// At equal stamps an edge comes before a request.
    package mutating func add(_ event: Event, at stamp: Instant) {
        now = max(now, stamp)
        queue.insert(event, at: stamp)
    }

    /// Passes the events of the turn to the engine, and fires the deadlines that are due.
    package mutating func finish() {
        handOver(until: limit)
        guard engine.nextDeadline <= known else { return }
        queue.insert(.tick, at: known)
        handOver(until: limit)
    }

    /// Simulates the end of the process: the state is lost, and the panel can start again.
    ///
    /// Unread events of the lines are lost.
    package mutating func restart(at now: Instant) throws(EngineError) {
        engine = try plan.makeEngine(in: storage)
        while backend.drain(into: lineEvents, now: now) > 0 {}
        queue.removeAll()
        hasMore = false
    }

    /// Reads the events of the lines.
    ///
    /// - Returns: the moment up to which all events are known: `never`, or the timestamp of the
    ///   last event if the lines have more events than one turn takes.
    private mutating func collectLines() -> Instant {
        let count = backend.drain(into: lineEvents, now: now)
        for place in 0..<count {
            let event = lineEvents[place]
            queue.insert(Event(event), at: event.at)
        }
        if count > 0 { self.now = max(self.now, lineEvents[count - 1].at) }
        hasMore = count == lineEvents.count
        return hasMore ? lineEvents[count - 1].at : .never
    }

    /// Passes events to the engine in the order of their timestamps, with the events that result
    /// from their effects.
    private mutating func handOver(until limit: Instant) {
        // Not retained: this panel keeps its handler for longer than any turn.
        let unretained = Unmanaged.passUnretained(handler)
        let now = self.now
        while let next = queue.removeFirst(until: limit) {
            unretained._withUnsafeGuaranteedRef { handler in
                handler.willHandle(next.event, at: next.at)
                engine.handle(next.event, at: next.at) { effect, due in
                    handler.carryOut(effect, due: due, now: max(now, due), into: &queue)
                }
                handler.didHandle(next.event, at: next.at, by: &engine)
            }
        }
    }
}
