public import DetentPlatform
public import DetentTypes
import Synchronization

/// Writes texts on a separate thread, so that a slow reader delays nothing else.
///
/// Texts keep their order. If the buffer is full, a text is dropped and counted.
public final class TextWriter: Sendable {
    /// Writes a text; returns 0, or the system's error number.
    public typealias Write = @Sendable (String) -> Int32

    private enum Phase: Equatable {
        case writing
        /// The waiting texts are written, then the thread ends.
        case ending
        /// Writing has ended; further texts are dropped.
        case refusing
    }

    private struct State {
        var phase = Phase.writing
        var waiting: [String] = []
        /// Texts that the thread has taken and not yet written.
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
    ///   - capacity: the maximum number of waiting texts.
    ///   - write: writes a text; may block.
    ///   - didFail: gets the error of a write; if it returns false, all further texts are dropped.
    ///   - note: makes a text that says how many were dropped; it is written when there is room
    ///     again.
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

    /// Whether a write has failed and writing has ended.
    public var hasFailed: Bool { state.withLock { $0.phase == .refusing } }

    /// Adds a text, from any thread and without waiting; false if it was dropped.
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

    /// Writes the waiting texts, then ends the thread.
    ///
    /// - Returns: how many texts were not written: those dropped before, and those that still wait
    ///   after `span`. In the latter case the thread is abandoned.
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
