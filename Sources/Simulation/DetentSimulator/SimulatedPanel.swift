import DetentActions
public import DetentCore
public import DetentPanel
public import DetentPlatform
public import DetentRuntime
import DetentScenario
public import DetentTypes
public import DetentWorld
import Synchronization

/// A simulated panel in virtual time, paced by a clock that can be paused, stepped and set to
/// another rate.
///
/// One thread calls `run`. Any thread may call the rest, and waits at most for one turn
/// (`SimulatorLimits.momentsPerTurn`).
public final class SimulatedPanel: PanelPort, SimulationControl {
    private struct Reader {
        var plan: PanelPlan
        /// Panels whose `restarted` the reader has not taken.
        var next: [PanelPlan] = []
    }

    /// The panel that the reader of the updates knows.
    public var plan: PanelPlan { reader.withLock { $0.plan } }
    /// The panel that runs.
    public var present: PanelPlan { live.withLock { $0.plan } }
    /// The updates of the panel, for one reader.
    public let updates: UpdateChannel
    /// Tokens for the callers of the reader. They end with the panel.
    public let tokens: ConfirmTokens? = ConfirmTokens()
    private let reader: Mutex<Reader>
    private let isWatched: Bool
    private let live: Mutex<PacedPanel>
    private let wakeUp: WakeUp
    private let dispatcher: ActionDispatcher?
    private let realNow: @Sendable () -> Instant
    private let stopRequested = Atomic<Bool>(false)

    /// Starts the panel now, at 0.
    ///
    /// - Parameters:
    ///   - dispatcher: runs the panel's actions; nil simulates them.
    ///   - reports: takes the panel's reports, with their moments.
    ///   - isWatched: whether `updates` has a reader.
    ///   - say: prints messages for people.
    ///   - clock: returns the real time.
    public init(
        _ start: SimulationOptions, dispatcher: ActionDispatcher? = nil, reports: ReportStream,
        isWatched: Bool, say: @escaping @Sendable (String) -> Void,
        clock: @escaping @Sendable () -> Instant = { MonotonicClock.now }
    ) throws {
        reader = Mutex(Reader(plan: start.plan))
        self.isWatched = isWatched
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        let updates = try UpdateChannel { wakeUp.ring() }
        self.updates = updates
        self.dispatcher = dispatcher
        realNow = clock
        live = Mutex(
            try PacedPanel(
                start, programs: dispatcher.map { ProgramBridge($0) }, stream: reports,
                updates: isWatched ? updates : nil, say: say, realNow: clock()))
    }

    // MARK: Pacing

    /// Runs the panel until `stop`, a signal, or, after `stopAtRest`, until it is at rest.
    ///
    /// - Returns: the signal that ended it, or nil.
    public func run(signals: SignalInbox?) -> Int32? {
        var descriptors = PollSet(capacity: 3)
        _ = descriptors.add(wakeUp.descriptor)
        _ = descriptors.add(signals?.descriptor ?? -1)
        _ = descriptors.add(dispatcher?.reportDescriptor ?? -1)
        while !stopRequested.load(ordering: .acquiring) {
            let next = turn(realNow: realNow())
            if live.withLock({ $0.isAtRest }) { return nil }
            guard descriptors.wait(now: realNow(), until: next) else { continue }
            wakeUp.clear()
            if descriptors.isReady(1), let signal = signals?.pop() { return signal }
        }
        return nil
    }

    /// Runs what is due by a real moment.
    ///
    /// - Returns: the real moment of the next call; an earlier call is safe.
    func turn(realNow: Instant) -> Instant {
        live.withLock { $0.turn(realNow: realNow) }
    }

    /// Ends `run` soon.
    public func stop() {
        stopRequested.store(true, ordering: .releasing)
        wakeUp.ring()
    }

    /// Ends `run` when the panel is at rest: nothing moves, no attempt is running, and only lamps
    /// have changed for as long as any contact or gesture can take.
    public func stopAtRest() {
        live.withLock { $0.endsAtRest = true }
        wakeUp.ring()
    }

    // MARK: PanelPort

    /// Sends an event at the clock's current moment; false if remote callers cannot send it, or the
    /// reader has not followed to the present panel.
    public func send(_ event: Event) -> Bool {
        guard isCurrent else { return false }
        return touch { $0.send(event, realNow: $1) }
    }

    private var isCurrent: Bool { reader.withLock { $0.next.isEmpty } }

    /// Takes the next panel, if one began.
    public func adoptNextPlan() {
        reader.withLock { reader in
            guard !reader.next.isEmpty else { return }
            reader.plan = reader.next.removeFirst()
            tokens?.end()
        }
    }

    /// Takes the latest panel that began.
    @discardableResult
    public func adoptLatestPlan() -> Bool {
        reader.withLock { reader in
            guard let latest = reader.next.last else { return false }
            reader = Reader(plan: latest)
            tokens?.end()
            return true
        }
    }

