public import DetentPlatform
public import DetentTypes
import Synchronization

/// Carries what a panel does from its loop to one watcher, such as a server.
///
/// The loop pushes and never waits. While nobody watches it passes on reports alone, and wakes the
/// watcher only when the ring is half full; a panel that nobody looks at so costs no system call.
///
/// One thread is the loop's (`isWatched`, `push`, `take…`), one the watcher's (`drain`, `wait`);
/// the rest may be called by any.
public final class PanelWatch: Sendable {
    private let ring = Ring<TimedNote>(capacity: RuntimeLimits.notes)
    private let waiting = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    private let watched = Atomic<Bool>(false)
    private let wantsStates = Atomic<Bool>(false)
    private let tracedLines = Mutex<[LineID]>([])
    private let tracedVersion = Atomic<UInt32>(0)
    private let wakeUp: WakeUp
    private let wakeLoop: @Sendable () -> Void

    /// Opens a watch.
    ///
    /// - Parameter wakeLoop: lets the loop run a turn soon; called from any thread.
    /// - Throws: `PlatformError` when the process has no descriptor left.
    public init(wakeLoop: @escaping @Sendable () -> Void) throws(PlatformError) {
        wakeUp = try WakeUp()
        self.wakeLoop = wakeLoop
    }

    /// Readable while the watcher should look.
    var descriptor: Int32 { wakeUp.descriptor }

    // MARK: For the watcher

    /// From now on states are told as they change, and every note wakes the watcher; or no more.
    public func setWatched(_ isWatched: Bool) { watched.store(isWatched, ordering: .releasing) }

    /// Asks for the states of all controls; `complete` follows them.
    public func askForStates() {
        wantsStates.store(true, ordering: .releasing)
        wakeLoop()
    }

    /// The levels of these lines are told from now on, the present ones first.
    ///
    /// Of more than `RuntimeLimits.tracedLines` the last are left out.
    public func trace(_ lines: [LineID]) {
        tracedLines.withLock { $0 = Array(lines.prefix(RuntimeLimits.tracedLines)) }
        tracedVersion.wrappingAdd(1, ordering: .acquiringAndReleasing)
        wakeLoop()
    }

    /// Sleeps until there is something to look at, or until `deadline`.
    public func wait(until deadline: Instant) { wakeUp.wait(until: deadline) }

    /// Wakes the watcher whatever there is; from any thread.
    public func wake() { wakeUp.ring() }

    /// Hands over all notes that wait.
    ///
    /// - Returns: how many had to be dropped since the last call; states may then be out of date.
    public func drain(_ body: (TimedNote) -> Void) -> Int {
        wakeUp.clear()
        while let note = ring.pop() {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            body(note)
        }
        return dropped.exchange(0, ordering: .acquiringAndReleasing)
    }

    // MARK: For the loop

    /// Whether anybody wants more than reports.
    var isWatched: Bool { watched.load(ordering: .acquiring) }

    /// Whether all states are wanted; true once for each time that they were asked for.
    func takeRequest() -> Bool {
        wantsStates.load(ordering: .relaxed)
            && wantsStates.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// The lines to trace, if they are others than those of `version`; nil too while another
    /// thread is about to change them.
    func traced(since version: inout UInt32) -> [LineID]? {
        let latest = tracedVersion.load(ordering: .acquiring)
        guard latest != version else { return nil }
        guard let lines = tracedLines.withLockIfAvailable({ $0 }) else { return nil }
        version = latest
        return lines
    }

    /// Passes a note on; true where the watcher should be woken for it.
    func push(_ note: WatchNote, at moment: Instant) -> Bool {
        guard ring.push(TimedNote(note, at: moment)) else {
            dropped.wrappingAdd(1, ordering: .relaxed)
            return true
        }
        let count = waiting.wrappingAdd(1, ordering: .relaxed).newValue
        return count == RuntimeLimits.notes / 2 || isWatched
    }
}
