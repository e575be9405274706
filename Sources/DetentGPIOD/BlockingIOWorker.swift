internal import CGPIOD
internal import DetentHAL
internal import DetentTypes
internal import Glibc

/// A thread for blocking work: buses that sleep, and chips that reappear.
///
/// The real-time thread adds jobs to a bounded queue, and takes results from another queue when
/// `descriptor` is readable. The lock is held only for a few assignments and inherits priority.
/// Sendable because every stored variable is accessed under this lock.
final class BlockingIOWorker: @unchecked Sendable {
    /// Work on one line.
    enum Work {
        case read
        case write(Level)
        /// Reads a faulty input again; `restored` comes before the reading.
        case retryRead
        /// Drives a faulty output again; `restored` comes before `written`.
        case retryWrite(Level)
    }

    /// Work with all its data, so that the thread never accesses the backend.
    struct Job {
        var slot: Int
        var line: LineID
        var group: LineGroup
        var place: Int
        var work: Work
    }

    /// The result of a job; `group` identifies results of a chip that has disappeared.
    struct Result {
        var slot: Int
        var group: LineGroup
        var event: LineEvent
    }

    /// A line that is read at intervals.
    struct Poll {
        var slot: Int
        var line: LineID
        var group: LineGroup
        var place: Int
        var period: TimeSpan
        var next: Instant
        var level: Level
        var isFaulty: Bool
    }

    /// Readable when results wait.
    let descriptor: Int32
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
    private var thread: pthread_t?

    /// Stack of the thread: enough for paths and libgpiod, small for locked memory.
    private static let stackSize = 512 * 1024

    init(requester: LineRequester, capacity: Int) {
        self.requester = requester
        jobs = Ring(capacity: capacity)
        results = Ring(capacity: capacity)
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
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
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    // MARK: For the real-time thread

    /// Starts the thread, at normal priority, unless it runs.
    func start() {
        guard thread == nil else { return }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
        pthread_attr_setschedpolicy(&attributes, SCHED_OTHER)
        var all = sigset_t()
        var former = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &former)
        var made = pthread_t()
        let context = Unmanaged.passRetained(self)
        let result = pthread_create(
            &made, &attributes,
            { context in
                guard let context else { return nil }
                let worker = Unmanaged<BlockingIOWorker>.fromOpaque(context).takeRetainedValue()
                worker.run()
                return nil
            }, context.toOpaque())
        pthread_sigmask(SIG_SETMASK, &former, nil)
        pthread_attr_destroy(&attributes)
        if result == 0 { thread = made } else { context.release() }
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
        withLock { polls.removeAll { $0.group.chip === chip } }
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
    func acknowledge() {
        var count = eventfd_t()
        eventfd_read(descriptor, &count)
    }

    /// Ends the thread after the current access; waiting jobs are dropped.
    func stop() {
        guard let running = thread else { return }
        withLock {
            isStopping = true
            pthread_cond_broadcast(condition)
        }
        pthread_join(running, nil)
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
                announce()
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

    private func announce() {
        eventfd_write(descriptor, 1)
    }

    private func perform(_ job: Job) {
        switch job.work {
        case .read: read(job, isRetry: false)
        case .write(let level): write(level, job, isRetry: false)
        case .retryRead: read(job, isRetry: true)
        case .retryWrite(let level): write(level, job, isRetry: true)
        }
    }

    /// The timestamp is taken before the access: an edge during it counts as newer than the
    /// reading.
    private func read(_ job: Job, isRetry: Bool) {
        let at = monotonicNow()
        let level = job.group.level(at: job.place)
        finish(job, result: level, kind: .reading(Level(level == 1)), at: at, isRetry: isRetry)
    }

    /// The timestamp is taken after the access: the level is certain from then on.
    private func write(_ level: Level, _ job: Job, isRetry: Bool) {
        let result = job.group.drive(level, at: job.place)
        finish(job, result: result, kind: .written(level), at: monotonicNow(), isRetry: isRetry)
    }

    private func finish(
        _ job: Job, result: Int32, kind: LineEvent.Kind, at: Instant, isRetry: Bool
    ) {
        withLock {
            if result < 0 {
                push(job, .fault(errno: -result), at)
            } else {
                if isRetry { push(job, .restored, at) }
                push(job, kind, at)
            }
            announce()
        }
    }

    private func push(_ job: Job, _ kind: LineEvent.Kind, _ at: Instant) {
        _ = results.append(
            Result(
                slot: job.slot, group: job.group,
                event: LineEvent(line: job.line, kind: kind, at: at)))
    }

    private func duePoll() -> Int? {
        guard let next = nextPoll(), polls[next].next <= monotonicNow() else { return nil }
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
        let at = monotonicNow()
        unlocked { level = poll.group.level(at: poll.place) }
        // The list may have changed in the meantime.
        let place = polls.firstIndex { $0.slot == poll.slot && $0.group === poll.group }
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
        _ = results.append(
            Result(
                slot: poll.slot, group: poll.group,
                event: LineEvent(line: poll.line, kind: kind, at: at)))
        announce()
    }
}
