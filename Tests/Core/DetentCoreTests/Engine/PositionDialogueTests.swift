import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Parts that hold a position: mismatch policies, start-up, radio groups, dials, outputs.
@Suite struct PositionDialogueTests {
    @Test func followLetsThePositionWinAsSoonAsItMoves() {
        let bench = Bench.lever(.follow)
        expectEqual(bench.send(.start, 0), [])
        expectEqual(
            bench.intent(.on, 10),
            [
                "10 c0 changed 1 by web", "10 c0 confirmed 1", "10 c0 flag mismatch",
            ])
        expectEqual(bench.edge(0, .active, 20), ["20 c0 moved 1", "20 c0 no mismatch"])
        expectEqual(
            bench.edge(0, .inactive, 30),
            [
                "30 c0 moved 0", "30 c0 changed 0 by panel", "30 c0 confirmed 0",
            ])
    }

    @Test func toggleFlipsAtAnyThrow() {
        let bench = Bench.lever(.toggle)
        _ = bench.send(.start, 0)
        expectEqual(bench.intent(.on, 10), ["10 c0 changed 1 by web", "10 c0 confirmed 1"])
        expectEqual(
            bench.edge(0, .active, 20),
            [
                "20 c0 moved 1", "20 c0 changed 0 by panel", "20 c0 confirmed 0",
            ])
    }

    @Test func catchUpWaitsUntilPositionMeetsState() {
        let bench = Bench.lever(.catchUp)
        _ = bench.send(.start, 0) + bench.intent(.on, 10)
        expectEqual(bench.snapshot().flags, .mismatch)
        expectEqual(bench.edge(0, .active, 20), ["20 c0 moved 1", "20 c0 no mismatch"])
        #expect(bench.edge(0, .inactive, 30).contains("30 c0 changed 0 by panel"))
    }

    @Test func detachedOnlyReports() {
        let bench = Bench.lever(.detached)
        _ = bench.send(.start, 0)
        expectEqual(bench.edge(0, .active, 20), ["20 c0 moved 1"])
        #expect(bench.snapshot().desired == .off && bench.snapshot().flags == [])
    }

    @Test func resyncSetsStateFromPositionsAndReplaysNothing() {
        let bench = Bench.lever(.follow)
        _ = bench.send(.start, 0) + bench.intent(.on, 10)
        expectEqual(
            bench.send(.resync(), 20),
            [
                "20 c0 changed 0 by panel", "20 c0 confirmed 0", "20 c0 no mismatch",
            ])
        expectEqual(bench.send(.resync(), 30), [])
    }

    /// A caller from outside who asks for it is named, and not a hand at the panel.
    @Test func resyncNamesWhoAskedForIt() {
        let bench = Bench.lever(.follow)
        _ = bench.send(.start, 0) + bench.intent(.on, 10)
        expectEqual(bench.send(.resync(by: .api), 20).first, "20 c0 changed 0 by api")
    }

    @Test func startFromThePanelRunsTheAction() {
        let bench = Bench.lever(
            .follow, startup: StartupSettings(rule: .panel, runsAction: true),
            actions: [ActionSettings(timeout: .seconds(1))], map: .any(ActionID(0)))
        _ = bench.send(.reading(LineID(0), .active), 0)
        expectEqual(
            bench.send(.start, 0),
            [
                "0 c0 changed 1 by startup", "0 c0 phase pending", "0 c0 flag unconfirmed",
                "0 start a0 r1 c0 1 after ? by startup",
            ])
    }

    @Test func startFromAValueRunsNothingUnlessAsked() {
        let quiet = Bench.lever(
            .follow, startup: StartupSettings(rule: .value(.on)),
            actions: [ActionSettings(timeout: .seconds(1))], map: .any(ActionID(0)))
        expectEqual(
            quiet.send(.start, 0),
            [
                "0 c0 changed 1 by startup", "0 c0 flag mismatch", "0 c0 flag unconfirmed",
            ])
    }

    @Test func theDelayStaggersAndATouchEndsIt() {
        let startup = StartupSettings(
            rule: .value(.on), runsAction: true, delay: .seconds(2))
        let bench = Bench.lever(
            .detached, startup: startup, actions: [ActionSettings(timeout: .seconds(1))],
            map: .any(ActionID(0)))
        _ = bench.send(.start, 0)
        expectEqual(bench.run(1_999), [])
        #expect(bench.run(2_000).contains("2000 start a0 r1 c0 1 after ? by startup"))
        let touched = Bench.lever(
            .detached, startup: startup, actions: [ActionSettings(timeout: .seconds(1))],
            map: .any(ActionID(0)))
        _ = touched.send(.start, 0) + touched.intent(.off, 500) + touched.finish(1, .succeeded, 510)
        expectEqual(touched.run(10_000), [])
    }

