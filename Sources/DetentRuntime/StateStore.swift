import DetentCore
public import DetentPanel
public import DetentPlatform
public import DetentTypes
import Glibc
import Synchronization

/// Keeps what a panel shows over a restart, in one small file.
///
/// A thread of its own writes, so that neither the real-time loop nor the recorder ever waits for a
/// card. The file is replaced in one step: after a power cut there is the old one or the new one.
/// It is written at most once a second, at the end, and never while nothing has changed. What is
/// there and is no such file is kept under another name and said; nothing is overwritten unseen.
public final class StateStore: Sendable {
    private struct State {
        var journal: StateJournal
        var writeCount = 0
        var isEnding = false
        /// The last write failed, which was said.
        var hasFailed = false
        var thread: WorkerThread?
    }

    /// What the controls showed when the process last ended.
    public let saved: [SavedValue]

    private let plan: PanelPlan
    private let folder: any StateFolder
    private let place: String
    private let name: String
    private let log: @Sendable (String) -> Void
    /// Keeps other processes away from the file as long as this lives.
    private let lock: FileLock?
    private let wakeUp: WakeUp
    private let state: Mutex<State>

    /// Reads the file of a panel and starts the thread.
    ///
    /// - Parameters:
    ///   - place: the folder as messages name it.
    ///   - lock: the claim on the file, see `SystemStateFolder.claim`; the store keeps it.
    ///   - log: takes lines for people, each with its line feed; must not wait.
    /// - Returns: nil where a file that cannot be read cannot be put aside either, which was said;
    ///   nothing is kept then.
    /// - Throws: `PlatformError` where no descriptor or thread can be had.
    public static func open(
        _ plan: PanelPlan, in folder: any StateFolder, place: String,
        lock: FileLock? = nil, log: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) -> StateStore? {
        guard let saved = StateFile(plan, folder, place, log).load() else { return nil }
        return try StateStore(plan, folder, place, saved, lock, log)
    }

    private init(
        _ plan: PanelPlan, _ folder: any StateFolder, _ place: String, _ saved: [SavedValue],
        _ lock: FileLock?, _ log: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) {
        self.plan = plan
        self.folder = folder
        self.place = place
        self.saved = saved
        self.log = log
        self.lock = lock
        name = SavedFile.name(of: plan)
        wakeUp = try WakeUp()
        state = Mutex(State(journal: StateJournal(plan, saved: saved)))
        let worker = try WorkerThread(named: "detent-state") { [self] in work() }
        state.withLock { $0.thread = worker }
    }

    /// How often the file has been written.
    public var writeCount: Int { state.withLock { $0.writeCount } }

    /// Takes a report; those that change no value cost nothing. From any thread, without waiting.
    public func note(_ timed: TimedReport) {
        let isDue = state.withLock { $0.journal.note(timed.report, at: timed.at) }
        if isDue { wakeUp.ring() }
    }

    /// Takes what controls show at the end, where reports of it may have been dropped.
    public func take(_ values: [SavedValue]) {
        for it in values {
            let report = Report(control: it.control, kind: .changed(it.value, .startup))
            note(TimedReport(report: report, at: MonotonicClock.now))
        }
    }

    /// Writes what is not written yet, and ends the thread.
    ///
    /// - Returns: false where it had not ended after `span`, since the card takes too long.
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
            let (values, isEnding, deadline) = state.withLock { state in
                let isDue = state.journal.deadline <= now || state.isEnding
                let values = isDue && state.journal.isDirty ? state.journal.values : nil
                return (values, state.isEnding, state.journal.deadline)
            }
            if let values {
                write(values)
                if isEnding { return }
                continue
            }
            if isEnding { return }
            wakeUp.wait(until: deadline)
            wakeUp.clear()
        }
    }

    private func write(_ values: [Value?]) {
        var failure: StateFolderError?
        do throws(StateFolderError) {
            try StateFile.replace(name, by: SavedFile.bytes(values, of: plan), in: folder)
        } catch {
            failure = error
        }
        let isNews = state.withLock { state in
            state.journal.ended(values, isWritten: failure == nil, at: MonotonicClock.now)
            if failure == nil { state.writeCount += 1 }
            defer { state.hasFailed = failure != nil }
            return state.hasFailed != (failure != nil)
        }
        guard isNews else { return }
        guard let failure else {
            return log("detent: \(place)/\(name) is written again\n")
        }
        log(
            "detent: \(place)/\(name) cannot be \(failure.step): "
                + "\(failure.cause); values are not kept for now\n"
                + "help: give the user of detent a folder that it may write, with room in it; it "
                + "is tried again every minute\n")
    }
}
