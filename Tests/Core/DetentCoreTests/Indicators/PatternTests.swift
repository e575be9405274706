import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Patterns as functions of time: each is told from every other without colour, and none flickers.
@Suite struct PatternTests {
    /// Lengths of dark and lit stretches over one long round, begun at any place: equal for
    /// patterns that an eye could not tell apart.
    static func stretches(_ look: Look) -> Set<[Int]> {
        var now = Instant.zero
        var lengths: [Int] = []
        var lit = false
        for turn in 0..<200 {
            let state = look.lamp(at: now)
            if turn == 0 { lit = state.level == .active }
            guard state.nextChange != .never else { return [[lit ? 1 : 0]] }
            let length = Int((state.nextChange - now).nanoseconds / 1_000_000)
            let sign = state.level == .active ? 1 : -1
            if let last = lengths.last, last.signum() == sign {
                lengths[lengths.count - 1] += sign * length
            } else {
                lengths.append(sign * length)
            }
            now = state.nextChange
        }
        // Nine stretches, more than any period has, from any place on.
        return Set((1..<100).map { Array(lengths[$0..<$0 + 9]) })
    }

    @Test(arguments: Look.all)
    func everyLookDiffersFromEveryOther(look: Look) {
        let own = Self.stretches(look)
        for other in Look.all where other != look {
            #expect(
                own.isDisjoint(with: Self.stretches(other)), "like \(other.testDescription)")
        }
    }

    @Test(arguments: Look.all)
    func everyLookIsAsPictured(look: Look) {
        for millisecond in 0..<12_000 {
            let now = Instant(millisecond: millisecond)
            let expected = PatternModel.level(
                look.pattern, isLit: look.isLit, tenths: look.tenths, after: millisecond)
            guard look.lamp(at: now).level == expected else {
                Issue.record("at \(millisecond) ms")
                return
            }
        }
    }

    /// `nextChange` is when the level really changes, from any moment on.
    @Test(arguments: Look.all)
    func nextChangeIsWhenTheLevelChanges(look: Look) {
        for millisecond in stride(from: 0, to: 12_000, by: 7) {
            let now = Instant(millisecond: millisecond)
            let state = look.lamp(at: now)
            guard state.nextChange != .never else { continue }
            #expect(state.nextChange > now)
            let last = Instant(nanoseconds: state.nextChange.nanoseconds - 1)
            let before = look.lamp(at: last)
            #expect(before.level == state.level && before.nextChange == state.nextChange)
        }
    }

    /// A process that was stopped for an hour draws what is due now, once.
    @Test func aLateCallCatchesNothingUp() {
        let bench = Bench(
            lines: [nil], actions: [ActionSettings(timeout: nil)],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), actions: .any(ActionID(0)),
                    indicator: IndicatorSettings(lines: PlanRange(first: 0, count: 1)))
            ])
        _ = bench.send(.start, 0) + bench.intent(.on, 0) + bench.run(160)
        expectEqual(bench.snapshot().pattern, .blink)
        let late = bench.send(.tick, 3_600_000 + 150 + 100)
        #expect(late.count <= 1, "\(late)")
        expectEqual(bench.snapshot().lamps, 0)
        _ = bench.send(.tick, 3_600_000 + 150 + 200)
        expectEqual(bench.snapshot().lamps, 1)
    }
}
