import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Which condition a lamp tells, over every state that a control can have.
@Suite struct ConditionTests {
    static let order: [(LampCondition, @Sendable (Flag, Phase, UInt8, Bool) -> Bool)] = [
        (.fault, { flags, _, _, _ in flags.contains(.fault) }),
        (.failed, { _, phase, _, _ in phase == .failed }),
        (.loading, { _, phase, _, _ in phase == .loading }),
        (.confirm, { _, _, progress, _ in progress > 0 }),
        (.mismatch, { flags, _, _, _ in flags.contains(.mismatch) }),
        (.stale, { flags, _, _, _ in flags.contains(.stale) }),
        (.unconfirmed, { flags, _, _, _ in flags.contains(.unconfirmed) }),
        (.mixed, { flags, _, _, _ in flags.contains(.mixed) }),
        (.disabled, { flags, _, _, _ in flags.contains(.disabled) }),
        (.on, { _, _, _, isLit in isLit }),
        (.off, { _, _, _, _ in true }),
    ]

    @Test func theHighestIsTold() {
        expectEqual(Self.order.map(\.0), LampCondition.allCases)
        for bits in 0..<64 as Range<UInt8> {
            for phase in [Phase.idle, .pending, .loading, .failed] {
                for progress in [0, 1, 10] as [UInt8] {
                    for isLit in [true, false] {
                        let flags = Flag(rawValue: bits)
                        let told = LampCondition(
                            flags: flags, phase: phase, progress: progress, isLit: isLit)
                        let expected = Self.order.first { $0.1(flags, phase, progress, isLit) }
                        expectEqual(told, expected?.0, "\(bits) \(phase) \(progress) \(isLit)")
                    }
                }
            }
        }
    }

    /// Every condition has a pattern of its own by default, so none needs a colour to be told.
    @Test func defaultPatternsDiffer() {
        let told = LampCondition.allCases.filter { $0 != .unconfirmed }
        expectEqual(Set(told.map { PatternChoice()[$0] }).count, told.count)
    }

    /// What was never asked about is told only where a panel has a pattern for it.
    @Test func unconfirmedNeedsAPattern() {
        expectEqual(PatternChoice().told(of: [.unconfirmed, .mixed]), .mixed)
        var choice = PatternChoice()
        choice[.unconfirmed] = .wink
        expectEqual(choice.told(of: [.unconfirmed, .mixed]), [.unconfirmed, .mixed])
    }

    /// The first attempt ever fails: the value is what the start gave, and nobody has confirmed it.
    @Test(arguments: [Pattern.off, .doubleWink])
    func aFirstFailureReturnsToTheStart(pattern: Pattern) {
        var settings = IndicatorSettings(lines: PlanRange(first: 0, count: 1))
        settings.patterns[.unconfirmed] = pattern
        let bench = Bench(
            lines: [nil], actions: [ActionSettings(timeout: .seconds(5))],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), startup: StartupSettings(rule: .value(.on)),
                    actions: .any(ActionID(0)), indicator: settings)
            ])
        _ = bench.send(.start, 0) + bench.intent(.off, 10)
        _ = bench.finish(1, .failed(.exit(1)), 50)
        #expect(bench.snapshot().desired == .on && bench.snapshot().actual == .unknown)
        expectEqual(bench.snapshot().phase, .failed)
        expectEqual(bench.snapshot().flags, .unconfirmed)
        _ = bench.run(4_000)
        expectEqual(bench.snapshot().phase, .idle)
        expectEqual(bench.snapshot().flags, .unconfirmed)
        expectEqual(bench.snapshot().pattern, (pattern == .off ? .steady : .doubleWink))
        _ = bench.intent(.off, 5_000) + bench.finish(2, .succeeded, 5_010)
        #expect(bench.snapshot().pattern == .off && bench.snapshot().flags == [])
    }

    /// Two lines are enough for the default colours.
    @Test func defaultColorsAreRedAndGreen() {
        for condition in LampCondition.allCases {
            #expect(ColorChoice()[condition].rawValue <= LampColor.amber.rawValue)
        }
        expectEqual(ColorChoice()[.off], .off)
    }

    @Test func eachColorIsItsOwn() {
        for condition in LampCondition.allCases {
            var colors = ColorChoice()
            colors[condition] = .white
            for other in LampCondition.allCases {
                expectEqual((colors[other] == .white), (other == condition))
            }
        }
    }

    /// A confirmation on one lamp: the lit part grows from period to period.
    @Test func aConfirmationFillsTheLamp() {
        let bench = Bench.latched()
        _ = bench.send(.start, 0)
        var log = bench.setProgress(1, 100)
        log += bench.setProgress(4, 500) + bench.setProgress(10, 1_500)
        log += bench.setProgress(0, 2_600)
        expectEqual(
            log,
            [
                "100 c0 indicator fill", "100 lamp l1 on", "172 lamp l1 off",
                "900 lamp l1 on", "1188 lamp l1 off",
                "1700 lamp l1 on", "2420 lamp l1 off", "2500 lamp l1 on",
                "2600 c0 indicator off", "2600 lamp l1 off",
            ], "\(log)")
    }

    /// Over a lit lamp it fills twice as fast, so that the value is told too.
    @Test func aConfirmationTellsTheValue() {
        let bench = Bench.latched(ActionSettings(timeout: .seconds(5)))
        _ = bench.send(.start, 0) + bench.intent(.on, 0) + bench.finish(1, .succeeded, 10)
        let log = bench.setProgress(2, 100) + bench.run(800)
        expectEqual(
            log,
            [
                "100 c0 indicator fill", "100 lamp l1 off", "428 lamp l1 on", "500 lamp l1 off",
            ], "\(log)")
    }

    /// Any other pattern may stand for a confirmation; its progress does not touch it.
    @Test func aConfirmationMayHaveAnyPattern() {
        var settings = IndicatorSettings(lines: PlanRange(first: 0, count: 1))
        settings.patterns[.confirm] = .wink
        let bench = Bench(
            lines: [nil],
            controls: [ControlSettings(nature: .onOff(latch: .toggle), indicator: settings)])
        _ = bench.send(.start, 0)
        let log = bench.setProgress(2, 100) + bench.setProgress(7, 150) + bench.run(300)
        expectEqual(log, ["100 c0 indicator wink", "100 lamp l0 on", "200 lamp l0 off"])
    }
}
