public import DetentActions
public import DetentPanel
public import DetentPlatform
public import DetentTypes
import Synchronization

/// Keeps the sources of feedback alive: programs that run, requests that are repeated, and
/// listeners for messages.
///
/// One thread starts, reads and ends them. It has nothing to do, and is not started, while no
/// control has such a source. A program that ends is started again after
/// `RuntimeLimits.feedbackFirstPause`, which doubles. Programs end with the panel, also if it dies.
public final class PanelFeedback: Sendable {
    private struct State {
        var feeds: [WatchedFeed]
        var wires: WirePlan
        var results: [ActionResult] = []
        /// Sources that are asked again, and when.
        var asksAgain: [(source: FeedbackSource, at: Instant)] = []
        var endsWithin: TimeSpan?
        var thread: WorkerThread?
    }

    /// Where every report arrives; other sources, such as a broker, report here too.
    public let intake: FeedbackIntake
    private let state: Mutex<State>
    private let wakeUp: WakeUp
    private let guardian: Guardian
    private let requests: (any ActionRunner)?
    private let wires: Wires?
    private let listener: [String]

    /// The argument with which this program becomes the listener for messages.
    public static var listenerWord: String { "osc" }

    /// Starts the sources of a panel; `begin` lets them report.
    ///
    /// - Parameters:
    ///   - guardian: kills the programs when this process dies.
    ///   - requests: makes requests to web services.
    ///   - wires: the wires to devices nearby.
    ///   - listener: the program and the first arguments of the listener for messages.
    ///   - inbox: takes the events for the loop.
    ///   - log: prints messages for people, from any thread.
    /// - Throws: `PlatformError` if no descriptor is available.
    public init(
        _ plan: PanelPlan, guardian: Guardian, requests: (any ActionRunner)?,
        wires: Wires? = nil,
        listener: [String] = ["/proc/self/exe", PanelFeedback.listenerWord], inbox: Inbox,
        log: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) {
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        self.guardian = guardian
        self.requests = requests
        self.wires = wires
        self.listener = listener
        intake = FeedbackIntake(
            plan, send: { inbox.send($0, for: $1, at: $2) }, log: log, wake: { wakeUp.ring() })
        state = Mutex(State(feeds: WatchedFeed.all(of: plan), wires: WirePlan(plan)))
    }

    /// Starts the sources; call it when the panel has started.
    ///
    /// - Throws: `PlatformError` if no thread is available.
    public func begin() throws(PlatformError) {
        hearWires()
        guard state.withLock({ !$0.feeds.isEmpty && $0.thread == nil }) else { return }
        let thread = try WorkerThread(named: "detent-feedback") { [self] in work() }
        state.withLock { $0.thread = thread }
    }

    /// For the loop: another panel follows. Sources that it has too go on.
    ///
    /// - Throws: `PlatformError` if the first source needs a thread and none is available.
    public func replacePlan(_ plan: PanelPlan) throws(PlatformError) {
        intake.replacePlan(plan, at: MonotonicClock.now)
        state.withLock { state in
            state.feeds = WatchedFeed.all(of: plan)
            state.wires = WirePlan(plan)
        }
        try begin()
        wakeUp.ring()
    }

    /// An action of a control has ended: what its service said before is out of date, so the
    /// service is asked again, at once or when it does not lag behind any more. Safe from any
    /// thread.
    ///
    /// - Parameter control: the id of the control.
    public func actionEnded(of control: String, at now: Instant) {
        guard let feedback = intake.feedback(of: control) else { return }
        if case .wire(let kind, let fields) = feedback.source {
            wires?.ask(WireFeed(ActionKindID(kind), fields), at: now + feedback.lag)
        }
        guard case .request = feedback.source else { return }
        state.withLock { state in
            state.asksAgain.removeAll { $0.source == feedback.source }
            state.asksAgain.append((feedback.source, now + feedback.lag))
        }
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

    /// Hears what devices say over wires.
    private func hearWires() {
        guard let wires else { return }
        let plan = state.withLock { $0.wires }
        wires.hear(plan.feeds, keeping: plan.places) { [intake] feed, news, now in
            let source = FeedbackSource.wire(feed.kind.word, fields: feed.fields)
            switch news {
            case .report(let line, let asked):
                intake.receive(line, from: source, at: now, asked: asked)
            case .lost(let cause):
                let answers = ", and that its answers have the text of `expect`"
                intake.lose(
                    source, because: cause,
                    remedy: "see that the device is on and connected"
                        + (feed.fields["expect"] == nil ? "" : answers), at: now)
            }
        }
    }

    private func work() {
        var watched: [WatchedSource] = []
        // Above the numbers that the loop gives its attempts.
        var number: UInt32 = 0xF000_0000
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            wakeUp.clear()
            let (feeds, results, asksAgain, endsWithin) = state.withLock { state in
                defer {
                    state.results = []
                    state.asksAgain = []
                }
                return (state.feeds, state.results, state.asksAgain, state.endsWithin)
            }
            if let endsWithin { return end(watched, within: endsWithin) }
            let now = MonotonicClock.now
            reconcile(&watched, with: feeds, at: now)
            for result in results {
                for place in watched.indices
                where watched[place].answered(result, intake, at: now) { break }
            }
            for (source, moment) in asksAgain {
                for place in watched.indices where watched[place].feed == .source(source) {
                    watched[place].askAgain(at: moment)
                }
            }
            for place in watched.indices {
                watched[place].begin(
                    at: now, guardian, intake, listener: listener, number: &number
                ) { run, fields in ask(run, fields) }
            }
            intake.passDue(at: now)
            sleep(&watched, buffer, from: now)
        }
    }

    private func sleep(
        _ watched: inout [WatchedSource], _ buffer: UnsafeMutableRawBufferPointer,
        from now: Instant
    ) {
        var set = PollSet(capacity: 2 * watched.count + 1)
        _ = set.add(wakeUp.descriptor)
        for source in watched {
            _ = set.add(source.descriptor(at: now))
            _ = set.add(source.errorDescriptor(at: now))
        }
        let deadline = watched.reduce(intake.deadline) { min($0, $1.deadline) }
        _ = set.wait(now: now, until: deadline)
        let later = MonotonicClock.now
        for place in watched.indices {
            watched[place].readErrors(
                into: buffer, isReady: set.isReady(2 * place + 2), intake, at: later)
            if set.isReady(2 * place + 1) { watched[place].read(into: buffer, intake, at: later) }
        }
    }

    /// Ends the sources that the panel does not have any more, and adds the new ones.
    private func reconcile(
        _ watched: inout [WatchedSource], with feeds: [WatchedFeed], at now: Instant
    ) {
        let gone = watched.filter { !feeds.contains($0.feed) }
        if !gone.isEmpty {
            watched.removeAll { !feeds.contains($0.feed) }
            end(gone, within: RuntimeLimits.feedbackGrace)
        }
        for feed in feeds where !watched.contains(where: { $0.feed == feed }) {
            watched.append(WatchedSource(feed, at: now))
        }
    }

    private func end(_ watched: [WatchedSource], within span: TimeSpan) {
        for source in watched {
            if let run = source.askToEnd() { requests?.cancel(run) }
        }
        let deadline = MonotonicClock.now + span
        for var source in watched {
            source.end(within: max(deadline, MonotonicClock.now) - MonotonicClock.now, intake)
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
