import DetentCore
import DetentHistory
public import DetentPanel
public import DetentPlatform
public import DetentTypes
import Glibc
import Synchronization

/// Saves the values of a panel across restarts, and its events.
///
/// A separate thread writes, so that neither the real-time loop nor the recorder waits for the
/// disk. With a history, a confirmed value is written at once, with all events before it; see
/// `HistoryQueue`. Without one, a small file is replaced in one step, at most once a second and at
/// the end, and only if a value has changed. What cannot be read is renamed and reported, never
/// overwritten.
public final class StateStore: Sendable {
    fileprivate struct State {
        var plan: PanelPlan
        var journal: StateJournal
        /// Events that wait to be written.
        var queue = HistoryQueue()
        var keepsEvents: Bool
        /// The number of the panel whose values are saved.
        var panel: UInt32 = 0
        /// The panel before that, whose last events may still come.
        var former: PanelPlan?
        /// Keeps other processes from using the file while this object exists.
        var lock: FileLock?
        var writeCount = 0
        var isEnding = false
        /// The last write failed, and this was logged.
        var hasFailed = false
        var thread: WorkerThread?
    }

    /// The values of the controls when the process last ended.
    public let saved: [SavedValue]

    private let place: String
    private let log: @Sendable (String) -> Void
    /// The time of day of an instant, in milliseconds since 1970.
    private let wallClock: @Sendable (Instant) -> Int64
    private let wakeUp: WakeUp
    private let state: Mutex<State>
    /// Only the thread uses it once it runs.
    private let writer: Mutex<StateWriter>

    /// Reads the values of a panel and starts the thread.
    ///
    /// - Parameters:
    ///   - place: the folder, for messages.
    ///   - lock: the claim on the file from `SystemStateFolder.claim`; the store keeps it.
    ///   - log: prints messages, each with a line feed; must not wait.
    /// - Returns: nil if a file can neither be read nor renamed; this was logged, and no values are
    ///   saved.
    /// - Throws: `PlatformError` if no descriptor or thread is available.
    public static func open(
        _ plan: PanelPlan, in folder: any StateFolder, place: String,
        lock: FileLock? = nil, log: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) -> StateStore? {
        try open(
            plan, in: folder, place: place, lock: lock,
            wallClock: { WallClock.milliseconds(of: $0) }, log: log)
    }

    /// - Parameter wallClock: the time of day of an instant, in milliseconds since 1970.
    static func open(
        _ plan: PanelPlan, in folder: any StateFolder, place: String, lock: FileLock? = nil,
        wallClock: @escaping @Sendable (Instant) -> Int64,
        log: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) -> StateStore? {
        let writer = StateWriter(folder, place, log)
        guard let saved = writer.load(plan) else { return nil }
        return try StateStore(plan, writer, place, saved, lock, wallClock, log)
    }

    private init(
        _ plan: PanelPlan, _ writer: sending StateWriter, _ place: String, _ saved: [SavedValue],
        _ lock: FileLock?, _ wallClock: @escaping @Sendable (Instant) -> Int64,
        _ log: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) {
        self.wallClock = wallClock
        self.place = place
        self.saved = saved
        self.log = log
        state = Mutex(
            State(
                plan: plan, journal: StateJournal(plan, saved: saved),
                keepsEvents: writer.keepsEvents, lock: lock))
        self.writer = Mutex(writer)
        wakeUp = try WakeUp()
        let worker = try WorkerThread(named: "detent-state") { [self] in work() }
        state.withLock { $0.thread = worker }
    }

    /// How often values or events were written.
    public var writeCount: Int { state.withLock { $0.writeCount } }

    /// Whether events are kept.
    public var keepsEvents: Bool { state.withLock { $0.keepsEvents } }

    /// Takes a report; without a history, reports without a change of value cost nothing. From any
    /// thread, without waiting.
    public func note(_ timed: TimedReport) {
        let isDue = state.withLock { state in
            let isCloser = state.keepsEvents && state.noteEvent(timed, wallClock)
            // All values of an earlier panel were taken over when this one followed it.
            let isDue =
                timed.panel == state.panel && state.journal.note(timed.report, at: timed.at)
            return isCloser || isDue
        }
        if isDue { wakeUp.ring() }
    }

    /// Takes the values of all controls at the end, because reports may have been dropped.
    public func record(_ values: [SavedValue]) {
        let now = MonotonicClock.now
        let isDue = state.withLock { state in
            for entry in values { _ = state.journal.record(entry, at: now) }
            return state.journal.isDirty
        }
        if isDue { wakeUp.ring() }
    }

    /// Another panel follows, whose values are saved from now on. The file of the former one stays
    /// if it has another name.
    ///
    /// - Parameters:
    ///   - values: the values of all its controls.
    ///   - lock: the claim on the file if its name changed; nil to keep the present one.
    public func replacePlan(_ plan: PanelPlan, _ values: [SavedValue], lock: FileLock?) {
        let now = MonotonicClock.now
        state.withLock { state in
            state.former = state.plan
            state.plan = plan
            state.journal = StateJournal(plan)
            state.keepsEvents = plan.historyRows != nil
            state.panel += 1
            if let lock { state.lock = lock }
            for entry in values { _ = state.journal.record(entry, at: now) }
        }
        wakeUp.ring()
    }

