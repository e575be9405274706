public import DetentPlatform
public import DetentTypes
import Synchronization

/// Writes texts on a thread of its own, so that a reader that takes nothing delays only itself.
///
/// Texts keep their order. A text that finds no room is dropped and counted.
public final class TextWriter: Sendable {
    /// Where a text goes; 0, or the error number of the system where it could not be written.
    public typealias Write = @Sendable (String) -> Int32

    private enum Phase: Equatable {
        case writing
        /// What waits is written, and then the thread ends.
        case ending
        /// Nothing is written any more; what comes is dropped.
        case refusing
    }

    private struct State {
        var phase = Phase.writing
        var waiting: [String] = []
        /// Texts that the thread has taken and not written yet.
        var taken = 0
        /// Texts dropped since the last note about them.
        var dropped = 0
        /// All texts that were not written.
        var lost = 0
    }

    private let capacity: Int
    private let write: Write
    private let didFail: @Sendable (Int32) -> Bool
    private let note: @Sendable (Int) -> String?
    private let wakeUp: WakeUp
    private let state = Mutex(State())
    private let thread = Mutex<WorkerThread?>(nil)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: the name of the thread, at most 15 bytes.
    ///   - capacity: how many texts wait at most.
    ///   - write: takes a text; may block for as long as it likes.
    ///   - didFail: is told the error of a write; false drops all that follows.
    ///   - note: a text that says how many were dropped, written once there is room again.
    /// - Throws: `PlatformError` if no descriptor or thread is available.
    public init(
        named name: String, capacity: Int, write: @escaping Write,
        didFail: @escaping @Sendable (Int32) -> Bool = { _ in true },
        note: @escaping @Sendable (Int) -> String? = { _ in nil }
    ) throws(PlatformError) {
        self.capacity = capacity
        self.write = write
        self.didFail = didFail
        self.note = note
        wakeUp = try WakeUp()
        let worker = try WorkerThread(named: name) { [self] in work() }
        thread.withLock { $0 = worker }
    }

    /// Whether a write has failed for good, so that nothing is written any more.
    public var hasFailed: Bool { state.withLock { $0.phase == .refusing } }

    /// Hands a text over, from any thread and without waiting; false where it was dropped.
    @discardableResult
    public func add(_ text: String) -> Bool {
        let isTaken = state.withLock { state in
            let hasRoom = state.waiting.count + state.taken < capacity
            guard hasRoom, state.phase != .refusing else {
                state.dropped += 1
                state.lost += 1
                return false
            }
            state.waiting.append(text)
            return true
        }
        wakeUp.ring()
        return isTaken
    }

    /// Writes what waits, then ends the thread.
    ///
    /// - Returns: how many texts were not written: those dropped before, and those that still wait
    ///   after `span`. The thread is left behind then.
    @discardableResult
    public func stop(within span: TimeSpan) -> Int {
        state.withLock { if $0.phase == .writing { $0.phase = .ending } }
        wakeUp.ring()
        let deadline = MonotonicClock.now + span
        _ = thread.withLock { $0.take()?.join(until: deadline) ?? true }
        return state.withLock { $0.lost + $0.waiting.count + $0.taken }
    }

    private func work() {
        while true {
            wakeUp.clear()
            let (texts, dropped, isEnding) = state.withLock { state in
                let batch = (state.waiting, state.dropped, state.phase == .ending)
                state.taken = state.waiting.count
                state.waiting = []
                state.dropped = 0
                return batch
            }
            for text in texts {
                let error = write(text)
                state.withLock { state in
                    state.taken -= 1
                    if error != 0 { state.lost += 1 }
                }
                if error != 0, !didFail(error) { return refuse() }
            }
            if dropped > 0, let text = note(dropped) { _ = write(text) }
            if texts.isEmpty, isEnding { return }
            if texts.isEmpty { wakeUp.wait() }
        }
    }

    private func refuse() {
        state.withLock { state in
            state.phase = .refusing
            state.lost += state.waiting.count + state.taken
            state.waiting = []
            state.taken = 0
        }
    }
}
