public import DetentPlatform
import DetentTypes
import Glibc
import Synchronization

/// Waits for whatever asks for a reload: a signal, the saved file, or `detent reload`.
///
/// One thread, which sleeps without a deadline until it is asked.
public final class ReloadListener: Sendable {
    private let reload: @Sendable () -> PanelReloader.Outcome
    private let tell: @Sendable (PanelReloader.Outcome) -> Void
    private let asked: @Sendable (UInt32) -> Void
    private let signal: WakeUp
    private let watch: FileWatch?
    private let door: LocalDoor?
    private let shallEnd = Atomic<Bool>(false)
    private let thread = Mutex<WorkerThread?>(nil)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - signal: rung for a reload.
    ///   - watch: the file whose saving asks for a reload; nil if it does not.
    ///   - door: where other processes ask for a reload; nil if they cannot.
    ///   - asked: takes the number of the user who asks at the door.
    ///   - tell: takes every outcome, except that of a saved file in which nothing changed.
    /// - Throws: `PlatformError` if no thread is available.
    public init(
        signal: WakeUp, watch: FileWatch?, door: LocalDoor?,
        reload: @escaping @Sendable () -> PanelReloader.Outcome,
        asked: @escaping @Sendable (UInt32) -> Void = { _ in },
        tell: @escaping @Sendable (PanelReloader.Outcome) -> Void
    ) throws(PlatformError) {
        self.signal = signal
        self.watch = watch
        self.door = door
        self.reload = reload
        self.tell = tell
        self.asked = asked
        let worker = try WorkerThread(named: "detent-reload") { [self] in work() }
        thread.withLock { $0 = worker }
    }

    /// Ends the thread, after a reload that is under way.
    public func stop() {
        shallEnd.store(true, ordering: .releasing)
        signal.ring()
        let deadline = MonotonicClock.now + RuntimeLimits.writerGrace
        _ = thread.withLock { $0.take()?.join(until: deadline) ?? true }
    }

    private func work() {
        var descriptors = PollSet(capacity: 3)
        _ = descriptors.add(signal.descriptor)
        _ = descriptors.add(watch?.descriptor ?? -1)
        _ = descriptors.add(door?.descriptor ?? -1)
        while !shallEnd.load(ordering: .acquiring) {
            guard descriptors.wait(now: MonotonicClock.now, until: .never) else { continue }
            if descriptors.isReady(0) {
                signal.clear()
                if shallEnd.load(ordering: .acquiring) { return }
                tell(reload())
            }
            if descriptors.isReady(1), watch?.take() == true { followFile() }
            if descriptors.isReady(2), let call = door?.accept() { answer(call) }
        }
    }

    /// Editors save in several steps: the file counts when it has rested for a moment.
    private func followFile() {
        let end = MonotonicClock.now + RuntimeLimits.longestSave
        while MonotonicClock.now < end {
            var entry = pollfd(fd: watch?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, Int32(RuntimeLimits.restOfFile.nanoseconds / 1_000_000)) > 0
            else { break }
            _ = watch?.take()
        }
        let outcome = reload()
        switch outcome.result {
        case .unchanged: break
        case .changed, .refused: tell(outcome)
        }
    }

    /// A caller gets the result in the first line, and the text after it.
    private func answer(_ call: LocalCall) {
        if let user = call.user { asked(user) }
        let outcome = reload()
        tell(outcome)
        call.send("\(outcome.result.rawValue)\n\(outcome.text)")
    }
}
