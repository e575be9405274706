import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Values from before the start.
@Suite struct SavedDialogueTests {
    static func remote(_ startup: StartupSettings) -> Bench {
        Bench(
            actions: [ActionSettings(timeout: .seconds(1))],
            controls: [
                ControlSettings(
                    nature: .choice(of: 4), startup: startup, actions: .any(ActionID(0)))
            ])
    }

    static func start(_ bench: Bench, saved: Value?) -> [String] {
        var log: [String] = []
        if let saved { log += bench.send(.saved(ControlID(0), saved), 0) }
        return log + bench.send(.start, 0)
    }

    @Test func theSavedValueIsShownAndRunsNothing() {
        let bench = Self.remote(StartupSettings(rule: .saved, fallback: Value(1)))
        expectEqual(
            Self.start(bench, saved: Value(3)),
            [
                "0 c0 changed 3 by startup", "0 c0 flag unconfirmed",
            ])
        expectEqual(bench.nextDeadline, .never)
    }

    @Test func itRunsItsActionWhereThatIsSaid() {
        let bench = Self.remote(
            StartupSettings(rule: .saved, fallback: Value(1), runsAction: true))
        expectEqual(
            Self.start(bench, saved: Value(3)).last, "0 start a0 r1 c0 3 after ? by startup")
    }

    @Test(arguments: [nil, Value(4), Value(-1), .unknown])
    func withoutOneTheDefaultIsShownAndNothingRuns(saved: Value?) {
        let bench = Self.remote(
            StartupSettings(rule: .saved, fallback: Value(1), runsAction: true))
        expectEqual(
            Self.start(bench, saved: saved),
            [
                "0 c0 changed 1 by startup", "0 c0 flag unconfirmed",
            ])
        expectEqual(bench.counters.ignoredEvents, (saved == nil ? 0 : 1))
    }

    @Test func withoutAPossibleDefaultItRests() {
        let bench = Self.remote(StartupSettings(rule: .saved, fallback: Value(9)))
        _ = Self.start(bench, saved: nil)
        expectEqual(bench.snapshot().desired, Value(0))
    }

    @Test func aControlWithoutActionIsConfirmed() {
        let bench = Bench(controls: [
            ControlSettings(nature: .onOff(latch: .toggle), startup: StartupSettings(rule: .saved))
        ])
        expectEqual(Self.start(bench, saved: .on), ["0 c0 changed 1 by startup"])
        expectEqual(bench.snapshot().actual, .on)
    }

    @Test func itIsTooLateAfterTheStart() {
        let bench = Self.remote(StartupSettings(rule: .saved))
        _ = bench.send(.start, 0)
        expectEqual(bench.send(.saved(ControlID(0), Value(3)), 1), [])
        expectEqual(bench.send(.saved(ControlID(7), Value(3)), 1), [])
        #expect(bench.snapshot().desired == Value(0) && bench.counters.ignoredEvents == 2)
    }

    static func selector(_ mismatch: MismatchPolicy = .follow) -> Bench {
        Bench(
            lines: Array(repeating: .some(.none), count: 3),
            actions: [ActionSettings(timeout: .seconds(1))],
            controls: [
                ControlSettings(
                    nature: .choice(of: 3), contacts: PlanRange(first: 0, count: 3),
                    decoder: .selector(SelectorSettings(positions: 3)), mismatch: mismatch,
                    startup: StartupSettings(rule: .panel, fallback: Value(2), runsAction: true),
                    actions: .any(ActionID(0)))
            ])
    }

    @Test func aSelectorWithoutContactTakesTheSavedThenTheDefault() {
        expectEqual(
            Self.start(Self.selector(), saved: Value(1)),
            [
                "0 c0 changed 1 by startup", "0 c0 flag unconfirmed",
            ], "and no action")
        expectEqual(
            Self.start(Self.selector(), saved: nil),
            [
                "0 c0 changed 2 by startup", "0 c0 flag unconfirmed",
            ])
    }

    @Test func aPositionIsTrustedMoreThanWhatWasSaved() {
        let bench = Self.selector()
        _ = bench.send(.reading(LineID(0), .active), 0)
        expectEqual(
            Self.start(bench, saved: Value(1)).last, "0 start a0 r1 c0 0 after ? by startup")
    }

    @Test func theOtherStartupRulesIgnoreIt() {
        let bench = Self.remote(StartupSettings(rule: .value(Value(2)), fallback: Value(1)))
        _ = Self.start(bench, saved: Value(3))
        expectEqual(bench.snapshot().desired, Value(2))
    }

    @Test func resyncTakesEveryPositionAndEndsTheDelay() {
        let bench = Self.selector()
        _ = bench.send(.reading(LineID(0), .active), 0) + bench.send(.start, 0)
        _ = bench.finish(1, .succeeded, 5) + bench.intent(Value(2), 10)
        _ = bench.finish(2, .succeeded, 20)
        expectEqual(bench.snapshot().flags, .mismatch)
        expectEqual(
            bench.send(.resync(), 30),
            [
                "30 c0 changed 0 by panel", "30 c0 phase pending", "30 c0 no mismatch",
                "30 start a0 r3 c0 0 after 2 by panel",
            ])
        let threeWay = Bench(
            lines: [DebounceSettings.none, DebounceSettings.none],
            controls: [
                ControlSettings(
                    nature: .threeWay, contacts: PlanRange(first: 0, count: 2),
                    decoder: .selector(SelectorSettings(positions: 3, nonePosition: 1)),
                    mismatch: .catchUp,
                    startup: StartupSettings(rule: .value(.up), delay: .seconds(5)))
            ])
        _ = threeWay.send(.start, 0) + threeWay.intent(.down, 10)
        expectEqual(threeWay.send(.resync(), 20).first, "20 c0 changed 1 by panel")
        expectEqual(threeWay.run(60_000), [], "the delayed rule does not undo it")
    }

    @Test(arguments: [MismatchPolicy.toggle, .detached])
    func resyncLeavesPartsWhosePositionIsNoState(mismatch: MismatchPolicy) {
        let bench = Self.selector(mismatch)
        _ = bench.send(.reading(LineID(0), .active), 0) + bench.send(.start, 0)
        _ = bench.finish(1, .succeeded, 5) + bench.intent(Value(2), 10)
        expectEqual(bench.send(.resync(), 30), [])
    }
}
