import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentSimulator

/// What was done at the desk becomes a scenario that does the same again, byte for byte.
@Suite struct RecordingTests {
    static let panels = [
        "lab-supply", "aquarium", "cnc-pendant", "flight-overhead", "greenhouse", "ham-radio",
        "home-lights", "kiosk", "model-railway", "studio-tally",
    ]

    @Test(arguments: TestLength.some(of: panels, every: 3), TestLength.seeds(1...4))
    func aSessionRepeatsToTheSameTrace(_ name: String, _ seed: UInt64) throws {
        var plan = try ExamplePanel.plan(name)
        plan.callers = ["desk"]
        var user = DeskUser(plan, seed: seed)
        let rig = try DeskRig(user.start(seed: seed))
        for _ in 0..<300 {
            user.act(rig)
            rig.pass(user.pause())
        }
        let text = rig.scenario()
        let events = rig.events()
        let result = VirtualPlayer.run(
            try ExamplePanel.scenario(text, of: name),
            expectedTrace: SourceText(file: "recorded.expected", text: events))
        #expect(result.isPassed, "seed \(seed): \(result.text)\n\(text.suffix(4_000))")
        expectEqual(result.events.joined(), events, "seed \(seed)")
        #expect(result.events.count > 50, "seed \(seed): hardly anything happened")
    }

    @Test(arguments: panels, TestLength.some(of: [11, 12, 13] as [UInt64], every: 3))
    func nothingDependsOnWhenThePanelIsTurned(_ name: String, _ seed: UInt64) throws {
        let plan = try ExamplePanel.plan(name)
        var files: [String] = []
        for isOverslept in [false, true] {
            var user = DeskUser(plan, seed: seed)
            let rig = try DeskRig(user.start(seed: seed))
            for _ in 0..<100 {
                user.act(rig)
                if isOverslept {
                    rig.oversleep(user.pause())
                } else {
                    rig.pass(user.pause())
                }
            }
            rig.pass(.zero)
            files.append(rig.scenario() + rig.events())
        }
        expectEqual(files[0], files[1], "seed \(seed)")
    }

    @Test(arguments: TestLength.some(of: panels, every: 3)) func aSessionThatDiffersIsNoticed(
        _ name: String
    ) throws {
        let plan = try ExamplePanel.plan(name)
        var user = DeskUser(plan, seed: 5)
        let rig = try DeskRig(user.start(seed: 5))
        for _ in 0..<300 {
            user.act(rig)
            rig.pass(user.pause())
        }
        let events = SourceText(file: "recorded.expected", text: rig.events())
        var scenario = try ExamplePanel.scenario(rig.scenario(), of: name)
        #expect(VirtualPlayer.run(scenario, expectedTrace: events).isPassed)
        // Without half of what was done it is another session.
        scenario.steps = scenario.steps.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        #expect(!VirtualPlayer.run(scenario, expectedTrace: events).isPassed)
    }
}
