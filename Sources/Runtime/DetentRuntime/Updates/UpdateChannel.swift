public import DetentPlatform
public import DetentTypes
import Synchronization

/// Carries the updates of a panel from its loop to one reader, such as a server.
///
/// The loop pushes and never waits. While there is no client, it sends only reports, and wakes the
/// reader only when the ring is half full. So a panel without clients costs no system calls.
///
/// The loop's thread calls `isWatched`, `push` and `take…`; the reader's thread calls `drain` and
/// `wait`. Any thread may call the rest.
public final class UpdateChannel: Sendable {
    private let ring = Ring<TimedUpdate>(capacity: RuntimeLimits.updates)
    private let waiting = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    private let watched = Atomic<Bool>(false)
    private let wantsStates = Atomic<Bool>(false)
    private let tracedLines = Mutex<[LineID]>([])
    private let tracedVersion = Atomic<UInt32>(0)
    private let wakeUp: WakeUp
    private let wakeLoop: @Sendable () -> Void

    /// Opens a channel.
    ///
    /// - Parameter wakeLoop: makes the loop run a turn soon; called from any thread.
    /// - Throws: `PlatformError` when the process has no descriptor left.
    public init(wakeLoop: @escaping @Sendable () -> Void) throws(PlatformError) {
        wakeUp = try WakeUp()
        self.wakeLoop = wakeLoop
    }

    /// Readable when the reader has work.
    package var descriptor: Int32 { wakeUp.descriptor }

    // MARK: For the reader

    /// Turns the updates of states on or off. While they are on, every update wakes the reader.
    public func setWatched(_ isWatched: Bool) {
        watched.store(isWatched, ordering: .releasing)
        wakeLoop()
    }

    /// Requests the states of all controls; `complete` follows them.
    public func requestSnapshot() {
        wantsStates.store(true, ordering: .releasing)
        wakeLoop()
    }

    /// Sends the levels of these lines from now on, beginning with their current levels.
    ///
    /// Lines beyond `RuntimeLimits.tracedLines` are ignored.
    public func trace(_ lines: [LineID]) {
        tracedLines.withLock { $0 = Array(lines.prefix(RuntimeLimits.tracedLines)) }
        tracedVersion.wrappingAdd(1, ordering: .acquiringAndReleasing)
        wakeLoop()
    }

    /// Sleeps until there are updates, or until `deadline`.
    public func wait(until deadline: Instant) { wakeUp.wait(until: deadline) }

    /// Wakes the reader in any case; from any thread.
    public func wake() { wakeUp.ring() }

    /// Passes on all waiting updates.
    ///
    /// - Returns: how many were dropped since the last call; if any, states may be out of date.
    public func drain(_ body: (TimedUpdate) -> Void) -> Int {
        wakeUp.clear()
        while let update = ring.pop() {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            body(update)
        }
        return dropped.exchange(0, ordering: .acquiringAndReleasing)
    }

    // MARK: For the loop

    /// Whether the reader wants more than reports.
    package var isWatched: Bool { watched.load(ordering: .acquiring) }

    /// Whether all states were requested; true once for each request.
    package func takeRequest() -> Bool {
        wantsStates.load(ordering: .relaxed)
            && wantsStates.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// The lines to trace, if they changed since `version`; nil also while another thread is
    /// changing them.
    package func traced(since version: inout UInt32) -> [LineID]? {
        let latest = tracedVersion.load(ordering: .acquiring)
        guard latest != version else { return nil }
        guard let lines = tracedLines.withLockIfAvailable({ $0 }) else { return nil }
        version = latest
        return lines
    }

    /// Adds an update; true if the reader should be woken.
    package func push(_ update: PanelUpdate, at moment: Instant) -> Bool {
        guard ring.push(TimedUpdate(update, at: moment)) else {
            // Woken at the first, the reader finds the others too.
            return dropped.wrappingAdd(1, ordering: .relaxed).oldValue == 0
        }
        let count = waiting.wrappingAdd(1, ordering: .relaxed).newValue
        return count == RuntimeLimits.updates / 2 || isWatched
    }

    /// Counts updates that were dropped before they came here; wake the reader afterwards.
    package func drop(_ count: Int) {
        dropped.wrappingAdd(count, ordering: .relaxed)
    }
}
