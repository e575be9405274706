import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld
import TestPanels
import TestSupport
import Testing

/// The laws of the core, on seeded random users whose contacts bounce and whose edges get lost.
///
/// A failing test names its seed: the seed alone makes the run again.
struct LawTests {
    static let seeds = Array(TestLength.seeds(1...8))

    static let algorithms: [DebounceSettings] = [
        DebounceSettings(algorithm: .none),
        DebounceSettings(algorithm: .eager(time: .milliseconds(5), window: .restart)),
        DebounceSettings(algorithm: .eager(time: .milliseconds(5), window: .fixed)),
        DebounceSettings(algorithm: .defer(time: .milliseconds(20))),
        DebounceSettings(
            algorithm: .asymmetric(press: .milliseconds(5), release: .milliseconds(5))),
        DebounceSettings(algorithm: .integrator(sample: .milliseconds(1), samples: 10)),
        DebounceSettings(
            algorithm: .eager(time: .milliseconds(5), window: .restart),
            glitch: .microseconds(100), lockout: .milliseconds(30)),
    ]

    @Test("after a burst and quiet the state is the contact's", arguments: algorithms, seeds)
    func finalLevel(settings: DebounceSettings, seed: UInt64) throws {
        var run = try RandomUser(seed: seed, plan: Panels.lever(settings))
        for _ in 0..<8 {
            try run.burst()
            run.quiet()
            #expect(run.violation() == nil)
        }
    }

    @Test(
        "lost edges are repaired: the state is right once all is quiet", arguments: algorithms,
        seeds)
    func losses(settings: DebounceSettings, seed: UInt64) throws {
        var run = try RandomUser(seed: seed, plan: Panels.lever(settings), queue: 3)
        for _ in 0..<8 {
            try run.burst(losing: true)
            run.quiet()
            // One more move shows what was lost without a later edge to tell of it.
            try run.flip()
            run.quiet()
            #expect(run.violation() == nil)
        }
    }

    @Test("reports do not depend on when the process woke", arguments: algorithms, seeds)
    func timeLaw(settings: DebounceSettings, seed: UInt64) throws {
        var records: [[VirtualRecord.Entry]] = []
        for late in [TimeSpan.zero, .microseconds(700), .milliseconds(13)] {
            var run = try RandomUser(
                seed: seed, plan: Panels.lever(settings), queue: 10_000, wakeEvery: late)
            for _ in 0..<8 {
                try run.burst()
                run.quiet()
            }
            records.append(run.runner.record.entries)
        }
        expectEqual(records[0], records[1])
        expectEqual(records[0], records[2])
    }

    @Test("two runs of a seed are the same, byte for byte", arguments: seeds)
    func determinism(seed: UInt64) throws {
        func lines(_ seed: UInt64) throws -> [String] {
            let plan = Panels.lever()
            var run = try RandomUser(seed: seed, plan: plan)
            for _ in 0..<50 { try run.burst() }
            return run.runner.record.eventLines(plan)
        }
        #expect(try lines(seed) == lines(seed))
        #expect(try lines(seed) != lines(seed + 1))
    }

    @Test("the checker sees: a report that is left out, or told twice, is a violation")
    func canary() throws {
        var run = try RandomUser(seed: 1, plan: Panels.lever())
        for _ in 0..<5 { try run.burst() }
        try run.flip()
        run.quiet()
        #expect(run.violation() == nil)
        let entries = run.runner.record.entries
        let moves = entries.indices.filter { place in
            if case .moved = entries[place].report.kind { true } else { false }
        }
        let last = try #require(moves.last)
        var missing = entries
        missing.remove(at: last)
        #expect(run.violation(in: missing) != nil)
        var twice = entries
        twice.insert(entries[last], at: last)
        #expect(run.violation(in: twice) != nil)
    }
}
