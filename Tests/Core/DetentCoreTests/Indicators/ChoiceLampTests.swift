import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Lamps of choices: one lamp is dark at the value at which the choice rests, and of a lamp for
/// each option one is lit at every value.
@Suite struct ChoiceLampTests {
    private static func bench(
        _ kind: ControlNature, _ style: IndicatorSettings.Style = .single,
        lamps: UInt16 = 1, default initial: Value = .off
    ) -> Bench {
        let bench = Bench(
            lines: Array(repeating: nil, count: Int(lamps)),
            actions: [ActionSettings(timeout: .seconds(5))],
            controls: [
                ControlSettings(
                    nature: kind,
                    startup: StartupSettings(rule: .value(initial), fallback: initial),
                    actions: .any(ActionID(0)),
                    indicator: IndicatorSettings(
                        style: style, lines: PlanRange(first: 0, count: lamps)))
            ])
        _ = bench.send(.start, 0)
        return bench
    }

    /// The lamps at each value, one after the other and each confirmed.
    private static func lamps(_ bench: Bench, _ values: [Value]) -> [UInt32] {
        values.enumerated().map { place, value in
            let begin = 100 * (place + 1)
            _ = bench.intent(value, begin)
            _ = bench.finish(UInt32(place + 1), .succeeded, begin + 10)
            return bench.snapshot().lamps
        }
    }

    @Test func aThreeWayIsDarkAtItsCenter() {
        let bench = Self.bench(.threeWay, default: .center)
        #expect(bench.snapshot().lamps == 0 && !bench.snapshot().isLit)
        expectEqual(Self.lamps(bench, [.up, .center, .down, .center]), [1, 0, 1, 0])
    }

    /// Where a lever has its center does not depend on the value that a panel gives without it.
    @Test func aThreeWayHasNoOtherRest() {
        let bench = Self.bench(.threeWay, default: .up)
        expectEqual(bench.snapshot().lamps, 1)
        expectEqual(Self.lamps(bench, [.center, .up]), [0, 1])
    }

    @Test(arguments: 0..<4)
    func aChoiceIsDarkAtItsDefault(initial: Int32) {
        let bench = Self.bench(.choice(of: 4), default: Value(initial))
        expectEqual(bench.snapshot().lamps, 0)
        let others = (0..<4).filter { $0 != initial }.map { Value($0) }
        expectEqual(Self.lamps(bench, others + [Value(initial)]), [1, 1, 1, 0])
    }

    @Test(arguments: [Value(4), Value(-2), .unknown])
    func aDefaultThatIsNoOptionIsTheFirst(initial: Value) {
        let bench = Self.bench(.choice(of: 4), default: initial)
        #expect(bench.snapshot().desired == Value(0) && bench.snapshot().lamps == 0)
    }

    @Test func aLampOfTwoColorsIsDarkToo() {
        let bench = Self.bench(.threeWay, .twoColor, lamps: 2, default: .center)
        expectEqual(Self.lamps(bench, [.up, .center]), [0b10, 0])
    }

    @Test func ofALampForEachOptionOneIsLit() {
        let bench = Self.bench(.choice(of: 3), .perOption, lamps: 3)
        #expect(bench.snapshot().lamps == 0b1 && bench.snapshot().pattern == .steady)
        expectEqual(Self.lamps(bench, [Value(2), Value(0), Value(1)]), [0b100, 0b1, 0b10])
    }

    /// A condition over a dark lamp is a flash of light.
    @Test func aFailureShowsAtRest() {
        let bench = Self.bench(.threeWay, default: .center)
        _ = bench.intent(.up, 100)
        _ = bench.finish(1, .succeeded, 110) + bench.intent(.center, 200)
        _ = bench.run(360)
        #expect(bench.snapshot().pattern == .blink && bench.snapshot().lamps == 1)
        _ = bench.run(520)
        expectEqual(bench.snapshot().lamps, 0)
    }

    @Test func anOpenListIsLit() {
        let bench = Bench.navigated(
            .choice(of: 3), .menu(closeAfter: .seconds(10)), .encoder, count: 3)
        expectEqual(bench.snapshot().pattern, .off)
        _ = bench.press(2, 100) + bench.release(2, 150)
        #expect(bench.snapshot().focus == Value(0) && bench.snapshot().pattern == .steady)
        _ = bench.press(2, 300) + bench.release(2, 350)
        #expect(bench.snapshot().focus == .unknown && bench.snapshot().pattern == .off)
    }

    /// An indicator is one lamp, also of a choice with a lamp for each option.
    @Test func anIndicatorOfAChoiceIsDarkAtItsDefault() {
        var panel = RuledPanel()
        let lamps = panel.lines(4)
        let source = panel.add(
            ControlSettings(
                nature: .choice(of: 3),
                startup: StartupSettings(rule: .value(Value(1)), fallback: Value(1)),
                indicator: IndicatorSettings(
                    style: .perOption, lines: PlanRange(first: lamps.first, count: 3))))
        _ = panel.add(
            ControlSettings(
                nature: .mirror,
                indicator: IndicatorSettings(lines: PlanRange(first: lamps.first + 3, count: 1)))
        ) { $0.shows = ControlID(source) }
        let bench = panel.bench()
        _ = bench.start()
        #expect(bench.snapshot(0).lamps == 0b10 && bench.snapshot(1).lamps == 0)
        _ = bench.intent(Value(2), 100)
        #expect(bench.snapshot(0).lamps == 0b100 && bench.snapshot(1).lamps == 1)
    }
}
