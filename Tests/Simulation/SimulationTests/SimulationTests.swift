import DetentCore
import DetentPanel
import DetentScenario
import DetentSoak
import DetentTypes
import DetentWorld
import TestSupport
import Testing

/// Seeded random users on every kind of control, against invariants that know nothing of the core.
///
/// `DETENT_SEEDS=1-1000` runs more seeds; a failure names its own.
@Suite("Every kind of control under random users")
struct SimulationTests {
    private func run(
        _ seeds: [UInt64], _ panel: PanelPlan?, _ trouble: PanelUser.Trouble
    ) throws {
        let plan = try #require(panel)
        for seed in seeds {
            SimulationSeeds.announce(seed)
            var user = try PanelUser(seed: seed, plan: plan, trouble: trouble)
            for _ in 0..<3 { try user.round(40) }
            let violations = InvariantChecker.violations(user.history, of: plan)
            #expect(violations.isEmpty, "seed \(seed): \(violations.prefix(3))")
        }
    }

    @Test("with slow, failing, hanging and lost actions", arguments: SimulationSeeds.groups)
    func brokenActions(seeds: [UInt64]) throws {
        var trouble = PanelUser.Trouble()
        trouble.breaksActions = true
        trouble.restarts = true
        try run(seeds, SimulatedPanel.wild, trouble)
    }

    @Test("with restarts and power cuts", arguments: SimulationSeeds.groups)
    func restarts(seeds: [UInt64]) throws {
        var trouble = PanelUser.Trouble()
        trouble.restarts = true
        try run(seeds, SimulatedPanel.quick, trouble)
    }

    @Test("with lost edges and queues that overflow", arguments: SimulationSeeds.groups)
    func losses(seeds: [UInt64]) throws {
        var trouble = PanelUser.Trouble()
        trouble.losesEdges = true
        trouble.breaksActions = true
        try run(seeds, SimulatedPanel.wild, trouble)
    }

    @Test("with wires that break and chips that go away", arguments: SimulationSeeds.groups)
    func brokenWires(seeds: [UInt64]) throws {
        var trouble = PanelUser.Trouble()
        trouble.breaksWires = true
        try run(seeds, SimulatedPanel.quick, trouble)
        try run(seeds, RelatedPanel.plan, trouble)
    }

    @Test(
        "of controls that look at each other, menus and contracts",
        arguments: SimulationSeeds.groups)
    func related(seeds: [UInt64]) throws {
        var trouble = PanelUser.Trouble()
        try run(seeds, RelatedPanel.plan, trouble)
        trouble.breaksActions = true
        trouble.restarts = true
        trouble.losesEdges = true
        try run(seeds, RelatedPanel.plan, trouble)
    }

    @Test("a process that wakes late tells the same", arguments: SimulationSeeds.groups)
    func timeLaw(seeds: [UInt64]) throws {
        let plan = try #require(SimulatedPanel.quick)
        for seed in seeds {
            SimulationSeeds.announce(seed)
            var told: [[VirtualRecord.Entry]] = []
            for late in [TimeSpan.zero, .microseconds(700), .milliseconds(13)] {
                var trouble = PanelUser.Trouble()
                trouble.wakeEvery = late
                // A hold reads the level once more, and a late reading is late.
                trouble.holds = false
                var user = try PanelUser(seed: seed, plan: plan, trouble: trouble)
                for _ in 0..<2 { try user.round(30) }
                told.append(user.runner.record.entries)
            }
            for late in told.dropFirst() {
                let first = zip(told[0], late).first { $0 != $1 }
                expectEqual(
                    told[0], late,
                    "seed \(seed): \(told[0].count), \(late.count), \(String(describing: first))")
            }
        }
    }

    @Test("two runs of a seed are the same, byte for byte", arguments: SimulationSeeds.groups)
    func determinism(seeds: [UInt64]) throws {
        let plan = try #require(SimulatedPanel.wild)
        func lines(_ seed: UInt64) throws -> [String] {
            let trouble = PanelUser.Trouble(
                losesEdges: true, restarts: true, breaksActions: true)
            var user = try PanelUser(seed: seed, plan: plan, trouble: trouble)
            try user.round(40)
            return user.runner.record.eventLines(plan)
        }
        for seed in seeds {
            SimulationSeeds.announce(seed)
            #expect(try lines(seed) == lines(seed), "seed \(seed)")
            #expect(try lines(seed) != lines(seed + 1), "seed \(seed)")
        }
    }
}
