public import DetentActions
public import DetentPanel
public import DetentPlatform
public import DetentTypes
import Synchronization

/// Keeps the sources of feedback alive: programs that run, and requests that are repeated.
///
/// One thread starts, reads and ends them. It has nothing to do, and is not started, while no
/// control has such a source. A program that ends is started again after
/// `RuntimeLimits.feedbackFirstPause`, which doubles. Programs end with the panel, also if it dies.
public final class PanelFeedback: Sendable {
    private struct State {
        var sources: [FeedbackSource]
        var results: [ActionResult] = []
        var endsWithin: TimeSpan?
        var thread: WorkerThread?
    }

    /// Where every report arrives; other sources, such as a broker, report here too.
    public let intake: FeedbackIntake
    private let state: Mutex<State>
    private let wakeUp: WakeUp
    private let guardian: Guardian
    private let requests: (any ActionRunner)?

    /// Starts the sources of a panel; `begin` lets them report.
    ///
    /// - Parameters:
    ///   - guardian: kills the programs when this process dies.
    ///   - requests: makes requests to web services.
    ///   - inbox: takes the events for the loop.
    ///   - log: prints messages for people, from any thread.
    /// - Throws: `PlatformError` if no descriptor is available.
    public init(
        _ plan: PanelPlan, guardian: Guardian, requests: (any ActionRunner)?, inbox: Inbox,
        log: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) {
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        self.guardian = guardian
        self.requests = requests
        intake = FeedbackIntake(
            plan, send: { inbox.send($0, for: $1, at: $2) }, log: log, wake: { wakeUp.ring() })
        state = Mutex(State(sources: Self.sources(of: plan)))
    }

    /// The sources of a plan that a process has to keep alive or to wait for, each once.
    private static func sources(of plan: PanelPlan) -> [FeedbackSource] {
        var found: [FeedbackSource] = []
        for control in plan.controls {
            guard let source = control.feedback?.source, !found.contains(source) else { continue }
            switch source {
            case .line: break
            case .program, .request, .topic, .control: found.append(source)
            }
        }
        return found
    }

    /// Starts the sources; call it when the panel has started.
    ///
    /// - Throws: `PlatformError` if no thread is available.
    public func begin() throws(PlatformError) {
        guard state.withLock({ !$0.sources.isEmpty && $0.thread == nil }) else { return }
        let thread = try WorkerThread(named: "detent-feedback") { [self] in work() }
        state.withLock { $0.thread = thread }
    }

    /// For the loop: another panel follows. Sources that it has too go on.
    ///
    /// - Throws: `PlatformError` if the first source needs a thread and none is available.
    public func follow(_ plan: PanelPlan) throws(PlatformError) {
        intake.follow(plan, at: MonotonicClock.now)
        state.withLock { $0.sources = Self.sources(of: plan) }
        try begin()
        wakeUp.ring()
    }

    /// Ends all programs, those that do not end on request after `span`, and the thread.
    public func stop(within span: TimeSpan) {
        let thread = state.withLock { state in
            state.endsWithin = span
            return state.thread.take()
        }
        wakeUp.ring()
        thread?.join()
    }

    private func work() {
        var watched: [WatchedSource] = []
        // Above the numbers that the loop gives its attempts.
        var number: UInt32 = 0xF000_0000
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            wakeUp.clear()
            let (sources, results, endsWithin) = state.withLock { state in
                defer { state.results = [] }
                return (state.sources, state.results, state.endsWithin)
            }
            if let endsWithin { return end(watched, within: endsWithin) }
            let now = MonotonicClock.now
            reconcile(&watched, with: sources, at: now)
            for result in results {
                for place in watched.indices
                where watched[place].answered(result, intake, at: now) { break }
            }
            for place in watched.indices {
                watched[place].begin(at: now, guardian, intake, number: &number) { run, fields in
                    ask(run, fields)
                }
            }
            intake.passDue(at: now)
            sleep(&watched, buffer, from: now)
        }
    }

    private func sleep(
        _ watched: inout [WatchedSource], _ buffer: UnsafeMutableRawBufferPointer,
        from now: Instant
    ) {
        var set = PollSet(capacity: watched.count + 1)
        _ = set.add(wakeUp.descriptor)
        for source in watched { _ = set.add(source.descriptor(at: now)) }
        let deadline = watched.reduce(intake.deadline) { min($0, $1.deadline) }
        guard set.wait(now: now, until: deadline) else { return }
        let later = MonotonicClock.now
        for place in watched.indices where set.isReady(place + 1) {
            watched[place].read(into: buffer, intake, at: later)
        }
    }

    /// Ends the sources that the panel does not have any more, and adds the new ones.
    private func reconcile(
        _ watched: inout [WatchedSource], with sources: [FeedbackSource], at now: Instant
    ) {
        let gone = watched.filter { !sources.contains($0.source) }
        if !gone.isEmpty {
            watched.removeAll { !sources.contains($0.source) }
            end(gone, within: RuntimeLimits.feedbackGrace)
        }
        for source in sources where !watched.contains(where: { $0.source == source }) {
            watched.append(WatchedSource(source, at: now))
        }
    }

    private func end(_ watched: [WatchedSource], within span: TimeSpan) {
        for source in watched {
            if let run = source.askToEnd() { requests?.cancel(run) }
        }
        let deadline = MonotonicClock.now + span
        for source in watched {
            source.end(within: max(deadline, MonotonicClock.now) - MonotonicClock.now)
        }
    }

    private func ask(_ run: RunID, _ fields: [ActionField]) {
        guard let requests else {
            return answered(
                ActionResult(
                    run: run, outcome: .failed(.notStarted), explanation: "no runner of requests",
                    startedAt: nil, endedAt: MonotonicClock.now))
        }
        let request = ActionRequest(
            run: run, .fields(fields), timeout: RuntimeLimits.feedbackRequestTime,
            keepsAnswer: true)
        requests.start(request) { [self] event in
            switch event {
            case .began: break
            case .ended(let result): answered(result)
            }
        }
    }

    private func answered(_ result: ActionResult) {
        state.withLock { $0.results.append(result) }
        wakeUp.ring()
    }
}