    /// Lets another panel follow the present one, as a reload does.
    ///
    /// - Parameters:
    ///   - keys: how the dispatcher knows the controls and actions of the new panel; nil without
    ///     one.
    ///   - willStart: called before the first report of the new panel.
    public func change(
        to plan: PanelPlan, _ difference: PanelDifference, keys: ActionKeys?,
        willStart: @Sendable () -> Void
    ) -> PanelChange.Answer {
        let answer: PanelChange.Answer = touch { live, _ in
            do throws(EngineError) {
                let errors = try live.replacePlan(plan, difference, keys: keys) {
                    willStart()
                    reader.withLock { reader in
                        if isWatched { reader.next.append(plan) } else { reader.plan = plan }
                    }
                }
                return errors.isEmpty ? .changed : .refused(errors)
            } catch {
                return .impossible(
                    cause: "the panel exceeds a limit: \(error)", remedy: "make it smaller")
            }
        }
        updates.wake()
        return answer
    }

    // MARK: SimulationControl

    /// Performs a command, as `SimulationControl.perform` describes.
    public func perform(_ request: SimulationCommand, by source: InputSourceID) -> SimulationError?
    {
        guard isCurrent else {
            return SimulationError(
                .impossible, cause: "the panel file was just reloaded", remedy: "try again")
        }
        return refusal { live, now throws(SimulationError) in
            try live.perform(request, by: source, realNow: now)
        }
    }

    /// An input source has disconnected, as `SimulationControl.releaseAll` describes.
    public func releaseAll(_ source: InputSourceID) {
        touch { $0.releaseAll(source, realNow: $1) }
    }

    /// The current state.
    public var state: SimulationState {
        let now = realNow()
        return live.withLock { live in
            live.advance(realNow: now)
            live.finish()
            return live.state()
        }
    }

    /// The commands so far, as a scenario file. The cost is proportional to the steps.
    public func scenario(panel: String?) -> String {
        let (session, start, cut) = touch { live, _ in
            (live.session, live.sessionStart, live.cut(for: .scenario))
        }
        return session.scenario(
            panel: panel ?? start.file, start: start, hasRealActions: dispatcher != nil, cut: cut)
    }

    /// The event lines that this scenario reproduces.
    public func expectedTrace() -> String {
        let (session, start, cut) = touch { live, _ in
            (live.session, live.sessionStart, live.cut(for: .expected))
        }
        return session.expectedTrace(start.plan, cut: cut)
    }

    /// Lines and controls as VCD. It repeats the session, which can take seconds.
    public func trace() throws -> [UInt8] {
        let (start, steps, end) = touch { live, _ in
            (live.sessionStart, live.session.steps, live.session.end?.cut.at ?? live.now)
        }
        return try SessionTrace.write(
            start, steps: steps, until: end, hasRealActions: dispatcher != nil)
    }

    // MARK: The console

    /// Performs a gesture; a button stays pressed while any source holds it.
    public func make(_ gesture: Gesture, by source: InputSourceID) -> SimulationError? {
        refusal { live, _ throws(SimulationError) in
            try live.make(gesture, by: source)
            live.publishSimulation()
        }
    }

    /// Makes the next attempt of any action fail.
    public func failNext() -> SimulationError? {
        refusal { live, _ throws(SimulationError) in
            try live.checkPlays()
            try? live.perform(.failNext)
            live.publishSimulation()
        }
    }

    /// Sets how long later attempts of actions take; how they end does not change.
    public func setTakes(_ takes: TimeSpan) -> SimulationError? {
        refusal { live, _ throws(SimulationError) in
            try live.checkPlays()
            let takes = try live.time(takes, "takes")
            for (control, script) in live.machine.scripts.sorted(by: { $0.key < $1.key }) {
                let script = ActionScript(takes: takes, then: script.ending)
                try? live.perform(.actions(control, script))
            }
            live.publishSimulation()
        }
    }

    /// Accesses the panel, for tests.
    func withPanel<Answer: Sendable>(_ body: (PacedPanel) -> Answer) -> Answer {
        live.withLock { body($0) }
    }

    /// Runs a function at the clock's moment, then wakes the pacing thread.
    private func touch<Answer: Sendable>(
        _ body: (PacedPanel, Instant) -> Answer
    ) -> Answer {
        let now = realNow()
        let answer = live.withLock { live in
            live.advance(realNow: now)
            let answer = body(live, now)
            live.finish()
            return answer
        }
        wakeUp.ring()
        return answer
    }

    private func refusal(
        _ body: (PacedPanel, Instant) throws(SimulationError) -> Void
    ) -> SimulationError? {
        touch { live, now in
            do throws(SimulationError) {
                try body(live, now)
                return nil
            } catch {
                return error
            }
        }
    }
}
