internal import CGPIOD
internal import DetentHAL
internal import DetentPlatform
internal import DetentTypes
internal import Glibc

/// A thread for blocking work: buses that sleep, and chips that reappear.
///
/// The real-time thread adds jobs to a bounded queue, and takes results from another queue when
/// `descriptor` is readable. The lock is held only for a few assignments and inherits priority.
/// Sendable because every stored variable is accessed under this lock.
final class BlockingIOWorker: @unchecked Sendable {
    /// A line with all its data, so that the thread never accesses the backend.
    struct Target {
        var slot: Int
        var line: LineID
        var group: LineGroup
        var place: Int
    }

    /// Work on one line.
    enum Work {
        case read
        case write(Level)
    }

    /// Work on a line. For a faulty line it is a retry: `restored` comes before its event.
    struct Job {
        var target: Target
        var work: Work
        var isRetry: Bool
    }

    /// The result of a job; `group` identifies results of a chip that has disappeared.
    struct Result {
        var slot: Int
        var group: LineGroup
        var event: LineEvent
    }

    /// A line that is read at intervals.
    struct Poll {
        var target: Target
        var period: TimeSpan
        var next: Instant
        var level: Level
        var isFaulty: Bool
    }

    private let bell = try? WakeUp()
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private let requester: LineRequester
    private var jobs: Ring<Job>
    private var results: Ring<Result>
    private var polls: [Poll] = []
    private var wanted: [LineRequester.Wanted]?
    private var connection: LineRequester.Connection?
    private var isConnecting = false
    private var isStopping = false
    private var thread: WorkerThread?

    init(requester: LineRequester, capacity: Int) {
        self.requester = requester
        jobs = Ring(capacity: capacity)
        results = Ring(capacity: capacity)
        lock = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        var mutexAttributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&mutexAttributes)
        pthread_mutexattr_setprotocol(&mutexAttributes, Int32(PTHREAD_PRIO_INHERIT))
        pthread_mutex_init(lock, &mutexAttributes)
        var conditionAttributes = pthread_condattr_t()
        pthread_condattr_init(&conditionAttributes)
        pthread_condattr_setclock(&conditionAttributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &conditionAttributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(lock)
        condition.deallocate()
        lock.deallocate()
    }

    // MARK: For the real-time thread

    /// Readable when results wait; -1 if the system refused it.
    var descriptor: Int32 { bell?.descriptor ?? -1 }

    /// Starts the thread, at normal priority, unless it runs.
    func start() {
        if thread == nil { thread = try? WorkerThread(named: "detent-gpio") { [self] in run() } }
    }

    /// Adds a job; false if the queue is full.
    func submit(_ job: Job) -> Bool {
        withLock {
            let isAccepted = jobs.append(job)
            pthread_cond_signal(condition)
            return isAccepted
        }
    }

    /// Adds a line to read at intervals.
    func poll(_ poll: Poll) {
        withLock {
            polls.append(poll)
            pthread_cond_signal(condition)
        }
    }

    /// Removes the polled lines of a chip that has disappeared.
    func forget(_ chip: OpenChip) {
        withLock { polls.removeAll { $0.target.group.chip === chip } }
    }

    /// Starts to search for lines, unless a search is running.
    func connect(_ lines: [LineRequester.Wanted]) {
        withLock {
            guard !isConnecting else { return }
            isConnecting = true
            wanted = lines
            pthread_cond_signal(condition)
        }
    }

    /// Removes the oldest result.
    func nextResult() -> Result? {
        withLock {
            let result = results.removeFirst()
            pthread_cond_signal(condition)
            return result
        }
    }

    /// Takes the result of `connect`, once.
    func takeConnection() -> LineRequester.Connection? {
        withLock {
            guard let made = connection else { return nil }
            connection = nil
            isConnecting = false
            return made
        }
    }

    /// Clears `descriptor`.
    func acknowledge() { bell?.clear() }

