import Synchronization

/// Work that may wait for a driver, on a thread of its own: one piece at a time.
///
/// The thread that starts it takes the answer when `descriptor` is readable. A piece that never
/// ends keeps its thread, and the next one is refused; nothing else waits for it.
public final class BackgroundWork<Answer: Sendable>: Sendable {
    private struct State: Sendable {
        var isRunning = false
        var answer: Answer?
        /// Pieces that were given up: their answers are dropped.
        var number = 0
    }

    private let name: String
    private let bell: WakeUp?
    private let state = Mutex(State())

    /// - Parameter name: the name of the thread, at most 15 bytes.
    public init(named name: String) {
        self.name = name
        bell = try? WakeUp()
    }

    /// Readable when an answer waits; -1 if the system refused it.
    public var descriptor: Int32 { bell?.descriptor ?? -1 }

    /// Whether a piece is at work, or its answer waits.
    public var isBusy: Bool { state.withLock { $0.isRunning || $0.answer != nil } }

    /// Starts a piece of work; false if one is at work, or no thread can be made.
    public func start(_ work: @escaping @Sendable () -> Answer) -> Bool {
        let number: Int? = state.withLock {
            guard !$0.isRunning, $0.answer == nil else { return nil }
            $0.isRunning = true
            return $0.number
        }
        guard let number else { return false }
        let thread = try? WorkerThread(named: name) { [self] in
            let answer = work()
            state.withLock {
                guard $0.number == number else { return }
                $0.isRunning = false
                $0.answer = answer
            }
            bell?.ring()
        }
        if thread == nil { state.withLock { $0.isRunning = false } }
        return thread != nil
    }

    /// The answer, once; nil if there is none.
    public func take() -> Answer? {
        bell?.clear()
        return state.withLock {
            let answer = $0.answer
            $0.answer = nil
            return answer
        }
    }

    /// Gives up the piece that is at work, and drops its answer.
    public func giveUp() {
        state.withLock {
            $0.isRunning = false
            $0.answer = nil
            $0.number += 1
        }
    }
}