    static func radio(_ options: UInt8, outputs: Bool) -> Bench {
        let count = UInt16(options)
        return Bench(
            lines: Array(repeating: .some(.none), count: Int(options))
                + Array(repeating: nil, count: Int(options)),
            controls: [
                ControlSettings(
                    nature: .choice(of: options),
                    contacts: PlanRange(first: 0, count: count),
                    decoder: .selector(SelectorSettings(positions: options)),
                    startup: StartupSettings(rule: .panel, fallback: Value(2)),
                    indicator: outputs
                        ? IndicatorSettings()
                        : IndicatorSettings(
                            style: .perOption, lines: PlanRange(first: count, count: count)),
                    outputs: outputs ? PlanRange(first: count, count: count) : .none,
                    outputsPresent: outputs ? 1 << UInt32(count) - 1 : 0)
            ])
    }

    @Test func aRadioGroupShowsItsOption() {
        let bench = Self.radio(3, outputs: false)
        _ = bench.send(.reading(LineID(0), .active), 0)
        expectEqual(bench.send(.start, 0), ["0 c0 indicator steady", "0 lamp l3 on"])
        _ = bench.edge(0, .inactive, 10) + bench.edge(1, .active, 20)
        expectEqual(
            bench.run(50),
            [
                "50 c0 moved 1", "50 c0 changed 1 by panel", "50 c0 confirmed 1",
                "50 lamp l3 off", "50 lamp l4 on",
            ])
        expectEqual(bench.intent(Value(3), 60), ["60 c0 refused outOfRange by web"])
        expectEqual(bench.intent(Value(-1), 60), ["60 c0 refused outOfRange by web"])
    }

    @Test func noContactAtStartTakesTheFallback() {
        let bench = Self.radio(3, outputs: false)
        expectEqual(
            bench.send(.start, 0),
            [
                "0 c0 changed 2 by startup", "0 c0 indicator steady", "0 lamp l5 on",
            ])
    }

    @Test func outputsGoOffBeforeTheyGoOn() {
        let bench = Self.radio(3, outputs: true)
        _ = bench.send(.start, 0)
        expectEqual(bench.snapshot().outputs, 0b100)
        expectEqual(
            bench.intent(.off, 10),
            [
                "10 c0 changed 0 by web", "10 c0 confirmed 0",
                "10 drive l5 off", "10 c0 output l5 off", "10 drive l3 on", "10 c0 output l3 on",
            ])
    }

    static func dial(wraps: Bool) -> Bench {
        let bench = Bench(
            lines: [DebounceSettings.none, DebounceSettings.none],
            controls: [
                ControlSettings(
                    nature: .dial(
                        NumberRange(minimum: 0, maximum: 10, step: 4, wraps: wraps)),
                    contacts: PlanRange(first: 0, count: 2),
                    decoder: .encoder(EncoderSettings(transitions: 4)),
                    startup: StartupSettings(rule: .value(Value(4))))
            ])
        _ = bench.send(.start, 0)
        return bench
    }

    /// One detent clockwise: A leads.
    static func detent(_ bench: Bench, _ millisecond: Int, clockwise: Bool = true) -> [String] {
        let first: UInt16 = clockwise ? 0 : 1
        return bench.edge(first, .active, millisecond)
            + bench.edge(1 - first, .active, millisecond + 1)
            + bench.edge(first, .inactive, millisecond + 2)
            + bench.edge(1 - first, .inactive, millisecond + 3)
            + bench.run(to: Instant(millisecond: millisecond + 3) + .nanoseconds(1))
    }

    @Test func aDialClampsOrWraps() {
        let clamping = Self.dial(wraps: false)
        expectEqual(
            Self.detent(clamping, 10),
            [
                "13 c0 stepped 1", "13 c0 changed 8 by panel", "13 c0 confirmed 8",
            ])
        _ = Self.detent(clamping, 200)
        expectEqual(clamping.snapshot().desired, Value(10))
        expectEqual(Self.detent(clamping, 400), ["403 c0 stepped 1"])
        _ = Self.detent(clamping, 600, clockwise: false)
        expectEqual(clamping.snapshot().desired, Value(6))

        let wrapping = Self.dial(wraps: true)
        _ = Self.detent(wrapping, 10) + Self.detent(wrapping, 200)
        expectEqual(wrapping.snapshot().desired, Value(0))
        _ = Self.detent(wrapping, 400, clockwise: false)
        expectEqual(wrapping.snapshot().desired, Value(10))
        expectEqual(wrapping.intent(Value(11), 900), ["900 c0 refused outOfRange by web"])
    }
}
