import DetentActions
public import DetentCore
public import DetentPanel
public import DetentPlatform
public import DetentRuntime
import DetentScenario
public import DetentTypes
public import DetentWorld
import Synchronization

/// A simulated panel that lives on a desk: virtual time, paced by a clock that can be paused,
/// stepped and set to another speed.
///
/// One thread paces it by `run`; any may ask it for something, and waits at most as long as one
/// turn takes (`SimulatorLimits.momentsPerTurn`).
public final class DeskPanel: PanelPort, SimulationControl {
    /// The panel.
    public let plan: PanelPlan
    /// What it does, for one watcher.
    public let watch: PanelWatch
    private let live: Mutex<LivePanel>
    private let wakeUp: WakeUp
    private let dispatcher: ActionDispatcher?
    private let realNow: @Sendable () -> Instant
    private let shallStop = Atomic<Bool>(false)

    /// Starts the panel at 0, which is now.
    ///
    /// - Parameters:
    ///   - dispatcher: runs the panel's actions; nil plays them.
    ///   - reports: takes what the panel reports, with its own moments.
    ///   - isWatched: whether anybody drains `watch`.
    ///   - say: takes lines for people.
    ///   - clock: the real time.
    public init(
        _ start: DeskStart, dispatcher: ActionDispatcher? = nil, reports: ReportStream,
        isWatched: Bool, say: @escaping @Sendable (String) -> Void,
        clock: @escaping @Sendable () -> Instant = { MonotonicClock.now }
    ) throws {
        plan = start.plan
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        let watch = try PanelWatch { wakeUp.ring() }
        self.watch = watch
        self.dispatcher = dispatcher
        realNow = clock
        live = Mutex(
            try LivePanel(
                start, programs: dispatcher.map { ProgramBridge($0) }, stream: reports,
                watch: isWatched ? watch : nil, say: say, realNow: clock()))
    }

    // MARK: Pacing

    /// Lets the panel live until `stop`, a signal, or rest where that shall end it.
    ///
    /// - Returns: the signal that ended it, or nil.
    public func run(signals: SignalInbox?) -> Int32? {
        var descriptors = PollSet(capacity: 3)
        _ = descriptors.add(wakeUp.descriptor)
        _ = descriptors.add(signals?.descriptor ?? -1)
        _ = descriptors.add(dispatcher?.reportDescriptor ?? -1)
        while !shallStop.load(ordering: .acquiring) {
            let next = turn(realNow: realNow())
            if live.withLock({ $0.isAtRest }) { return nil }
            guard descriptors.wait(now: realNow(), until: next) else { continue }
            wakeUp.clear()
            if descriptors.isReady(1), let signal = signals?.take() { return signal }
        }
        return nil
    }

    /// Lets happen what is due by a real moment.
    ///
    /// - Returns: the real moment at which to call again; earlier does no harm.
    func turn(realNow: Instant) -> Instant {
        live.withLock { $0.turn(realNow: realNow) }
    }

    /// Ends `run` soon.
    public func stop() {
        shallStop.store(true, ordering: .releasing)
        wakeUp.ring()
    }

    /// Ends `run` once the panel is at rest: nothing moves, no attempt is on its way, and nothing
    /// but lamps has changed for as long as any contact or gesture needs.
    public func stopAtRest() {
        live.withLock { $0.endsAtRest = true }
        wakeUp.ring()
    }

    // MARK: PanelPort

    /// Asks for an event, at the clock's present moment; false where nobody can ask for it.
    public func send(_ event: Event) -> Bool {
        touch { $0.send(event, realNow: $1) }
    }

    // MARK: SimulationControl

    /// Does something to the panel, as `SimulationControl.perform` says.
    public func perform(_ request: SimulationCommand, by holder: HolderID) -> SimulationError? {
        refusal { live, now throws(SimulationError) in
            try live.perform(request, by: holder, realNow: now)
        }
    }

    /// Somebody is gone, as `SimulationControl.letGo` says.
    public func letGo(_ holder: HolderID) {
        touch { $0.letGo(holder, realNow: $1) }
    }

    /// How things stand now.
    public var state: SimulationState {
        let now = realNow()
        return live.withLock { live in
            live.advance(realNow: now)
            live.finish()
            return live.state()
        }
    }

    /// What was done, as a scenario file. Takes time in proportion to the steps.
    public func scenario(panel: String?) -> String {
        let (session, start, cut) = touch { live, now in
            live.advance(realNow: now)
            return (live.session, live.start, live.cut(for: .scenario))
        }
        return session.scenario(
            panel: panel ?? start.file, start: start, hasRealActions: dispatcher != nil, cut: cut)
    }

    /// The event lines that this scenario gives again.
    public func expectedTrace() -> String {
        let (session, cut) = touch { live, now in
            live.advance(realNow: now)
            return (live.session, live.cut(for: .expected))
        }
        return session.expectedTrace(plan, cut: cut)
    }

    /// What lines and controls did, as VCD. It plays the session again, which may take seconds.
    public func trace() throws -> [UInt8] {
        let (start, steps, end) = touch { live, now in
            live.advance(realNow: now)
            return (live.start, live.session.steps, live.session.end?.cut.at ?? live.now)
        }
        return try SessionTrace.write(
            start, steps: steps, until: end, hasRealActions: dispatcher != nil)
    }

    // MARK: The console

    /// Makes a gesture; what it presses stays down while anybody holds it.
    public func make(_ gesture: Gesture, by holder: HolderID) -> SimulationError? {
        refusal { live, now throws(SimulationError) in
            live.advance(realNow: now)
            try live.make(gesture, by: holder)
            live.tellDesk()
        }
    }

    /// The next attempt of any action fails.
    public func failNext() -> SimulationError? {
        refusal { live, now throws(SimulationError) in
            live.advance(realNow: now)
            try live.checkPlays()
            try? live.perform(.failNext)
            live.tellDesk()
        }
    }

    /// From now on each attempt of an action takes so long, and ends as it would have.
    public func setTakes(_ takes: TimeSpan) -> SimulationError? {
        refusal { live, now throws(SimulationError) in
            live.advance(realNow: now)
            try live.checkPlays()
            let takes = try live.time(takes, "takes")
            for (control, script) in live.machine.scripts.sorted(by: { $0.key < $1.key }) {
                let script = ActionScript(takes: takes, then: script.ending)
                try? live.perform(.actions(control, script))
            }
            live.tellDesk()
        }
    }

    /// Looks at the panel, for tests.
    func withPanel<Answer: Sendable>(_ body: (LivePanel) -> Answer) -> Answer {
        live.withLock { body($0) }
    }

    /// Does something at the clock's moment, and lets the pacing thread look at what is due now.
    private func touch<Answer: Sendable>(
        _ body: (LivePanel, Instant) -> Answer
    ) -> Answer {
        let now = realNow()
        let answer = live.withLock { live in
            let answer = body(live, now)
            live.finish()
            return answer
        }
        wakeUp.ring()
        return answer
    }

    private func refusal(
        _ body: (LivePanel, Instant) throws(SimulationError) -> Void
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
