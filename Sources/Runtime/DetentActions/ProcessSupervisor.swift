import CPlatform
public import DetentPlatform
public import DetentTypes
import Glibc
import Synchronization

/// Runs programs without a shell: the runner of `run` actions.
///
/// One thread starts, reads, stops and reaps all programs. The number of running programs bounds
/// memory and descriptors: three descriptors and at most 8 KiB each, and one buffer of 64 KiB.
/// Each program leads its own process group. Stopping it means SIGTERM to the group, and SIGKILL
/// after `ActionLimits.killGrace` or when its leader has ended. When this process ends, for any
/// reason, a guardian kills every group that still runs. The thread ends only with `stop`; programs
/// started after that are ignored.
public final class ProcessSupervisor: ActionRunner {
    private struct Start {
        var request: ActionRequest
        var tell: @Sendable (AttemptEvent) -> Void
    }

    private struct Inbox {
        var starts: [Start] = []
        var cancels: [RunID] = []
        /// The moment at which remaining programs are killed and abandoned.
        var giveUpAt: Instant?
        /// Set by the thread when it ends.
        var leftBehind: Int?
        var thread: WorkerThread?
    }

    private let inbox = Mutex(Inbox())
    private let guardian: Guardian
    private let wakeUp: WakeUp

    /// Starts the thread; the environment of this process is copied here.
    ///
    /// - Parameter guardian: kills the programs when this process dies; nil starts one. Create the
    ///   supervisor early then: that guardian is a copy of this process, which is still small.
    /// - Throws: `PlatformError` if no descriptor, process or thread is available.
    public init(guardian: Guardian? = nil) throws(PlatformError) {
        if let guardian { self.guardian = guardian } else { self.guardian = try Guardian() }
        wakeUp = try WakeUp()
        let inherited = ProgramImage.inheritedEnvironment()
        let thread = try WorkerThread(named: "detent-programs") { [self] in
            work(inherited: inherited)
        }
        inbox.withLock { $0.thread = thread }
    }

    /// Starts an attempt; its events are told from another thread.
    public func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        inbox.withLock { $0.starts.append(Start(request: request, tell: tell)) }
        wakeUp.ring()
    }

    /// Asks an attempt to end; its outcome is still told.
    public func cancel(_ run: RunID) {
        inbox.withLock { $0.cancels.append(run) }
        wakeUp.ring()
    }

    /// Ends every attempt; returns how many were left after `span`.
    public func stop(within span: TimeSpan) -> Int {
        let thread = inbox.withLock { inbox in
            if inbox.giveUpAt == nil { inbox.giveUpAt = MonotonicClock.now + span }
            return inbox.thread.take()
        }
        wakeUp.ring()
        thread?.join()
        return inbox.withLock { $0.leftBehind ?? 0 }
    }

    private func work(inherited: [[CChar]]) {
        var programs: [RunningProgram] = []
        var giveUpAt: Instant?
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let now = MonotonicClock.now
            // Programs that have ended come before cancels: a program that ended in time succeeds.
            endPrograms(&programs, with: buffer)
            if let end = takeInbox(into: &programs, inherited: inherited) {
                giveUpAt = end
                for index in programs.indices { programs[index].stop(.cancelled, at: now) }
            }
            if let giveUpAt, programs.isEmpty || now >= giveUpAt { break }
            for index in programs.indices { programs[index].tick(at: now) }
            let deadline = programs.reduce(giveUpAt ?? .never) { min($0, $1.deadline) }
            sleep(until: deadline, now: now, programs: &programs, buffer: buffer)
        }
        for program in programs { program.abandon() }
        inbox.withLock { [count = programs.count] in $0.leftBehind = count }
    }

    private func endPrograms(
        _ programs: inout [RunningProgram], with buffer: UnsafeMutableRawBufferPointer
    ) {
        var index = 0
        while index < programs.count {
            if programs[index].hasEnded {
                let result = programs[index].end(with: buffer)
                programs[index].tell(.ended(result))
                programs.remove(at: index)
            } else {
                index += 1
            }
        }
    }

    private func takeInbox(
        into programs: inout [RunningProgram], inherited: [[CChar]]
    ) -> Instant? {
        // Cleared before reading the inbox: whatever arrives later rings again.
        wakeUp.clear()
        let (starts, cancels, end) = inbox.withLock { inbox in
            let taken = (inbox.starts, inbox.cancels, inbox.giveUpAt)
            inbox.starts = []
            inbox.cancels = []
            return taken
        }
        for start in starts {
            let isCancelled = end != nil || cancels.contains(start.request.run)
            begin(start, isCancelled: isCancelled, programs: &programs, inherited: inherited)
        }
        let now = MonotonicClock.now
        for index in programs.indices where cancels.contains(programs[index].request.run) {
            programs[index].stop(.cancelled, at: now)
        }
        return end
    }

    private func begin(
        _ start: Start, isCancelled: Bool, programs: inout [RunningProgram], inherited: [[CChar]]
    ) {
        func end(_ outcome: ActionOutcome, _ explanation: String) {
            start.tell(
                .ended(
                    ActionResult(
                        run: start.request.run, outcome: outcome, explanation: explanation,
                        startedAt: nil, endedAt: MonotonicClock.now)))
        }
        if isCancelled { return end(.cancelled, "cancelled before it started") }
        switch start.request.payload {
        case .program(let call):
            switch RunningProgram.start(
                start.request, call, inherited: inherited, guardian: guardian, tell: start.tell)
            {
            case .success(let program): programs.append(program)
            case .failure(let error): end(.failed(error.failure), error.explanation)
            }
        case .refused(let explanation): end(.failed(.notStarted), explanation)
        case .fields, .simulated:
            end(.failed(.notStarted), "this runner starts programs only")
        }
    }

    private func sleep(
        until deadline: Instant, now: Instant, programs: inout [RunningProgram],
        buffer: UnsafeMutableRawBufferPointer
    ) {
        // The kernel ignores a descriptor of -1.
        var entries = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
        for program in programs {
            for descriptor in [
                program.processDescriptor, program.standardError.descriptor,
                program.standardOutput?.descriptor ?? -1,
            ] {
                entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            }
        }
        let ready = detent_poll(
            &entries, entries.count, now.nanoseconds, deadline.nanoseconds)
        if ready <= 0 { return }
        // One read each, so that a program that floods its pipe delays the others by 64 KiB only.
        for index in programs.indices {
            if entries[index * 3 + 2].revents != 0 {
                programs[index].standardError.readOnce(into: buffer)
            }
            if entries[index * 3 + 3].revents != 0 {
                programs[index].standardOutput?.readOnce(into: buffer)
            }
        }
    }
}

extension ActionKindID {
    /// Programs.
    public static let run = ActionKindID("run")
}
