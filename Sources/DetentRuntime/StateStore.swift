import DetentCore
public import DetentPanel
public import DetentPlatform
public import DetentTypes
import Glibc
import Synchronization

/// Saves the values of a panel across restarts, in one small file.
///
/// A separate thread writes, so that neither the real-time loop nor the recorder waits for the
/// disk. The file is replaced in one step: after a power cut either the old or the new file exists.
/// It is written at most once a second and at the end, and only if a value has changed. A file that
/// cannot be read is renamed and reported, never overwritten.
public final class StateStore: Sendable {
    private struct State {
        var plan: PanelPlan
        var journal: StateJournal
        /// The number of the panel whose values are saved.
        var panel: UInt32 = 0
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

    private let folder: any StateFolder
    private let place: String
    private let log: @Sendable (String) -> Void
    private let wakeUp: WakeUp
    private let state: Mutex<State>

    /// Reads the file of a panel and starts the thread.
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
        guard let saved = StateFile(plan, folder, place, log).loadAll() else { return nil }
        return try StateStore(plan, folder, place, saved, lock, log)
    }

    private init(
        _ plan: PanelPlan, _ folder: any StateFolder, _ place: String, _ saved: [SavedValue],
        _ lock: FileLock?, _ log: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) {
        self.folder = folder
        self.place = place
        self.saved = saved
        self.log = log
        wakeUp = try WakeUp()
        state = Mutex(
            State(
                plan: plan, journal: StateJournal(plan, saved: saved), lock: lock))
        let worker = try WorkerThread(named: "detent-state") { [self] in work() }
        state.withLock { $0.thread = worker }
    }

    /// How often the file was written.
    public var writeCount: Int { state.withLock { $0.writeCount } }

    /// Takes a report; reports without a change of value cost nothing. From any thread, without
    /// waiting.
    public func note(_ timed: TimedReport) {
        let isDue = state.withLock { state in
            // All values of an earlier panel were taken over when this one followed it.
            timed.panel == state.panel && state.journal.note(timed.report, at: timed.at)
        }
        if isDue { wakeUp.ring() }
    }

    /// Takes the values of all controls at the end, because reports may have been dropped.
    public func take(_ values: [SavedValue]) {
        let now = MonotonicClock.now
        let isDue = state.withLock { state in
            for it in values { _ = state.journal.take(it, at: now) }
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
    public func follow(_ plan: PanelPlan, _ values: [SavedValue], lock: FileLock?) {
        let now = MonotonicClock.now
        state.withLock { state in
            state.plan = plan
            state.journal = StateJournal(plan)
            state.panel += 1
            if let lock { state.lock = lock }
            for it in values { _ = state.journal.take(it, at: now) }
        }
        wakeUp.ring()
    }

    /// Writes the unsaved changes and ends the thread.
    ///
    /// - Returns: false if the thread did not end within `span` because the disk is too slow.
    @discardableResult
    public func stop(within span: TimeSpan) -> Bool {
        let thread = state.withLock { state in
            state.isEnding = true
            return state.thread.take()
        }
        wakeUp.ring()
        return thread?.join(until: MonotonicClock.now + span) ?? true
    }

    private func work() {
        while true {
            let now = MonotonicClock.now
            let (job, isEnding, deadline) = state.withLock { state in
                let isDue = state.journal.deadline <= now || state.isEnding
                let job =
                    isDue && state.journal.isDirty
                    ? Job(plan: state.plan, values: state.journal.values, panel: state.panel) : nil
                return (job, state.isEnding, state.journal.deadline)
            }
            if let job {
                write(job)
                if isEnding { return }
                continue
            }
            if isEnding { return }
            wakeUp.wait(until: deadline)
            wakeUp.clear()
        }
    }

    /// Values to write.
    private struct Job {
        var plan: PanelPlan
        var values: [Value?]
        var panel: UInt32
    }

    private func write(_ job: Job) {
        let name = SavedFile.name(of: job.plan)
        var failure: StateFolderError?
        do throws(StateFolderError) {
            try StateFile.replace(name, by: SavedFile.bytes(job.values, of: job.plan), in: folder)
        } catch {
            failure = error
        }
        let isNews = state.withLock { state in
            if job.panel == state.panel {
                state.journal.ended(
                    job.values, isWritten: failure == nil, at: MonotonicClock.now)
            }
            if failure == nil { state.writeCount += 1 }
            defer { state.hasFailed = failure != nil }
            return state.hasFailed != (failure != nil)
        }
        guard isNews else { return }
        guard let failure else {
            return log("detent: \(place)/\(name) can be written again\n")
        }
        log(
            "detent: \(place)/\(name) cannot be \(failure.step): "
                + "\(failure.cause); values are not saved\n"
                + "help: make the folder writable for the user of detent and free some "
                + "space; Detent retries every minute\n")
    }
}
