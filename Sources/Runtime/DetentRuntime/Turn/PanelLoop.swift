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
    /// The panel that runs.
    public let plan: PanelPlan
    /// 0, or how many panels came before it by reloads.
    private let number: UInt32
    private let reports: ReportStream
    private let updates: [UpdateChannel]
    // `WatchdogTimer?` would have the default value nil; `init` says why there is none.
    private var watchdog: Optional<WatchdogTimer>
    private var panel: PanelTurn<EffectDispatcher>
    private let backend: any GPIOBackend
    private let dispatcher: ActionDispatcher?
    private let inbox: Inbox
    private let signals: SignalInbox?
    private let effects: EffectDispatcher
    private var sleepSet: SleepSet
    private var generation: UInt32
    private var backendDescriptors: Int
    /// Lines that `open` could not request.
    private var missing: [LineID]
    /// More states were requested than one turn sends.
    private var hasMoreStates: Bool
    /// Values of the panel before that this one cannot have.
    public let notes: [String]

    /// Makes the loop of a panel.
    ///
    /// - Parameters:
    ///   - dispatcher: runs the panel's actions; if nil, every attempt fails at once.
    ///   - updates: publishes updates, to each reader the same.
    ///   - signals: SIGTERM and SIGINT end the loop; nil if the caller handles signals.
    ///   - kept: takes the values before they are reported; nil if none survive the process.
    ///   - watchdog: fed after each turn; nil without a watchdog.
    /// - Throws: `EngineError` if the plan exceeds a limit that its reader should have reported;
    ///   `PlatformError` if no descriptor is available.
    public init(
        plan: PanelPlan, backend: any GPIOBackend, dispatcher: ActionDispatcher?, inbox: Inbox,
        reports: ReportStream, updates: [UpdateChannel] = [], signals: SignalInbox? = nil,
        kept: KeptValues? = nil, watchdog: WatchdogTimer? = nil
    ) throws {
        let effects = EffectDispatcher(
            backend: backend, dispatcher: dispatcher, reports: reports, kept: kept,
            publisher: UpdatePublisher(
                updates, controls: plan.controls.count, lines: plan.lines.count))
        // This comes before the first property is set, so no property has a default value: the
        // compiler of Swift 6.2 cannot destroy a noncopyable value that is partly initialized.
        let panel = try PanelTurn(plan, backend: backend, handler: effects)
        let sleepSet = try Self.sleepSet(of: plan)
        self.plan = plan
        number = 0
        self.reports = reports
        self.updates = updates
        self.watchdog = watchdog
        self.panel = panel
        self.backend = backend
        self.dispatcher = dispatcher
        self.inbox = inbox
        self.signals = signals
        self.effects = effects
        self.sleepSet = sleepSet
        generation = 0
        backendDescriptors = 0
        missing = []
        hasMoreStates = false
        notes = []
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

    /// Why `run` returned.
    public enum End: Equatable, Sendable {
        /// The inbox ended it.
        case stopped
        case signal(Int32)
        /// Another panel waits in the inbox: change to it, and run again.
        case change
    }

    /// Runs turns until the inbox or a signal ends them.
    public mutating func run() -> End {
        while !inbox.isStopping {
            if inbox.isChangeWaiting, panel.isBetweenTurns { return .change }
            if let signal = turn() { return .signal(signal) }
        }
        return .stopped
    }

    /// Makes the loop of a panel that follows this one, on the same lines and with the same
    /// actions. The former loop may only be destroyed then.
    ///
    /// This is the one moment at which the loop allocates, and waits for the kernel. Lines keep
    /// their edges meanwhile.
    ///
    /// - Parameters:
    ///   - keys: how the dispatcher knows the controls and actions of the new panel.
    ///   - keep: keeps these values of the former panel when the process dies; called when the
    ///     change is certain.
    ///   - willStart: called before the first report of the new panel.
    /// - Throws: `PanelChangeError` if nothing was changed.
    public init(
        following former: borrowing PanelLoop, _ plan: PanelPlan, _ difference: PanelDifference,
        keys: ActionKeys, keep: ([SavedValue]) -> KeptValues?, willStart: () -> Void
    ) throws(PanelChangeError) {
        let effects = EffectDispatcher(
            backend: former.backend, dispatcher: former.dispatcher, reports: former.reports,
            kept: nil,
            publisher: UpdatePublisher(
                former.updates, controls: plan.controls.count, lines: plan.lines.count),
            keys: keys)
        let sleepSet: SleepSet
        do throws(PlatformError) { sleepSet = try Self.sleepSet(of: plan) } catch {
            throw .system(error)
        }
        var panel = try Self.successor(former.panel, plan, difference, effects)
        let errors = former.backend.change(to: plan.lineSettings, continuing: difference.lines)
        guard errors.isEmpty else { throw .lines(errors) }
        let saved = difference.savedValues(of: former.plan, in: plan) {
            former.panel.snapshot(of: $0)?.desired
        }
        notes = saved.notes
        effects.kept = keep(
            difference.values(of: former.plan, in: plan) {
                former.panel.snapshot(of: $0)?.desired
            }.values)
        former.reports.beginPanel()
        willStart()
        effects.publisher.publish(.restarted, at: former.panel.now)
        panel.startFollowing(difference, saved: saved.values)
        self.plan = plan
        number = former.number + 1
        reports = former.reports
        updates = former.updates
        watchdog = former.watchdog
        self.panel = panel
        backend = former.backend
        dispatcher = former.dispatcher
        inbox = former.inbox
        signals = former.signals
        self.effects = effects
        self.sleepSet = sleepSet
        generation = 0
        backendDescriptors = 0
        missing = []
        // A call of a mutating method would not compile here with Swift 6.2.
        hasMoreStates = Self.endTurn(of: self.panel, effects, backend, at: self.panel.now)
    }

    private static func sleepSet(of plan: PanelPlan) throws(PlatformError) -> SleepSet {
        try SleepSet(capacity: 2 * plan.lines.count + 16 + RuntimeLimits.ownDescriptors)
    }

    private static func successor(
        _ former: borrowing PanelTurn<EffectDispatcher>, _ plan: PanelPlan,
        _ difference: PanelDifference, _ effects: EffectDispatcher
    ) throws(PanelChangeError) -> PanelTurn<EffectDispatcher> {
        do throws(EngineError) {
            return try PanelTurn(plan, following: former, difference, handler: effects)
        } catch {
            throw .engine(error)
        }
    }

    /// The values of all controls that are known.
    public var values: [SavedValue] {
        plan.controls.indices.compactMap { place in
            let control = ControlID(UInt16(place))
            guard let value = snapshot(of: control)?.desired, value != .unknown else { return nil }
            return SavedValue(control: control, value: value)
        }
    }

    /// Sleeps until something is due, and handles it.
    ///
    /// - Returns: the signal that arrived, or nil.
    public mutating func turn() -> Int32? {
        rebuildPollSet()
        var deadline =
            panel.hasMore || hasMoreStates
            ? .zero : min(panel.engine.nextDeadline, backend.deadline)
        var isExact = true
        if let watchdog, watchdog.deadline < deadline {
            // A late message harms nothing, unless something else is due meanwhile.
            isExact = deadline < watchdog.deadline + WakeTime.mostSlack
            deadline = watchdog.deadline
        }
        // A sleep without a deadline needs no clock.
        let before = deadline == .never ? panel.now : MonotonicClock.now
        let isReady = sleepSet.wait(now: before, until: deadline, isExact: isExact)
        // Edges with timestamps need no clock before their lamps: the deadlines that passed during
        // the sleep are due in the next turn, which begins at once.
        let now = isReady && backend.stampsEdges ? before : MonotonicClock.now
        var signal: Int32?
        var readyLines = 0
        if isReady {
            for index in 0..<sleepSet.readyCount {
                let place = sleepSet.readyPlace(index)
                guard place < backendDescriptors else { continue }
                backend.markReady(place)
                readyLines += 1
            }
        }
        let looksAtLines = isReady || backend.deadline <= now
        panel.begin(at: now, linesSilentUntil: looksAtLines ? nil : deadline)
        if sleepSet.readyCount > readyLines { signal = collectRequests() }
        panel.finish()
        endTurn(at: panel.now)
        watchdog?.feed(at: max(now, panel.now))
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
        guard sleepSet.count == 0 || generation != backend.descriptorGeneration else { return }
        generation = backend.descriptorGeneration
        sleepSet.removeAll()
        backendDescriptors = 0
        for descriptor in backend.descriptors { sleepSet.add(descriptor) }
        backendDescriptors = sleepSet.count
        sleepSet.add(inbox.descriptor)
        sleepSet.add(dispatcher?.reportDescriptor ?? -1)
        sleepSet.add(signals?.descriptor ?? -1)
    }

    /// Wakes the threads that have work after this turn.
    private mutating func endTurn(at now: Instant) {
        hasMoreStates = Self.endTurn(of: panel, effects, backend, at: now)
    }

    /// Whether more states were requested than this turn sent.
    private static func endTurn(
        of panel: borrowing PanelTurn<EffectDispatcher>, _ effects: EffectDispatcher,
        _ backend: any GPIOBackend, at now: Instant
    ) -> Bool {
        effects.endTurn()
        return effects.publisher.endTurn(
            at: now, snapshot: { panel.snapshot(of: $0) },
            present: { backend.read($0, now: now)?.level },
            contact: { panel.contactLevel(of: $0) })
    }

    private mutating func collectRequests() -> Int32? {
        if panel.hasRoom, sleepSet.isReady(backendDescriptors) {
            inbox.drain(for: number) { panel.add($0.event, at: $0.at) }
            if let word = inbox.takeBroker() { panel.add(word.event, at: word.at) }
        }
        if panel.hasRoom, sleepSet.isReady(backendDescriptors + 1), let dispatcher {
            let keys = effects.keys
            dispatcher.drainReports { report in
                // The control of an attempt may be gone: only the log tells how it ended.
                let place = keys.map { $0.control(ofKey: report.control) } ?? report.control
                guard let place else { return }
                report.forEachEvent(of: report.run, place) { panel.add($0, at: report.at) }
            }
        }
        if sleepSet.isReady(backendDescriptors + 2) { return signals?.pop() }
        return nil
    }
}
