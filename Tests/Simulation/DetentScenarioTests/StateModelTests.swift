import DetentCore
import DetentPanel
@testable import DetentScenario
import DetentTypes
import TestSupport
import Testing

import DetentWorld

/// Values over restarts and power cuts, against a model that looks at every millisecond.
@Suite struct StateModelTests {
    private static let panel = """
        panel: State
        board: none
        controls:
          level: {kind: dial, label: Level, encoder: {a: A, b: B}, range: {min: 0, max: 9}}
          lamp: {kind: toggle-button, label: Lamp, input: C}
          fixed: {kind: toggle-button, label: Fixed, input: D, startup: off}
        """

    /// What a state directory has, in the plainest way.
    private struct PlainState {
        var shown: [Int32] = [0, 0, 0]
        var written: [Int32] = [0, 0, 0]
        var notBefore = 0

        mutating func look(at millisecond: Int) {
            guard shown[..<2] != written[..<2], millisecond >= notBefore else { return }
            written = shown
            notBefore = millisecond + 1_000
        }

        mutating func restart(isOrderly: Bool) {
            if isOrderly { written = shown }
            shown = written
            shown[2] = 0
            notBefore = 0
        }
    }

    @Test(arguments: TestLength.seeds(1...40))
    func whatWasWrittenComesBack(seed: UInt64) throws {
        let plan = try #require(
            PanelReader.read(SourceText(file: "p.yaml", text: Self.panel)).plan)
        let backend = SimulatedBackend(PhysicalModel(plan, seed: seed, bounce: .all(.none)))
        let runner = try VirtualRunner(plan, backend: backend, keepsState: true)
        var random = SplitMix64(seed: seed, stream: 7)
        var model = PlainState()
        var millisecond = 0
        for step in 0..<300 {
            let end = millisecond + Int(random.below(700))
            while millisecond < end {
                millisecond += 1
                model.look(at: millisecond)
            }
            runner.run(until: .zero + .milliseconds(UInt64(millisecond)))
            if random.chance(percent: 15) {
                let isOrderly = random.chance(percent: 40)
                if !isOrderly { backend.cutPower(at: runner.now) }
                try runner.restart(after: .milliseconds(1), isOrderly: isOrderly)
                model.restart(isOrderly: isOrderly)
                millisecond += 1
            } else {
                let control = Int(random.below(3))
                let value = Int32(random.below(control == 0 ? 10 : 2))
                runner.handle(.intent(ControlID(UInt16(control)), Value(value), .api))
                model.shown[control] = value
                model.look(at: millisecond)
            }
            let found = (0..<3).map { runner.snapshot(of: ControlID($0))?.desired.raw }
            try #require(found == model.shown, "seed \(seed), step \(step), \(millisecond) ms")
        }
    }
}
