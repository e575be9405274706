import DetentScenario
import DetentCore
import DetentPanel
import DetentRuntime
import DetentTrace
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentSimulator

/// Where a recording ends, and that what was recorded until then is true.
@Suite struct RecordingBoundsTests {
    private func start(_ name: String = "lab-supply") throws -> SimulationOptions {
        SimulationOptions(plan: try ExamplePanel.plan(name), takes: .milliseconds(30))
    }

    /// Repeats what is recorded, and finds the same events.
    private func check(_ rig: DeskRig, _ name: String = "lab-supply") throws -> String {
        let text = rig.scenario()
        let result = VirtualPlayer.run(
            try ExamplePanel.scenario(text, of: name),
            expectedTrace: SourceText(file: "recorded.expected", text: rig.events()))
        #expect(result.isPassed, "\(result.text)\n\(text)")
        return text
    }

    private func play(_ rig: DeskRig, rounds: Int) throws {
        let output = try PacedPanelTests.control("output", rig)
        for round in 0..<rounds {
            _ = rig.live.send(.intent(output, Value(Int32(round % 2)), .web), realNow: rig.real)
            rig.pass(.milliseconds(40))
        }
    }

    @Test func tooManyStepsEndIt() throws {
        var start = try start()
        start.steps = 10
        let rig = try DeskRig(start)
        try play(rig, rounds: 10)
        #expect(rig.live.state().isRecording)
        try play(rig, rounds: 10)
        #expect(!rig.live.state().isRecording)
        expectEqual(rig.live.state().recordedSteps, 10)
        let text = try check(rig)
        #expect(text.contains("# It ends at 0.4s: more than 10 steps are not recorded.\n"))
        expectEqual(text.ranges(of: "  - at: ").count, 11)
        rig.perform(.clock(.restart))
        #expect(rig.live.state().isRecording)
    }

    @Test func aFullRecordingCanStillBeRead() throws {
        let rig = try DeskRig(try start())
        for _ in 0..<SimulatorLimits.steps + 5 {
            _ = rig.live.send(.resync(), realNow: rig.real)
            rig.real = rig.real + .microseconds(10)
        }
        #expect(!rig.live.state().isRecording)
        expectEqual(rig.live.session.steps.count, SimulatorLimits.steps)
        let scenario = try ExamplePanel.scenario(rig.scenario(), of: "lab-supply")
        expectEqual(scenario.steps.count, ScenarioLimits.steps)
    }

    @Test func tooManyEventsEndIt() throws {
        var start = try start()
        start.events = 60
        let rig = try DeskRig(start)
        try play(rig, rounds: 40)
        #expect(!rig.live.state().isRecording)
        let text = try check(rig)
        #expect(text.contains("more than 60 events are not recorded.\n"))
        #expect(rig.live.session.entries.count < 80)
    }

    @Test func whatHasNoWordsEndsIt() throws {
        let rig = try DeskRig(try start())
        try play(rig, rounds: 3)
        let output = try PacedPanelTests.control("output", rig)
        #expect(rig.live.send(.intent(output, Value(7), .web), realNow: rig.real))
        try play(rig, rounds: 3)
        #expect(!rig.live.state().isRecording)
        expectEqual(rig.live.state().recordedSteps, 3)
        let text = try check(rig)
        #expect(
            text.contains("# It ends at 0.12s: the next action cannot be written in a scenario.\n"))
    }

    @Test func twoFilesThatAreAskedForTogetherBelongTogether() throws {
        for isScenarioFirst in [true, false] {
            let rig = try DeskRig(try start())
            try play(rig, rounds: 5)
            let first = isScenarioFirst ? rig.scenario() : rig.events()
            try play(rig, rounds: 5)
            let second = isScenarioFirst ? rig.events() : rig.scenario()
            let (text, events) = isScenarioFirst ? (first, second) : (second, first)
            let result = VirtualPlayer.run(
                try ExamplePanel.scenario(text, of: "lab-supply"),
                expectedTrace: SourceText(file: "recorded.expected", text: events))
            #expect(result.isPassed, "\(result.text)")
            // The next pair is a new one.
            let next = try check(rig)
            #expect(next.count > text.count)
        }
    }

    @Test func aFailureInTheEndStateWouldBeSeen() throws {
        let rig = try DeskRig(try start())
        try play(rig, rounds: 1)
        let text = rig.scenario()
        #expect(text.contains("output: {value: off, phase: "))
        let wrong = text.replacing(
            "output: {value: off, phase", with: "output: {value: on, phase")
        let result = VirtualPlayer.run(try ExamplePanel.scenario(wrong, of: "lab-supply"))
        expectEqual(result.failures.count, 1, "\(result.text)")
    }

    @Test(arguments: ["lab-supply", "studio-tally", "kiosk"], [21, 22] as [UInt64])
    func theTraceIsThatOfTheScenario(_ name: String, _ seed: UInt64) throws {
        let plan = try ExamplePanel.plan(name)
        var user = DeskUser(plan, seed: seed)
        let rig = try DeskRig(user.start(seed: seed))
        for _ in 0..<100 {
            user.act(rig)
            rig.pass(user.pause())
        }
        let scenario = try ExamplePanel.scenario(rig.scenario(), of: name)
        let result = VirtualPlayer.run(scenario, isTraced: true)
        let expected = try RecordedTrace.write(
            result.record, of: plan, until: .zero + result.duration, to: TraceMemory()
        ).bytes
        let found = try SessionTrace.write(
            rig.live.start, steps: rig.live.session.steps, until: rig.live.now,
            hasRealActions: false)
        expectEqual(found, expected, "seed \(seed)")
        #expect(found.count > 1_000)
    }
}
