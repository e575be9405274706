import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// `audit`: quiet contacts are read again, and what differs is corrected.
@Suite struct AuditDialogueTests {
    private func bench() -> Bench {
        var relations = Relations()
        let rules = relations.rules { $0.auditEvery = .seconds(10) }
        let bench = Bench(
            lines: [.lever],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), contacts: PlanRange(first: 0, count: 1),
                    decoder: .lever, relation: rules)
            ],
            relations: relations)
        _ = bench.send(.reading(LineID(0), .inactive), 0)
        _ = bench.send(.start, 0)
        return bench
    }

    @Test func aQuietLineIsReadAtItsDistance() {
        let bench = bench()
        expectEqual(bench.run(9_999), [])
        expectEqual(bench.run(10_000), ["10000 read l0"])
        expectEqual(bench.send(.reading(LineID(0), .inactive), 10_000), [])
        expectEqual(bench.run(20_000), ["20000 read l0"])
    }

    @Test func anEdgeThatNobodyToldOfIsMendedAndCounted() {
        let bench = bench()
        _ = bench.run(10_000)
        expectEqual(bench.send(.reading(LineID(0), .active), 10_000), ["10000 c0 lost 1"])
        expectEqual(
            bench.run(10_020),
            [
                "10020 c0 moved 1", "10020 c0 changed 1 by panel", "10020 c0 confirmed 1",
            ])
    }

    @Test func aLateProcessReadsOnceAndDoesNotCatchUp() {
        let bench = bench()
        expectEqual(bench.send(.tick, 95_000), ["10000 read l0"])
        expectEqual(bench.nextDeadline, Instant(millisecond: 105_000))
    }

    @Test func aLineThatMovesIsLeftAlone() {
        let bench = bench()
        _ = bench.edge(0, .active, 9_990)
        #expect(!bench.run(10_000).contains("10000 read l0"))
    }
}
