import DetentCore
import DetentHAL
import DetentPanel
import DetentScenario
import DetentTypes
import TestSupport
import Testing

@testable import DetentSoak

/// `detent soak`: mixtures of faults by seed, shrinking, and the scenario of a failure.
@Suite("A soak run")
struct SoakTests {
    @Test("breaks no law, whatever goes wrong", arguments: SimulationSeeds.groups)
    func mixtures(seeds: [UInt64]) throws {
        for plan in [try #require(SimulatedPanel.wild), try #require(RelatedPanel.plan)] {
            for seed in seeds {
                SimulationSeeds.announce(seed)
                let (failure, figures) = try Soak(plan, seed: seed).run()
                #expect(failure == nil, "seed \(seed)")
                #expect(failure != nil || figures.edges > 100)
            }
        }
    }

    @Test("is the same each time") func determinism() throws {
        let plan = try #require(SimulatedPanel.wild)
        #expect(try Soak(plan, seed: 3).run().figures == Soak(plan, seed: 3).run().figures)
    }

    @Test("mixes faults differently for each seed") func swarm() {
        let mixtures = Set((1...40 as ClosedRange<UInt64>).map { SoakTrouble(seed: $0).text })
        #expect(mixtures.count > 20)
        expectEqual(SoakTrouble().text, "no trouble")
    }

    /// The line lies: its wire is inverted from a moment on, and nothing tells of it.
    @Test("of a lying line is shrunk to a scenario that a true panel fails to repeat")
    func shrinking() throws {
        let plan = try #require(SimulatedPanel.quick)
        var soak = Soak(plan, seed: 5, trouble: SoakTrouble())
        soak.disguise = { DeafBackend($0, line: LineID(0), after: 4) }
        let failure = try #require(try soak.run().failure)
        #expect([.contacts, .positions].contains(failure.violation.invariant))
        let short = try SoakShrinker.shrink(failure, of: soak)
        #expect(short.steps.count <= 6, "\(short.steps)")
        expectEqual(short.violation.invariant, failure.violation.invariant)
        expectEqual(try soak.play(short.steps).failure, short)
        let (text, _) = try SoakScenario.text(
            short, of: soak, panel: "panel.yaml", version: "detent 0")
        #expect(text.hasPrefix("# Found by `detent soak`, detent 0, seed 5 (no trouble).\n"))
        #expect(text.contains("panel: panel.yaml\n") && text.contains("  - at: "))
    }

    /// What a scenario can say, it repeats: the same events at the same moments.
    @Test("repeats as a scenario", arguments: [1, 2, 3, 4] as [UInt64])
    func repetition(seed: UInt64) throws {
        let plan = try #require(SimulatedPanel.wild)
        let trouble = SoakTrouble(restarts: true, reloads: true, breaksActions: true)
        var user = SoakUser(seed: seed, plan: plan, trouble: trouble)
        var steps = user.round(80).filter { step in
            // Values that no scenario can name are left out.
            switch step.work {
            case .apply(.tell(.intent)), .apply(.tell(.change)), .apply(.tell(.fire)),
                .apply(.feedback):
                false
            case _: true
            }
        }
        for controls in [[], [ControlID(2)], [ControlID(0), ControlID(5)]] {
            let step = SoakStep(after: .milliseconds(7), work: .reload(controls))
            steps.insert(step, at: steps.count / 2)
        }
        var run = try SoakRun(seed: seed, plan: plan, trouble: trouble)
        for step in steps { try run.play(step) }
        let expected = Expectation(
            subject: .control(ControlID(0), .phase), expected: "idle",
            place: SourcePlace(line: 1, column: 1))
        let failure = Soak.Failure(
            violation: InvariantChecker.Violation(
                invariant: .phases, text: "none", expected: expected),
            steps: steps)
        let soak = Soak(plan, seed: seed, trouble: trouble)
        let (text, isWhole) = try SoakScenario.text(
            failure, of: soak, panel: "simulation.yaml", version: "detent 0")
        #expect(isWhole, "\(text)")
        let reading = ScenarioReader.read(
            SourceText(file: "soak.scenario.yaml", text: text), panel: { _ in (plan, []) })
        let scenario = try #require(reading.scenario, "\(reading.problems)")
        let result = VirtualPlayer.run(scenario)
        expectEqual(result.failures, [])
        expectEqual(result.events, run.runner.record.eventLines(plan))
    }
}

/// Lines of which one no longer tells its edges, and leaves no gap in its sequence.
private final class DeafBackend: GPIOBackend {
    private let inner: any GPIOBackend
    private let line: LineID
    private var hearing: Int

    init(_ inner: any GPIOBackend, line: LineID, after edges: Int) {
        self.inner = inner
        self.line = line
        hearing = edges
    }

    var descriptors: [Int32] { inner.descriptors }
    var descriptorGeneration: UInt32 { inner.descriptorGeneration }
    var deadline: Instant { inner.deadline }

    func open(_ lines: [LineSettings]) -> [HALError] { inner.open(lines) }

    func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        let count = inner.drain(into: buffer, now: now)
        var kept = 0
        for place in 0..<count {
            if buffer[place].line == line, case .edge = buffer[place].kind {
                guard hearing > 0 else { continue }
                hearing -= 1
            }
            buffer[kept] = buffer[place]
            kept += 1
        }
        return kept
    }

    func read(_ line: LineID, now: Instant) -> LineReading? { inner.read(line, now: now) }
    func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        inner.write(line, level, now: now)
    }
    func close() { inner.close() }
}
