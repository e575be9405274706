import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// No plan with rules that the engine takes can trap it or keep it busy, whatever happens.
@Suite struct HostileStormTests {
    static func event(_ random: inout SplitMix, _ runs: UInt32) -> Event {
        guard random.chance(20) else { return StormTests.event(&random, runs) }
        return .fire(
            ControlID(UInt16(random.below(HostilePlan.controlCount))),
            Value(Int32(random.below(8))), .api, isConfirmed: random.chance(50))
    }

    @Test(arguments: TestLength.seeds(0..<16))
    func storm(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let bench = HostilePlan.bench(&random)
        var clock = Instant(millisecond: 5)
        var latest = clock
        var runs: UInt32 = 0
        _ = bench.raw(.start, at: clock)
        for place in 0..<250 {
            clock = StormTests.next(clock, &random, isLast: place == 249)
            latest = max(latest, clock)
            let event = RequestLaw.numbered(Self.event(&random, runs), UInt32(place))
            let effects = bench.raw(event, at: clock)
            if let fault = RequestLaw.fault(of: event, effects.map(\.0)) {
                Issue.record("seed \(seed) event \(place): \(fault)")
            }
            // Each step of a chain tells a few words, and so does each return.
            #expect(
                effects.count < Int(EngineLimits.chainLength) * 64, "seed \(seed) event \(place)")
            for (effect, at) in effects {
                if at > latest { Issue.record("seed \(seed) event \(place): of the future") }
                if case .start(_, let run, _, _, _, _) = effect { runs = run.number }
            }
            let due = bench.nextDeadline
            #expect(due > latest || due == .never, "seed \(seed) event \(place)")
        }
        for control in 0..<UInt16(HostilePlan.controlCount) {
            let snapshot = bench.snapshot(control)
            #expect(snapshot.desired != .unknown, "seed \(seed) control \(control)")
            #expect(snapshot.progress <= 10, "seed \(seed) control \(control)")
        }
    }

    @Test(arguments: 1_000..<1_010 as Range<UInt64>)
    func twoRunsAreEqual(seed: UInt64) {
        func run() -> [String] {
            var random = SplitMix(seed: seed)
            let bench = HostilePlan.bench(&random)
            var clock = Instant(millisecond: 5)
            var log = bench.send(.start, at: clock)
            for _ in 0..<200 {
                clock = StormTests.next(clock, &random, isLast: false)
                log += bench.send(Self.event(&random, 40), at: clock)
            }
            return log
        }
        if let difference = firstDifference(run(), run()) {
            Issue.record("seed \(seed): \(difference)")
        }
    }
}
