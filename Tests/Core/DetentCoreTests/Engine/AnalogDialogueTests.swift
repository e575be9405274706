import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// A potentiometer and a ladder of resistors in the engine.
@Suite struct AnalogDialogueTests {
    private static func dial(
        _ mismatch: MismatchPolicy = .follow, rule: StartupSettings.Rule = .panel
    ) -> Bench {
        let range = NumberRange(minimum: -10, maximum: 10)
        return Bench(
            lines: [DebounceSettings.none],
            controls: [
                ControlSettings(
                    nature: ControlNature(domain: .number(range), role: .device, input: .pick),
                    contacts: PlanRange(first: 0, count: 1),
                    decoder: .analog(
                        AnalogSettings(
                            scale: AnalogScale(first: 0, last: 20_000), minimum: -10, maximum: 10)),
                    mismatch: mismatch,
                    startup: StartupSettings(rule: rule, fallback: Value(-10)))
            ])
    }

    private static func sample(_ sample: Int32) -> Event { .sample(LineID(0), sample) }

    @Test func aPotentiometerHasAPositionAtStart() {
        let bench = Self.dial()
        expectEqual(bench.send(Self.sample(15_000), 0), [])
        expectEqual(bench.send(.start, 0), ["0 c0 changed 5 by startup"])
        expectEqual(
            bench.send(Self.sample(16_200), 20),
            ["20 c0 moved 6", "20 c0 changed 6 by panel", "20 c0 confirmed 6"])
        expectEqual(bench.send(Self.sample(16_000), 40), [])
    }

    @Test func withoutASampleTheValueIsKept() {
        let bench = Self.dial()
        _ = bench.send(.lineFault(LineID(0)), 0)
        expectEqual(bench.send(.start, 0), [])
        #expect(bench.snapshot().flags.contains(.fault))
        expectEqual(bench.snapshot().position, .unknown)
        // It comes back: the control follows its position.
        _ = bench.send(.lineRestored(LineID(0)), 100)
        expectEqual(
            bench.send(Self.sample(20_000), 100),
            ["100 c0 moved 10", "100 c0 changed 10 by panel", "100 c0 confirmed 10"])
        expectEqual(bench.snapshot().flags, [])
    }

    @Test func anUnpluggedConverterIsAFaultOfItsControl() {
        let bench = Self.dial()
        _ = bench.send(Self.sample(10_000), 0) + bench.send(.start, 0)
        expectEqual(bench.send(.lineFault(LineID(0)), 50), ["50 c0 fault line"])
        expectEqual(bench.snapshot().desired, Value(0))
        expectEqual(bench.send(.lineRestored(LineID(0)), 60), ["60 c0 fault none"])
        expectEqual(bench.send(Self.sample(10_000), 60), [])
    }

    /// Soft take-over: out of step it does nothing, until it meets or passes the value.
    @Test func catchUpWaitsUntilTheKnobPassesTheValue() {
        let bench = Self.dial(.catchUp)
        _ = bench.send(Self.sample(0), 0) + bench.send(.start, 0) + bench.intent(Value(4), 10)
        #expect(bench.snapshot().flags.contains(.mismatch))
        expectEqual(bench.send(Self.sample(6_400), 20), ["20 c0 moved -4"])
        expectEqual(bench.snapshot().desired, Value(4))
        let passed = bench.send(Self.sample(16_400), 40)
        #expect(passed.contains("40 c0 changed 6 by panel"))
        #expect(bench.send(Self.sample(2_000), 60).contains("60 c0 changed -8 by panel"))
    }

    @Test func catchUpMeetsTheValueItself() {
        let bench = Self.dial(.catchUp)
        _ = bench.send(Self.sample(0), 0) + bench.send(.start, 0) + bench.intent(Value(4), 10)
        expectEqual(bench.send(Self.sample(14_400), 20), ["20 c0 moved 4", "20 c0 no mismatch"])
        #expect(bench.send(Self.sample(15_400), 40).contains("40 c0 changed 5 by panel"))
    }

    @Test func aPositionIsNeverBeyondTheRange() {
        let bench = Self.dial()
        _ = bench.send(Self.sample(.max), 0) + bench.send(.start, 0)
        expectEqual(bench.snapshot().desired, Value(10))
        _ = bench.send(Self.sample(.min), 20)
        expectEqual(bench.snapshot().desired, Value(-10))
    }

    @Test func aLadderSettlesAndPassesWhatIsBetween() {
        let bench = Bench(
            lines: [DebounceSettings.none],
            controls: [
                ControlSettings(
                    nature: .choice(of: 4), contacts: PlanRange(first: 0, count: 1),
                    decoder: .analog(
                        AnalogSettings(
                            scale: AnalogScale(first: 0, last: 3_000), settle: .milliseconds(30),
                            settlesEach: true, maximum: 3)),
                    startup: StartupSettings(rule: .panel))
            ])
        _ = bench.send(Self.sample(0), 0) + bench.send(.start, 0)
        expectEqual(bench.send(Self.sample(1_000), 10), [])
        expectEqual(bench.send(Self.sample(2_000), 30), [])
        expectEqual(bench.run(59), [])
        expectEqual(
            bench.run(60), ["60 c0 moved 2", "60 c0 changed 2 by panel", "60 c0 confirmed 2"])
    }

    /// Samples of lines that have levels, and levels of lines that have samples, change nothing.
    @Test func otherEventsAreIgnored() {
        let bench = Bench.lever(.follow)
        _ = bench.send(.start, 0)
        expectEqual(bench.send(Self.sample(5), 10), [])
        expectEqual(bench.send(.sample(LineID(7), 5), 10), [])
        expectEqual(bench.counters.ignoredEvents, 2)
        let dial = Self.dial()
        _ = dial.send(Self.sample(10_000), 0) + dial.send(.start, 0)
        _ = dial.edge(0, .active, 10) + dial.send(.reading(LineID(0), .active), 20)
        expectEqual(dial.snapshot().desired, Value(0))
    }

    @Test(arguments: [
        AnalogSettings(scale: AnalogScale(first: 5, last: 5), maximum: 3),
        AnalogSettings(scale: AnalogScale(first: 0, last: 9), hysteresis: 20_000, maximum: 3),
        AnalogSettings(scale: AnalogScale(first: 0, last: 9), maximum: 0),
        AnalogSettings(scale: AnalogScale(first: 0, last: 9), maximum: 3, step: 0),
        AnalogSettings(scale: AnalogScale(first: 0, last: 9), maximum: 50_000),
        AnalogSettings(scale: AnalogScale(first: 0, last: 9), maximum: 20, levels: AnalogLevels()),
    ])
    func aPlanWithAnImpossiblePartIsRefused(settings: AnalogSettings) throws {
        let capacity = Capacity(lines: 1, controls: 1, actions: 0)
        let storage = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Engine.byteCount(for: capacity), alignment: 16)
        defer { storage.deallocate() }
        var engine = Engine(capacity: capacity, storage: storage)
        _ = try engine.addLine(DebounceSettings.none)
        do throws(EngineError) {
            _ = try engine.addControl(
                ControlSettings(
                    nature: .choice(of: 4), contacts: PlanRange(first: 0, count: 1),
                    decoder: .analog(settings)))
            Issue.record("it was added")
        } catch {
            expectEqual(error, .outOfRange)
        }
    }
}
