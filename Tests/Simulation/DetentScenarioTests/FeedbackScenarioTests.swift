import DetentCore
import DetentPanel
@testable import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

/// What simulated devices report.
@Suite struct FeedbackScenarioTests {
    private static func runner(_ keys: String) throws -> (VirtualRunner, PanelPlan) {
        let text = """
            {panel: P, board: none, controls: {
            c: {kind: toggle-button, label: Lamp, input: A, action: {run: [x], timeout: 1s}, \(keys)
            feedback: {watch: [w]}}}}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        let plan = try #require(reading.plan, "\(reading.problems)")
        let backend = SimulatedBackend(PhysicalModel(plan, seed: 1, bounce: .all(.none)))
        return (try VirtualRunner(plan, backend: backend), plan)
    }

    private static let control = ControlID(0)

    private static func isStale(_ runner: VirtualRunner) -> Bool {
        runner.snapshot(of: control)?.flags.contains(.stale) ?? false
    }

    @Test func aDeviceIsHeardUntilItFallsSilent() throws {
        let (runner, _) = try Self.runner("stale-after: 10s,")
        runner.handle(.intent(Self.control, .on, .web))
        runner.run(until: .zero + .seconds(3_600))
        #expect(!Self.isStale(runner))
        runner.change(.silence(Self.control))
        runner.run(until: .zero + .seconds(3_604))
        #expect(!Self.isStale(runner))
        runner.run(until: .zero + .seconds(3_611))
        #expect(Self.isStale(runner))
        runner.change(.feedback(Self.control, .on))
        runner.run(until: .zero + .seconds(3_620))
        #expect(!Self.isStale(runner))
    }

    @Test func aDeviceThatNobodyKnowsIsStale() throws {
        let (runner, _) = try Self.runner("stale-after: 10s,")
        runner.run(until: .zero + .seconds(11))
        #expect(Self.isStale(runner))
    }

    /// A run ends although devices report for ever.
    @Test func aRunComesToItsEnd() throws {
        let (runner, _) = try Self.runner("stale-after: 10s,")
        runner.handle(.intent(Self.control, .on, .web))
        runner.runUntilQuiet()
        #expect(runner.now < .zero + .seconds(60))
    }

    @Test func theDeviceIsHeardAgainAfterARestart() throws {
        let (runner, _) = try Self.runner("")
        runner.handle(.intent(Self.control, .on, .web))
        runner.run(until: .zero + .seconds(1))
        try runner.restart(after: .seconds(1))
        runner.run(until: .zero + .seconds(3))
        expectEqual(runner.snapshot(of: Self.control)?.actual, .on)
    }
}
