package import DetentCore
package import DetentHAL
package import DetentPanel
package import DetentTypes

/// Carries out what an engine wants, in the turn in which it wants it.
///
/// Synchronization: none; the thread that turns the panel.
package protocol EffectHandler: AnyObject {
    /// Carries out an effect at once.
    ///
    /// - Parameters:
    ///   - due: the moment at which the engine wanted it.
    ///   - now: the clock of the turn, which is never earlier.
    ///   - queue: takes what the effect brings about: a reading, the stamp of a write, the end of
    ///     an attempt that could not begin.
    func carryOut(_ effect: Effect, due: Instant, now: Instant, into queue: inout TurnQueue)

    /// An event is about to be applied.
    func willHandle(_ event: Event, at moment: Instant)

    /// An event has been applied, and all its effects have been carried out.
    func didHandle(_ event: Event, at moment: Instant, by engine: borrowing Engine)
}

/// One turn of a panel, in real time and in virtual time: the time law, said once.
///
/// A turn merges what lines and others have said by stamp, hands it to the engine, fires the
/// deadlines up to its clock, and carries each effect out as it comes. What effects bring about
/// comes behind every event that is older. So results do not depend on when a process woke.
///
/// A turn allocates nothing. Synchronization: none; one thread at a time.
package struct PanelTurn<Handler: EffectHandler>: ~Copyable {
    private let plan: PanelPlan
    private let storage: EngineStorage
    private var engine: Engine
    private let backend: any GPIOBackend
    private let handler: Handler
    private var queue: TurnQueue
    private let lineEvents: UnsafeMutableBufferPointer<LineEvent>
    private var now: Instant
    /// Events later than this wait for the next turn: lines have said more than one turn takes.
    private var limit: Instant
    /// The moment up to which everything that lines said is in the queue.
    private var known: Instant
    /// The last look at the lines filled its buffer. The next turn must come at once, and look.
    package private(set) var hasMore: Bool
    /// Whether the turn has room for requests and outcomes. While some wait for lines to catch up,
    /// others wait where they are.
    package private(set) var hasRoom: Bool

    /// Makes a panel that has not started.
    ///
    /// - Throws: `EngineError` where the plan breaks a bound of the engine.
    package init(
        _ plan: PanelPlan, backend: any GPIOBackend, handler: Handler
    ) throws(EngineError) {
        // Before the first property is set, so none has a default: the compiler of Swift 6.2
        // cannot undo a noncopyable value that is half made.
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

    deinit {
        lineEvents.deallocate()
    }

    /// The next moment at which a turn is due although nothing happens; `never` if none is.
    package var nextDeadline: Instant { engine.nextDeadline }

    /// What the engine dropped or mended.
    package var counters: EngineCounters { engine.counters }

    /// The state of a control; nil if there is no such control.
    package func snapshot(of control: ControlID) -> ControlSnapshot? {
        engine.snapshot(of: control)
    }

    /// The debounced level of a contact; nil if the line is no contact.
    package func contactLevel(of line: LineID) -> Level? { engine.contactLevel(of: line) }

    /// Reads the lines that the backend has opened, and applies the start-up rules.
    ///
    /// - Parameters:
    ///   - missing: lines that could not be opened.
    ///   - saved: what controls showed when the process last ended.
    ///   - clock: tells the moment at which the panel starts, after the lines were read.
    package mutating func start(
        at now: Instant, missing: [LineID] = [], saved: [SavedValue], clock: () -> Instant
    ) {
        self.now = now
        for line in missing { queue.insert(.lineFault(line), at: now) }
        _ = collectLines()
        handOver(until: .never)
        for it in saved {
            queue.insert(.saved(it.control, it.value), at: now)
            handOver(until: .never)
        }
        queue.insert(.start, at: clock())
        handOver(until: .never)
    }

    /// Begins a turn: what lines have said goes into the queue.
    ///
    /// `add` then takes requests and outcomes, and `finish` does the turn.
    ///
    /// - Parameter silence: the lines are not read, because they are known to have been
    ///   silent up to this moment; nil: they are read. An edge between it and `now` must come
    ///   before any later deadline, so that deadlines beyond it wait.
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
    package mutating func add(_ event: Event, at stamp: Instant) { queue.insert(event, at: stamp) }

    /// Hands over what the turn has gathered, and fires the deadlines that are due.
    package mutating func finish() {
        handOver(until: limit)
        guard engine.nextDeadline <= known else { return }
        queue.insert(.tick, at: known)
        handOver(until: limit)
    }

    /// The process has ended, and its state is gone; the panel can start again.
    ///
    /// What lines said until now is lost.
    package mutating func restart(at now: Instant) throws(EngineError) {
        engine = try plan.makeEngine(in: storage)
        while backend.drain(into: lineEvents, now: now) > 0 {}
        queue.removeAll()
        hasMore = false
    }

    /// Takes what lines have said.
    ///
    /// - Returns: the moment up to which all is known: `never`, or the stamp of the last event
    ///   where lines have said more than one turn takes.
    private mutating func collectLines() -> Instant {
        let count = backend.drain(into: lineEvents, now: now)
        for place in 0..<count {
            let event = lineEvents[place]
            queue.insert(Event(event), at: event.at)
        }
        hasMore = count == lineEvents.count
        return hasMore ? lineEvents[count - 1].at : .never
    }

    /// Hands events over in the order of their stamps, and with them what their effects bring.
    private mutating func handOver(until limit: Instant) {
        let handler = handler
        let now = now
        while let next = queue.removeFirst(until: limit) {
            handler.willHandle(next.event, at: next.at)
            engine.handle(next.event, at: next.at) { effect, due in
                handler.carryOut(effect, due: due, now: now, into: &queue)
            }
            handler.didHandle(next.event, at: next.at, by: engine)
        }
    }
}