    /// Whether the last write failed; the log has the reason.
    public var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Writes the unsaved changes and ends the thread. Values whose file was removed meanwhile are
    /// written again.
    ///
    /// - Returns: whether all values were saved; false also if the thread did not end within `span`
    ///   because the disk is too slow.
    @discardableResult
    public func stop(within span: TimeSpan) -> Bool {
        let thread = state.withLock { state in
            state.isEnding = true
            return state.thread.take()
        }
        wakeUp.ring()
        guard thread?.join(until: MonotonicClock.now + span) ?? true else { return false }
        return !hasFailed
    }

    private func work() {
        while true {
            let now = MonotonicClock.now
            let (job, isEnding, deadline) = state.withLock { state in
                (state.job(at: now), state.isEnding, state.deadline)
            }
            if let job { write(job) }
            if isEnding { return end() }
            if job != nil { continue }
            wakeUp.wait(until: deadline)
            wakeUp.clear()
        }
    }

    private func end() {
        let job = state.withLock { $0.wholeJob }
        if writer.withLock({ $0.isGone(job.plan) }) { write(job) }
        writer.withLock { $0.close() }
    }

    private func write(_ job: Job) {
        let (failure, keepsEvents) = writer.withLock { writer in
            let failure = writer.write(job.plan, job.values, job.rows, survives: job.survives)
            return (failure, writer.keepsEvents)
        }
        let (isNews, dropped) = state.withLock { state in
            let dropped = state.ended(job, isWritten: failure == nil, at: MonotonicClock.now)
            if job.panel == state.panel, failure == nil { state.keepsEvents = keepsEvents }
            defer { state.hasFailed = failure != nil }
            return (state.hasFailed != (failure != nil), dropped)
        }
        if dropped > 0 {
            log("detent: \(dropped) events are not in the history: it was written too slowly\n")
        }
        guard isNews else { return }
        guard let failure else {
            return log("detent: values in \(place) can be written again\n")
        }
        log(
            "detent: \(place)/\(failure.name) cannot be \(failure.step): "
                + "\(failure.cause); values are not saved\n"
                + "help: make the folder writable for the user of detent and free some "
                + "space; Detent retries every minute\n")
    }

    /// What is written at once.
    fileprivate struct Job {
        var plan: PanelPlan
        var values: [Value?]
        var panel: UInt32
        var rows: [HistoryRow]
        /// Whether a value changed or was confirmed, so that a power cut must not undo it.
        var survives: Bool
        var isConfirmed: Bool
    }
}

extension StateStore.State {
    /// Adds the event of a report; true if a write is due earlier than before.
    fileprivate mutating func noteEvent(
        _ timed: TimedReport, _ wallClock: (Instant) -> Int64
    ) -> Bool {
        let plan: PanelPlan
        if timed.panel == panel {
            plan = self.plan
        } else if timed.panel &+ 1 == panel, let former {
            plan = former
        } else {
            return false
        }
        let event = JSONValue.object(EventLine.members(timed.report, plan: plan, at: timed.at))
        let row = HistoryRow(
            milliseconds: wallClock(timed.at),
            control: event["control"]?.text ?? "", event: event["event"]?.text ?? "",
            line: event.line)
        var isConfirmed = false
        if case .confirmed = timed.report.kind { isConfirmed = true }
        return queue.add(row, isConfirmed: isConfirmed, at: timed.at)
    }

    /// When something must be written; `never` if all is written.
    fileprivate var deadline: Instant { min(journal.deadline, queue.deadline) }

    /// What must be written now; nil if nothing is due.
    fileprivate mutating func job(at now: Instant) -> StateStore.Job? {
        let hasWork = journal.isDirty || queue.deadline != .never
        guard hasWork, isEnding || deadline <= now else { return nil }
        let isConfirmed = queue.hasConfirmed
        queue.begin()
        return StateStore.Job(
            plan: plan, values: journal.values, panel: panel, rows: queue.rows,
            survives: journal.isDirty || isConfirmed, isConfirmed: isConfirmed)
    }

    /// All values, whether they are written or not.
    fileprivate var wholeJob: StateStore.Job {
        StateStore.Job(
            plan: plan, values: journal.values, panel: panel, rows: [], survives: true,
            isConfirmed: false)
    }

    /// A write has ended; returns how many events were dropped before it.
    fileprivate mutating func ended(
        _ job: StateStore.Job, isWritten: Bool, at now: Instant
    ) -> Int {
        if job.panel == panel, job.survives || !isWritten {
            journal.ended(job.values, isWritten: isWritten, at: now)
        }
        if isWritten { writeCount += 1 }
        return queue.ended(
            job.rows.count, isWritten: isWritten, confirmed: job.isConfirmed, at: now)
    }
}