    /// Ends the thread after the current access; waiting jobs are dropped.
    func stop() {
        guard let running = thread else { return }
        withLock {
            isStopping = true
            pthread_cond_broadcast(condition)
        }
        running.join()
        thread = nil
        withLock {
            isStopping = false
            isConnecting = false
            wanted = nil
            connection = nil
            polls.removeAll()
            while jobs.removeFirst() != nil {}
            while results.removeFirst() != nil {}
        }
    }

    private func withLock<Answer>(_ body: () -> Answer) -> Answer {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }

    // MARK: The thread

    private func run() {
        pthread_mutex_lock(lock)
        while !isStopping {
            // A job produces at most two events.
            if results.room < 2 {
                pthread_cond_wait(condition, lock)
            } else if let job = jobs.removeFirst() {
                unlocked { perform(job) }
            } else if let lines = wanted {
                wanted = nil
                let requester = self.requester
                var made = LineRequester.Connection()
                unlocked { made = requester.connect(lines) }
                connection = made
                bell?.ring()
            } else if let due = duePoll() {
                perform(poll: due)
            } else {
                wait(until: nextPoll().map { polls[$0].next } ?? .never)
            }
        }
        pthread_mutex_unlock(lock)
    }

    private func unlocked(_ body: () -> Void) {
        pthread_mutex_unlock(lock)
        body()
        pthread_mutex_lock(lock)
    }

    private func wait(until moment: Instant) {
        guard moment != .never else {
            pthread_cond_wait(condition, lock)
            return
        }
        var time = timespec(
            tv_sec: Int(moment.nanoseconds / 1_000_000_000),
            tv_nsec: Int(moment.nanoseconds % 1_000_000_000))
        pthread_cond_timedwait(condition, lock, &time)
    }

    /// A reading has the time before the access: an edge during it counts as newer. A write has
    /// the time after the access: the level is certain from then on.
    private func perform(_ job: Job) {
        let (group, place) = (job.target.group, job.target.place)
        switch job.work {
        case .read:
            let at = MonotonicClock.now
            let level = group.level(at: place)
            finish(job, result: level, kind: .reading(Level(level == 1)), at: at)
        case .write(let level):
            let result = group.drive(level, at: place)
            finish(job, result: result, kind: .written(level), at: MonotonicClock.now)
        }
    }

    private func finish(_ job: Job, result: Int32, kind: LineEvent.Kind, at: Instant) {
        withLock {
            if result < 0 {
                push(job.target, .fault(errno: -result), at)
            } else {
                if job.isRetry { push(job.target, .restored, at) }
                push(job.target, kind, at)
            }
            bell?.ring()
        }
    }

    private func push(_ target: Target, _ kind: LineEvent.Kind, _ at: Instant) {
        _ = results.append(
            Result(
                slot: target.slot, group: target.group,
                event: LineEvent(line: target.line, kind: kind, at: at)))
    }

    private func duePoll() -> Int? {
        guard let next = nextPoll(), polls[next].next <= MonotonicClock.now else { return nil }
        return next
    }

    /// The polled line that is due first.
    private func nextPoll() -> Int? {
        var first: Int?
        for index in polls.indices {
            let earliest = first.map { polls[$0].next } ?? .never
            if polls[index].next < earliest { first = index }
        }
        return first
    }

    /// Reads a polled line. Call it with the lock held; the lock is released during the access.
    private func perform(poll index: Int) {
        let poll = polls[index]
        var level: Int32 = 0
        let at = MonotonicClock.now
        unlocked { level = poll.target.group.level(at: poll.target.place) }
        // The list may have changed in the meantime.
        let place = polls.firstIndex {
            $0.target.slot == poll.target.slot && $0.target.group === poll.target.group
        }
        guard let index = place else { return }
        polls[index].next = at + poll.period
        let kind: LineEvent.Kind
        if level < 0 {
            // One report is enough: the backend retries faulty lines at its own rate.
            if poll.isFaulty { return }
            polls[index].isFaulty = true
            kind = .fault(errno: -level)
        } else {
            let seen = Level(level == 1)
            polls[index].isFaulty = false
            polls[index].level = seen
            if poll.isFaulty || seen == poll.level { return }
            kind = .edge(seen, sequence: 0)
        }
        push(poll.target, kind, at)
        bell?.ring()
    }
}
