import DetentActions
import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld
import Synchronization
import TestSupport
import Testing

@testable import DetentSimulator

/// The panel on the desk with its thread, and with programs that are really run.
@Suite struct SimulatedPanelTests {
    private func panel(
        _ runner: (any ActionRunner)? = nil, clock: (@Sendable () -> Instant)? = nil
    ) throws -> SimulatedPanel {
        let plan = try ExamplePanel.plan("lab-supply")
        let start = SimulationOptions(plan: plan, takes: .milliseconds(10))
        let actions = PanelActions(plan)
        let dispatcher = try runner.map { runner in
            try ActionDispatcher(
                kinds: actions.kinds,
                runners: ActionRunners(runner, for: actions.kinds.compactMap(\.self)),
                makeRequest: { actions.request($0) }, readAnswer: { actions.answer($0, $1) })
        }
        return try SimulatedPanel(
            start, dispatcher: dispatcher, reports: try ReportStream(), isWatched: false,
            say: { _ in }, clock: clock ?? { MonotonicClock.now })
    }

    private func control(_ id: String, _ panel: SimulatedPanel) throws -> ControlID {
        ControlID(UInt16(try #require(panel.plan.controls.firstIndex { $0.id == id })))
    }

    @Test func itEndsAtRest() throws {
        let panel = try panel()
        #expect(panel.perform(.clock(.rate(100_000)), by: InputSourceID(1)) == nil)
        let output = try control("output", panel)
        #expect(panel.make(.flip(output, to: 1), by: InputSourceID(1)) == nil)
        panel.stopAtRest()
        #expect(panel.run(signals: nil) == nil)
        #expect(panel.expectedTrace().contains("\"confirmed\", \"value\": \"on\""))
    }

    @Test func itEndsWhenItIsStopped() throws {
        let panel = try panel()
        panel.stop()
        #expect(panel.run(signals: nil) == nil)
    }

    @Test func manyHandsAtOnceAreAllRecorded() throws {
        let panel = try panel()
        let output = try control("output", panel)
        #expect(panel.perform(.clock(.rate(10_000)), by: InputSourceID(0)) == nil)
        let pacer = try WorkerThread(named: "pacer") { _ = panel.run(signals: nil) }
        let hands = try (1...4).map { number in
            try WorkerThread(named: "hand") {
                let source = InputSourceID(UInt64(number))
                for turn in 0..<150 {
                    let control = ControlID(UInt16(turn % panel.plan.controls.count))
                    _ = panel.perform(
                        .gesture(
                            turn % 3 == 0
                                ? .press(control, button: turn % 2) : .flip(control, to: turn % 2)),
                        by: source)
                    _ = panel.send(.intent(output, Value(Int32(turn % 2)), .web))
                    _ = panel.state
                }
                panel.releaseAll(source)
            }
        }
        for hand in hands { hand.join() }
        let text = panel.scenario(panel: "panel.yaml")
        let events = panel.expectedTrace()
        panel.stop()
        pacer.join()
        let result = VirtualPlayer.run(
            try ExamplePanel.scenario(text, of: "lab-supply"),
            expectedTrace: SourceText(file: "recorded.expected", text: events))
        #expect(result.isPassed, "\(result.text)")
        #expect(result.steps > 300)
    }

    @Test func theConsoleTellsDevices() throws {
        let time = TestTime()
        let panel = try panel(clock: { time.now })
        let output = try control("output", panel)
        #expect(panel.setTakes(.seconds(1)) == nil)
        #expect(panel.failNext() == nil)
        #expect(panel.make(.flip(output, to: 1), by: InputSourceID(1)) == nil)
        time.pass(.seconds(3))
        _ = panel.turn(realNow: time.now)
        let text = panel.scenario(panel: "panel.yaml")
        #expect(text.contains("actions: {output: {takes: 1s}}\n"))
        #expect(text.contains("fail-action:\n"))
        #expect(panel.expectedTrace().contains("\"unreachable\""))
    }

    // MARK: Real programs

    @Test func outcomesOfProgramsCarryTheClocksMoment() throws {
        let time = TestTime()
        let runner = try HeldRunner()
        defer { runner.end(.cancelled) }
        let panel = try panel(runner, clock: { time.now })
        // What starts with the panel is told to its devices first.
        settle(panel, runner, time)
        #expect(panel.perform(.clock(.rate(500)), by: InputSourceID(1)) == nil)
        let output = try control("output", panel)
        time.pass(.seconds(1))
        let asked = panel.state.now
        #expect(panel.send(.intent(output, .on, .web)))
        runner.waitForStart()
        time.pass(.seconds(2))
        runner.end(.succeeded)
        settle(panel, runner, time)
        let line = #"{"at": \#((asked + .seconds(1)).nanoseconds), "control": "output", "#
        #expect(
            panel.expectedTrace().contains(line + #""event": "confirmed", "value": "on"}"#),
            "\(panel.expectedTrace())")
        let text = panel.scenario(panel: "panel.yaml")
        #expect(text.contains("# Real programs ran in the session"))
        #expect(!text.contains("actionFinished"))
        #expect(try panel.trace().count > 1_000)
        #expect(panel.state.runsRealActions)
        expectEqual(panel.failNext()?.cause.contains("real programs"), true)
        #expect(panel.perform(.device(output, .on), by: InputSourceID(1)) != nil)
    }

    @Test func outcomesOfBeforeAStartMatterToNobody() throws {
        let time = TestTime()
        let runner = try HeldRunner()
        defer { runner.end(.cancelled) }
        let panel = try panel(runner, clock: { time.now })
        settle(panel, runner, time)
        let output = try control("output", panel)
        #expect(panel.send(.intent(output, .on, .web)))
        runner.waitForStart()
        #expect(panel.perform(.clock(.restart), by: InputSourceID(1)) == nil)
        runner.end(.succeeded)
        settle(panel, runner, time)
        #expect(!panel.expectedTrace().contains("\"confirmed\", \"value\": \"on\""))
        time.pass(.seconds(1))
        #expect(panel.send(.intent(output, .on, .web)))
        runner.waitForStart()
        runner.end(.succeeded)
        settle(panel, runner, time)
        #expect(panel.expectedTrace().contains("\"confirmed\", \"value\": \"on\""))
    }

    /// Ends whatever was started until nothing is on its way.
    private func settle(_ panel: SimulatedPanel, _ runner: HeldRunner, _ time: TestTime) {
        while true {
            _ = panel.turn(realNow: time.now)
            guard panel.withPanel({ $0.programs?.isBusy == true }) else { return }
            runner.waitForStart()
            runner.end(.succeeded)
        }
    }
}

/// Real time that a test tells.
final class TestTime: Sendable {
    private let moment = Mutex(Instant(nanoseconds: 1_000_000_000))
    var now: Instant { moment.withLock { $0 } }
    func pass(_ span: TimeSpan) { moment.withLock { $0 = $0 + span } }
}

/// A runner whose attempts end when a test says so.
final class HeldRunner: ActionRunner {
    private let waiting =
        Mutex<[(request: ActionRequest, tell: @Sendable (AttemptEvent) -> Void)]>([])
    private let started: WakeUp

    init() throws { started = try WakeUp() }

    func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        waiting.withLock { $0.append((request, tell)) }
        started.ring()
    }

    /// It comes too late for a program that has ended but not said so yet.
    func cancel(_ run: RunID) {}

    func stop(within span: TimeSpan) -> Int {
        end(.cancelled)
        return 0
    }

    /// Sleeps until an attempt has begun.
    func waitForStart() {
        while waiting.withLock({ $0.isEmpty }) {
            started.wait(until: MonotonicClock.now + .seconds(60))
            started.clear()
        }
    }

    /// Every attempt that has begun ends; the dispatcher has heard it when this returns.
    func end(_ outcome: ActionOutcome) {
        let ended = waiting.withLock { waiting in
            let ended = waiting
            waiting = []
            return ended
        }
        for it in ended {
            it.tell(.began(at: .zero))
            it.tell(
                .ended(
                    ActionResult(
                        run: it.request.run, outcome: outcome, explanation: "told by a test",
                        startedAt: nil, endedAt: .zero)))
        }
    }
}
