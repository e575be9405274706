internal import DetentPlatform
internal import DetentTypes
internal import Synchronization

/// Writes the outputs of one chip whose bus is slow, on a thread of its own: a chip that does not
/// answer stops no other one.
///
/// Of the values of an output that wait, the first and the last are written.
final class LevelWriter: Sendable {
    /// A value that waits.
    struct Job: Sendable {
        var key: Int
        var node: LevelNode
        var value: UInt64
        /// Told when it is written; nil if it was asked for by nothing that waits.
        var level: Level?
    }

    /// What became of a value.
    struct Result: Sendable {
        var key: Int
        var level: Level?
        var errno: Int32
        var at: Instant
    }

    private struct State: Sendable {
        var jobs: [Job] = []
        var results: [Result] = []
        var isStopped = false
        /// When the write began that goes on; nil between two of them.
        var writingSince: Instant?
    }

    /// Writes a value, and may wait for the bus; returns 0 or an error number.
    typealias Write = @Sendable (LevelNode, UInt64) -> Int32

    /// The folder of the chip.
    let chip: String
    private let write: Write
    private let bell: WakeUp
    private let pause: WakeUp
    private let state = Mutex(State())

    /// - Parameter bell: rings when there are results.
    init(chip: String, bell: WakeUp, write: @escaping Write) throws(PlatformError) {
        self.chip = chip
        self.write = write
        self.bell = bell
        pause = try WakeUp()
        _ = try WorkerThread(named: "detent-level") { [self] in run() }
    }

    func add(_ job: Job) {
        state.withLock { state in
            let mine = state.jobs.indices.filter { state.jobs[$0].key == job.key }
            guard mine.count > 1, let last = mine.last else { return state.jobs.append(job) }
            let level = job.level ?? state.jobs[last].level
            state.jobs[last] = job
            state.jobs[last].level = level
        }
        pause.ring()
    }

    /// What was written since the last call.
    func collect() -> [Result] {
        state.withLock { state in
            defer { state.results.removeAll() }
            return state.results
        }
    }

    /// Whether a write goes on, or a value waits for one.
    var isBusy: Bool { state.withLock { $0.writingSince != nil || !$0.jobs.isEmpty } }

    /// When a write that goes on began; nil if there is none.
    var writingSince: Instant? { state.withLock { $0.writingSince } }

    /// Forgets what waits, and ends after the write that goes on; waits for that until a moment.
    ///
    /// - Returns: whether it has ended.
    func stop(until end: Instant) -> Bool {
        state.withLock {
            $0.isStopped = true
            $0.jobs.removeAll()
        }
        pause.ring()
        while state.withLock({ $0.writingSince }) != nil {
            guard MonotonicClock.now < end else { return false }
            bell.wait(until: end)
            bell.clear()
        }
        return true
    }

    private func run() {
        while true {
            pause.wait()
            pause.clear()
            while true {
                let job = state.withLock { state -> Job? in
                    guard !state.isStopped, !state.jobs.isEmpty else { return nil }
                    state.writingSince = MonotonicClock.now
                    return state.jobs.removeFirst()
                }
                guard let job else { break }
                let errno = write(job.node, job.value)
                state.withLock {
                    $0.writingSince = nil
                    $0.results.append(
                        Result(
                            key: job.key, level: job.level, errno: errno, at: MonotonicClock.now))
                }
                bell.ring()
            }
            if state.withLock({ $0.isStopped }) { return }
        }
    }
}
