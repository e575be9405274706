import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Small parts of the core at the ends of their ranges.
@Suite struct SmallPartsTests {
    @Test(
        arguments: [
            (5, 0, 10, 50), (1, 0, 3, 33), (2, 0, 3, 66), (0, 0, 3, 0), (3, 0, 3, 100),
            (-5, 0, 3, 0),
            (9, 0, 3, 100), (7, 7, 7, 100), (1, 2, 0, 100), (-10, -20, 0, 50), (999, 0, 1_000, 99),
            (Int32.max, .min, .max, 100), (0, .min, .max, 50), (.min, .min, .max, 0),
        ] as [(Int32, Int32, Int32, UInt8)])
    func hundredthsAreRoundedDown(value: Int32, low: Int32, high: Int32, share: UInt8) {
        expectEqual(Dimming.hundredths(of: value, from: low, to: high), share)
    }

    @Test func dimmedLampsFollowOneClock() {
        var dimming = Dimming(IndicatorSettings(brightness: 50), dimmer: 50)
        func at(_ microseconds: UInt64) -> Instant { Instant(nanoseconds: microseconds * 1_000) }
        expectEqual(dimming.draw(0b10, count: 2, at: at(20_000)), 0b10)
        expectEqual(dimming.deadline, at(22_500))
        expectEqual(dimming.draw(0b10, count: 2, at: at(22_499)), 0b10)
        expectEqual(dimming.draw(0b10, count: 2, at: at(22_500)), 0)
        expectEqual(dimming.deadline, at(30_000))
        expectEqual(dimming.draw(0, count: 2, at: at(22_500)), 0)
        expectEqual(dimming.deadline, .never)
    }

    @Test func dimmingHasItsEnds() {
        var dark = Dimming(IndicatorSettings(brightness: 50), dimmer: 0)
        expectEqual(dark.draw(0b1, count: 1, at: .zero), 0)
        #expect(dark.deadline == .never && !dark.isFull)
        var full = Dimming(IndicatorSettings(brightness: 100), dimmer: 100)
        #expect(full == Dimming.full && full.isFull)
        expectEqual(Dimming(IndicatorSettings(brightness: 255), dimmer: 101), Dimming.full)
        #expect(full.draw(0b1, count: 1, at: .zero) == 1 && full.deadline == .never)
        var faint = Dimming(IndicatorSettings(brightness: 1), dimmer: 1)
        _ = faint.draw(1, count: 1, at: .zero)
        expectEqual(faint.deadline, Instant(nanoseconds: 100_000))
        var tested = Dimming.test
        expectEqual(tested.draw(0, count: 3, at: .zero), 0b111)
        expectEqual(tested.draw(0, count: 31, at: .zero), .max >> 1)
        expectEqual(tested.draw(0, count: 32, at: .zero), .max)
    }

    @Test(arguments: [
        (ControlNature.onOff(latch: .toggle), Value.off, Int32(1), Value.on as Value?),
        (.onOff(latch: .toggle), .on, 1, .off), (.group, .mixed, 1, .on), (.group, .on, 1, .off),
        (.choice(of: 3), Value(2), 1, Value(0)), (.choice(of: 3), Value(0), -1, Value(2)),
        (.choice(of: 3), Value(1), -8, Value(0)), (.threeWay, .center, 1, Value(2)),
        (.dial(NumberRange(minimum: -5, maximum: 5)), Value(4), 3, Value(5)),
        (.dial(NumberRange(minimum: -5, maximum: 5)), Value(4), .min, Value(-5)),
        (.dial(NumberRange(minimum: -5, maximum: 5, wraps: true)), Value(4), 3, Value(-5)),
        (.selection(of: 3, minimum: 0, maximum: 3), Value(0), 1, nil), (.button, .off, 1, nil),
        (.commands(3), Value(0), 1, nil), (.mirror, .off, 1, nil),
        (.onOff(latch: .toggle), .off, 0, nil), (.choice(of: 3), .unknown, 1, nil),
    ])
    func aChangeStartsFromTheShownValue(
        nature: ControlNature, shown: Value, distance: Int32, expected: Value?
    ) {
        expectEqual(nature.changed(shown, by: distance), expected)
    }

