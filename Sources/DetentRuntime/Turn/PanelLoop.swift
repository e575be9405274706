public import DetentActions
public import DetentCore
public import DetentHAL
public import DetentPanel
public import DetentPlatform
public import DetentTypes

/// The real-time loop of a panel: one thread that sleeps until a line changes, a deadline is due or
/// a request arrives.
///
/// A turn reads the clock, drains every readable descriptor, merges the events by timestamp, passes
/// them to the engine, and then fires the deadlines up to that clock. Lamps and outputs are written
/// on this thread first. A turn does not allocate or wait. Between the wake-up by a line that
/// stamps its edges and the write of the lamp, no clock is read and nothing is published.
///
/// Synchronization: none; all calls on one thread. Other threads use the inbox.
public struct PanelLoop: ~Copyable {
    private let plan: PanelPlan
    private var panel: PanelTurn<EffectDispatcher>
    private let backend: any GPIOBackend
    private let dispatcher: ActionDispatcher?
    private let inbox: Inbox
    private let signals: SignalInbox?
    private let effects: EffectDispatcher
    private var pollSet: PollSet
    private var generation: UInt32
    private var backendDescriptors: Int
    /// Lines that `open` could not request.
    private var missing: [LineID]
    /// More states were requested than one turn sends.
    private var hasMoreStates: Bool

    /// Makes the loop of a panel.
    ///
    /// - Parameters:
    ///   - dispatcher: runs the panel's actions; if nil, every attempt fails at once.
    ///   - updates: publishes updates; nil if there is no reader.
    ///   - signals: SIGTERM and SIGINT end the loop; nil if the caller handles signals.
    ///   - kept: takes the values before they are reported; nil if none survive the process.
    /// - Throws: `EngineError` if the plan exceeds a limit that its reader should have reported.
    public init(
        plan: PanelPlan, backend: any GPIOBackend, dispatcher: ActionDispatcher?, inbox: Inbox,
        reports: ReportStream, updates: UpdateChannel? = nil, signals: SignalInbox? = nil,
        kept: KeptValues? = nil
    ) throws {
        let effects = EffectDispatcher(
            backend: backend, dispatcher: dispatcher, reports: reports, kept: kept,
            publisher: UpdatePublisher(
                updates, controls: plan.controls.count, lines: plan.lines.count))
        // This comes before the first property is set, so no property has a default value: the
        // compiler of Swift 6.2 cannot destroy a noncopyable value that is partly initialized.
        let panel = try PanelTurn(plan, backend: backend, handler: effects)
        self.plan = plan
        self.panel = panel
        self.backend = backend
        self.dispatcher = dispatcher
        self.inbox = inbox
        self.signals = signals
        self.effects = effects
        pollSet = PollSet(
            capacity: 2 * plan.lines.count + 16 + RuntimeLimits.ownDescriptors)
        generation = 0
        backendDescriptors = 0
        missing = []
        hasMoreStates = false
    }

    /// Requests the lines; does not start the panel.
    ///
    /// - Returns: the lines that could not be requested. To continue without them, call `start`:
    ///   their controls are faulty until the lines are available. To give up, call `close`.
    public mutating func open() -> [HALError] {
        let errors = backend.open(plan.lineSettings)
        missing = plan.lines.indices
            .filter { place in errors.contains { $0.line == plan.lines[place].name } }
            .map { LineID(UInt16($0)) }
        return errors
    }

    /// Reads the requested lines and applies the start-up rules.
    ///
    /// - Parameter saved: the values of the controls when the process last ended.
    public mutating func start(saved: [SavedValue] = []) {
        let now = MonotonicClock.now
        panel.start(at: now, missing: missing, saved: saved) { MonotonicClock.now }
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
    /// - Returns: the signal that arrived, or nil.
    public mutating func turn() -> Int32? {
        rebuildPollSet()
        let deadline =
            panel.hasMore || hasMoreStates ? .zero : min(panel.nextDeadline, backend.deadline)
        // A sleep without a deadline needs no clock.
        let before = deadline == .never ? panel.now : MonotonicClock.now
        let isReady = pollSet.wait(now: before, until: deadline)
        // Edges with timestamps need no clock before their lamps: the deadlines that passed during
        // the sleep are due in the next turn, which begins at once.
        let now = isReady && backend.stampsEdges ? before : MonotonicClock.now
        var signal: Int32?
        var readyLines = 0
        if isReady {
            for place in 0..<backendDescriptors where pollSet.isReady(place) {
                backend.markReady(place)
                readyLines += 1
            }
        }
        let looksAtLines = isReady || backend.deadline <= now
        panel.begin(at: now, linesSilentUntil: looksAtLines ? nil : deadline)
        if pollSet.readyCount > readyLines { signal = collectRequests() }
        panel.finish()
        endTurn(at: panel.now)
        return signal
    }

    /// Sets every output to its declared level and releases the lines.
    public mutating func close() {
        backend.close()
    }

    /// The state of a control, for tests and for the last save.
    public func snapshot(of control: ControlID) -> ControlSnapshot? {
        panel.snapshot(of: control)
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

    /// Wakes the threads that have work after this turn.
    private mutating func endTurn(at now: Instant) {
        effects.endTurn()
        let lines = backend
        hasMoreStates = effects.publisher.endTurn(
            at: now, snapshot: { panel.snapshot(of: $0) },
            present: { lines.read($0, now: now)?.level },
            contact: { panel.contactLevel(of: $0) })
    }

    private mutating func collectRequests() -> Int32? {
        if panel.hasRoom, pollSet.isReady(backendDescriptors) {
            inbox.drain { panel.add($0.event, at: $0.at) }
        }
        if panel.hasRoom, pollSet.isReady(backendDescriptors + 1), let dispatcher {
            dispatcher.drainReports { report in
                report.forEachEvent(of: report.run) { panel.add($0, at: report.at) }
            }
        }
        if pollSet.isReady(backendDescriptors + 2) { return signals?.take() }
        return nil
    }
}