    @Test func aSelectionTakesWhatItsBoundsAllow() {
        var domain = ValueDomain.subset(of: 3, minimum: 0, maximum: 2)
        #expect(domain.contains(Value(0)) && domain.contains(Value(0b110)))
        #expect(!domain.contains(Value(0b111)) && !domain.contains(Value(0b1000)))
        #expect(!domain.contains(Value(-1)) && !domain.contains(.unknown))
        expectEqual(domain.flipped(2, Value(0b001)), .set(Value(0b101)))
        expectEqual(domain.flipped(2, Value(0b011)), .refuse(.outOfRange))
        expectEqual(domain.flipped(3, Value(0)), .nothing)
        domain = .subset(of: 30, minimum: 1, maximum: 30)
        #expect(domain.contains(Value(1 << 30 - 1)) && !domain.contains(Value(0)))
        domain = .subset(of: 31, minimum: 0, maximum: 30)
        #expect(!domain.contains(Value(1)))
        expectEqual(domain.flipped(1, Value(1)), .nothing)
    }

    @Test(arguments: [
        (Comparison.less, [true, false, false]), (.lessOrEqual, [true, true, false]),
        (.greater, [false, false, true]), (.greaterOrEqual, [false, true, true]),
        (.equal, [false, true, false]), (.different, [true, false, true]),
    ])
    func valuesAreCompared(comparison: Comparison, holds: [Bool]) {
        for (value, isTrue) in zip(4...6 as ClosedRange<Int32>, holds) {
            expectEqual(comparison.holds(Value(value), Value(5)), isTrue)
        }
        expectEqual(comparison.holds(.unknown, Value(5)), (comparison == .different))
    }

    @Test func aSelectionContainsItsOptions() {
        #expect(Comparison.contains.holds(Value(0b101), Value(0)))
        #expect(!Comparison.contains.holds(Value(0b101), Value(1)))
        #expect(Comparison.contains.holds(Value(1 << 30), Value(30)))
        #expect(!Comparison.contains.holds(Value(-1), Value(31)))
        #expect(!Comparison.contains.holds(Value(-1), Value(-1)))
        #expect(!Comparison.contains.holds(.unknown, Value(31)))
    }

    @Test func truthsAreTakenFromTheTop() {
        for first in [false, true] {
            for second in [false, true] {
                for below in [false, true] {
                    var and = TruthStack()
                    for truth in [below, first, second] { and.push(truth) }
                    var or = and
                    and.and()
                    or.or()
                    expectEqual(and.result, (first && second))
                    expectEqual(or.result, (first || second))
                    and.and()
                    or.or()
                    expectEqual(and.result, (first && second && below))
                    expectEqual(or.result, (first || second || below))
                    or.not()
                    expectEqual(or.result, !(first || second || below))
                }
            }
        }
    }

    @Test func aLineThatSettlesWaitsForNothing() {
        var line = LineState(DebounceSettings(algorithm: .defer(time: .milliseconds(5))))
        _ = line.edge(at: .zero)
        expectEqual(line.deadline, Instant(millisecond: 5))
        line.settle(at: .active)
        expectEqual(line.deadline, .never)
        #expect(line.isQuiet(at: .zero))
    }

    @Test func whatHasNoButtonIsNeverDown() {
        let bare = ControlSettings(nature: .onOff(latch: .toggle))
        #expect(!Decoder(bare).isDown)
    }

    @Test func asymmetricTellsTheNextPressAfterARelease() {
        func at(_ millisecond: Int) -> Instant { Instant(millisecond: millisecond) }
        var machine = AsymmetricDebouncer(
            level: .active, press: .milliseconds(3), release: .milliseconds(5))
        #expect(machine.edge(to: .inactive, at: at(0)) == nil)
        #expect(machine.deadline == at(5) && !machine.endsUnseen)
        expectEqual(machine.deadlineReached(level: .inactive, at: at(5)), .inactive)
        #expect(machine.deadline == .never && machine.endsUnseen)
        expectEqual(machine.edge(to: .active, at: at(6)), .active)
        #expect(machine.deadline == at(9) && machine.endsUnseen)
        #expect(machine.edge(to: .inactive, at: at(7)) == nil && !machine.endsUnseen)
        #expect(machine.edge(to: .active, at: at(8)) == nil && machine.endsUnseen)
        #expect(machine.deadlineReached(level: .active, at: at(9)) == nil)
        expectEqual(machine.deadline, .never)
    }
}
