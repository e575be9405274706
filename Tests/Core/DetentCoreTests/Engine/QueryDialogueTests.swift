import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Asking a device for its value: at start, and when nobody knows how an attempt ended.
@Suite struct QueryDialogueTests {
    /// A switch with an action (a0) and a query (a1) of two seconds.
    static func bench(
        _ rules: ActionSettings = ActionSettings(timeout: .seconds(1)),
        startup: StartupSettings = StartupSettings(), map: ActionMap = .any(ActionID(0))
    ) -> Bench {
        Bench(
            actions: [rules, ActionSettings(timeout: .seconds(2))],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), startup: startup, actions: map,
                    query: ActionID(1))
            ])
    }

    /// Confirmed off, then asked to be on, which is lost at 200 ms.
    static func uncertain(_ rules: ActionSettings = ActionSettings(timeout: .seconds(9))) -> Bench {
        let bench = Self.bench(rules)
        _ = bench.send(.start, 0) + bench.intent(.off, 0) + bench.finish(1, .succeeded, 10)
        _ = bench.intent(.on, 100)
        expectEqual(
            bench.finish(2, .lost, 200),
            [
                "200 c0 flag unconfirmed", "200 start a1 r3 c0 ? after 0 by web",
            ])
        return bench
    }

    @Test func anAnswerAsWantedConfirms() {
        let bench = Self.uncertain()
        expectEqual(bench.snapshot().phase, .pending, "nothing has failed as far as anybody knows")
        expectEqual(
            bench.answer(3, .on, 220),
            [
                "220 c0 phase idle", "220 c0 confirmed 1", "220 c0 no unconfirmed",
            ])
        #expect(bench.run(60_000) == [] && bench.nextDeadline == .never)
    }

    @Test func anotherAnswerIsTheValueAndNothingRuns() {
        let bench = Self.uncertain()
        expectEqual(
            bench.answer(3, .off, 300),
            [
                "250 c0 phase loading", "300 c0 changed 0 by device", "300 c0 phase failed: lost",
                "300 c0 confirmed 0", "300 c0 no unconfirmed",
            ])
        expectEqual(bench.run(60_000), ["3300 c0 phase idle"])
        #expect(bench.snapshot().desired == .off && bench.snapshot().actual == .off)
    }

    @Test(arguments: [
        (ActionOutcome.timedOut, "timeout"), (.cancelled, "cancelled"), (.lost, "lost"),
    ])
    func everyUncertainOutcomeAsks(outcome: ActionOutcome, reason: String) {
        let bench = Self.bench()
        _ = bench.send(.start, 0) + bench.intent(.on, 0)
        expectEqual(bench.finish(1, outcome, 10), ["10 start a1 r2 c0 ? after ? by web"])
        #expect(bench.answer(2, .off, 20).contains("20 c0 phase failed: \(reason)"))
    }

    @Test func aCertainFailureAsksNobody() {
        let bench = Self.bench()
        _ = bench.send(.start, 0) + bench.intent(.off, 0) + bench.finish(1, .succeeded, 10)
        _ = bench.intent(.on, 100)
        expectEqual(
            bench.finish(2, .failed(.exit(4)), 110),
            [
                "110 c0 changed 0 by device", "110 c0 phase failed: code 4",
            ])
    }

    @Test func aTimeoutStopsTheAttemptAndThenAsks() {
        let bench = Self.bench()
        _ = bench.send(.start, 0) + bench.intent(.on, 0)
        expectEqual(
            bench.run(1_000),
            [
                "150 c0 phase loading", "1000 cancel a0 r1",
                "1000 start a1 r2 c0 ? after ? by web",
            ])
        expectEqual(
            bench.answer(2, .on, 1_100),
            [
                "1100 c0 phase idle", "1100 c0 confirmed 1", "1100 c0 no unconfirmed",
            ])
    }

    @Test func withoutAnAnswerItGoesOnAsWithoutAQuery() {
        let bench = Self.uncertain()
        expectEqual(
            bench.finish(3, .failed(.exit(1)), 210),
            [
                "210 c0 changed 0 by device", "210 c0 phase failed: lost",
                "210 start a0 r4 c0 0 after 0 by device",
            ])
        expectEqual(bench.finish(4, .lost, 220), ["220 start a1 r5 c0 ? after 0 by device"])
        expectEqual(bench.finish(5, .succeeded, 230), ["230 c0 phase failed: lost"], "said nothing")
        expectEqual(bench.run(60_000), ["3230 c0 phase idle"], "a revert is tried once")
        expectEqual(bench.snapshot().flags, .unconfirmed)
    }

    @Test func aQuestionIsBoundedByItsOwnTimeoutFromItsStart() {
        let bench = Self.uncertain()
        _ = bench.run(700) + bench.send(.actionStarted(ControlID(0), RunID(3)), 700)
        expectEqual(bench.run(2_699), [])
        expectEqual(
            bench.run(2_700),
            [
                "2700 c0 changed 0 by device", "2700 c0 phase failed: lost", "2700 cancel a1 r3",
                "2700 start a0 r4 c0 0 after 0 by device",
            ])
        expectEqual(bench.answer(3, .on, 2_710), [], "it was given up")
    }

    @Test func anIntentWaitsForTheAnswer() {
        let bench = Self.uncertain()
        expectEqual(bench.intent(.off, 210), ["210 c0 changed 0 by web"])
        expectEqual(
            bench.answer(3, .on, 220),
            [
                "220 c0 confirmed 1", "220 c0 no unconfirmed",
                "220 start a0 r4 c0 0 after 1 by web",
            ])
        expectEqual(bench.finish(4, .succeeded, 230), ["230 c0 phase idle", "230 c0 confirmed 0"])
        let lucky = Self.uncertain()
        _ = lucky.intent(.off, 210)
        expectEqual(
            lucky.answer(3, .off, 220),
            [
                "220 c0 phase idle", "220 c0 confirmed 0", "220 c0 no unconfirmed",
            ], "it is off already")
    }

    /// The way back has failed as well, so a request for its value has an attempt of its own.
    @Test func anIntentAfterAFailedWayBackBegins() {
        let bench = Self.uncertain()
        #expect(
            bench.finish(3, .failed(.exit(1)), 220).contains(
                "220 start a0 r4 c0 0 after 0 by device"))
        #expect(bench.finish(4, .lost, 230).contains("230 start a1 r5 c0 ? after 0 by device"))
        expectEqual(bench.intent(.off, 240), ["240 c0 phase pending"])
        #expect(bench.answer(5, .on, 250).contains("250 start a0 r6 c0 0 after 1 by web"))
        expectEqual(bench.snapshot().desired, .off)
    }

    @Test func aNewerIntentBeforeTheOutcomeNeedsNoAnswer() {
        let bench = Self.bench()
        _ = bench.send(.start, 0) + bench.intent(.on, 0) + bench.intent(.off, 5)
        expectEqual(bench.finish(1, .lost, 10), ["10 start a0 r2 c0 0 after ? by web"])
    }

    @Test func anIntentThatConfirmsItselfEndsTheQuestion() {
        let bench = Self.bench(map: .perValue(first: ActionID(0), present: 0b10))
        _ = bench.send(.start, 0) + bench.intent(.on, 100) + bench.finish(1, .lost, 200)
        expectEqual(
            bench.intent(.off, 210),
            [
                "210 c0 changed 0 by web", "210 c0 phase idle", "210 c0 confirmed 0",
                "210 c0 no unconfirmed", "210 cancel a1 r2",
            ])
        expectEqual(bench.nextDeadline, .never)
    }

    @Test func keepLeavesTheValueAndKnowsTheDevice() {
        let bench = Self.uncertain(ActionSettings(timeout: .seconds(9), onFailure: .keep))
        expectEqual(
            bench.answer(3, .off, 220),
            [
                "220 c0 phase failed: lost", "220 c0 confirmed 0", "220 c0 flag mismatch",
                "220 c0 no unconfirmed",
            ])
        #expect(bench.snapshot().desired == .on && bench.snapshot().actual == .off)
    }

    @Test func retriesComeAfterTheAnswerAndOnlyIfItDiffers() {
        let rules = ActionSettings(
            timeout: .seconds(9),
            onFailure: .retry(count: 1, backoff: .milliseconds(100), thenKeep: false))
        let bench = Self.uncertain(rules)
        expectEqual(bench.answer(3, .off, 220).last, "220 c0 no unconfirmed")
        expectEqual(
            bench.run(320), ["250 c0 phase loading", "320 start a0 r4 c0 1 after 0 by web"])
        expectEqual(bench.finish(4, .lost, 330).last, "330 start a1 r5 c0 ? after 0 by web")
        #expect(bench.answer(5, .off, 340).contains("340 c0 phase failed: lost"))
        let lucky = Self.uncertain(rules)
        expectEqual(lucky.answer(3, .on, 220).first, "220 c0 phase idle")
        expectEqual(lucky.run(60_000), [])
    }

    @Test func anImpossibleAnswerIsNone() {
        let bench = Self.uncertain()
        #expect(bench.answer(3, Value(7), 210).contains("210 c0 phase failed: lost"))
        #expect(bench.snapshot().actual == .unknown && bench.counters.ignoredEvents == 1)
        expectEqual(bench.answer(99, .on, 220, control: 9), [])
    }

    @Test func anAnswerToAnAttemptIsNoOutcome() {
        let bench = Self.bench()
        _ = bench.send(.start, 0) + bench.intent(.on, 0)
        #expect(bench.answer(1, .on, 5) == [] && bench.answer(1, Value(7), 6) == [])
        #expect(bench.snapshot().phase == .pending && bench.snapshot().actual == .unknown)
    }
}

/// The same at start.
@Suite struct DeviceStartupTests {
    static func device(_ fallback: Value = .off, delay: TimeSpan = .zero) -> Bench {
        QueryDialogueTests.bench(
            startup: StartupSettings(rule: .device, fallback: fallback, delay: delay))
    }

    @Test func theAnswerIsTheValueAndNothingRuns() {
        let bench = Self.device()
        expectEqual(
            bench.send(.start, 0),
            [
                "0 c0 flag unconfirmed", "0 start a1 r1 c0 ? after ? by startup",
            ])
        expectEqual(bench.snapshot().phase, .idle, "nobody has asked for anything")
        expectEqual(
            bench.answer(1, .on, 40),
            [
                "40 c0 changed 1 by device", "40 c0 confirmed 1", "40 c0 no unconfirmed",
            ])
        expectEqual(bench.run(60_000), [])
    }

    @Test func untilThenAndWithoutAnAnswerItShowsWhatWasSaved() {
        let bench = Self.device()
        _ = bench.send(.saved(ControlID(0), .on), 0)
        expectEqual(
            bench.send(.start, 0),
            [
                "0 c0 changed 1 by startup", "0 c0 flag unconfirmed",
                "0 start a1 r1 c0 ? after ? by startup",
            ])
        expectEqual(bench.run(2_000), ["2000 cancel a1 r1"])
        #expect(bench.snapshot().desired == .on && bench.snapshot().flags == .unconfirmed)
        expectEqual(bench.snapshot().phase, .idle)
    }

    @Test func withoutEitherItShowsItsDefault() {
        let bench = Self.device(.on)
        expectEqual(bench.send(.start, 0).first, "0 c0 changed 1 by startup")
        expectEqual(bench.finish(1, .failed(.exit(1)), 5), [])
        #expect(bench.snapshot().desired == .on && bench.snapshot().actual == .unknown)
    }

    @Test func anIntentWinsOverTheAnswer() {
        let bench = Self.device()
        _ = bench.send(.start, 0)
        expectEqual(bench.intent(.on, 5), ["5 c0 changed 1 by web", "5 c0 phase pending"])
        expectEqual(
            bench.answer(1, .off, 10),
            [
                "10 c0 confirmed 0", "10 c0 no unconfirmed", "10 start a0 r2 c0 1 after 0 by web",
            ])
        let deaf = Self.device()
        _ = deaf.send(.start, 0) + deaf.intent(.on, 5)
        expectEqual(deaf.finish(1, .lost, 10), ["10 start a0 r2 c0 1 after ? by web"])
    }

    @Test func theDelayAppliesToTheQuestion() {
        let bench = Self.device(delay: .seconds(3))
        expectEqual(bench.send(.start, 0), ["0 c0 flag unconfirmed"])
        expectEqual(bench.run(3_000), ["3000 start a1 r1 c0 ? after ? by startup"])
    }

    @Test func aDisabledControlAsksNobody() {
        var relations = Relations()
        let never = relations.condition(.compare(ControlID(0), .equal, .on))
        let rules = relations.rules { $0.condition = never }
        let bench = Bench(
            actions: [ActionSettings(timeout: .seconds(1))],
            controls: [
                ControlSettings(nature: .onOff(latch: .toggle)),
                ControlSettings(
                    nature: .onOff(latch: .toggle),
                    startup: StartupSettings(rule: .device, fallback: .on), query: ActionID(0),
                    relation: rules),
            ], relations: relations)
        _ = bench.send(.saved(ControlID(1), .on), 0)
        let log = bench.send(.start, 0)
        #expect(log.contains("0 c1 changed 1 by startup") && log.contains("0 c1 flag disabled"))
        #expect(!log.contains { $0.contains("start a0") }, "\(log)")
        expectEqual(bench.snapshot(1).actual, .unknown)
    }

    @Test func aControlWithoutActionIsKnownByItsDeviceAlone() {
        let bench = QueryDialogueTests.bench(
            startup: StartupSettings(rule: .device), map: .none)
        expectEqual(bench.send(.start, 0).first, "0 c0 flag unconfirmed")
        expectEqual(bench.answer(1, .off, 5), ["5 c0 confirmed 0", "5 c0 no unconfirmed"])
    }

    @Test func aLeverThatStandsElsewhereShowsIt() {
        let bench = Bench(
            lines: [DebounceSettings.none], actions: [ActionSettings(timeout: .seconds(1))],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), contacts: PlanRange(first: 0, count: 1),
                    decoder: .lever, startup: StartupSettings(rule: .device), query: ActionID(0))
            ])
        _ = bench.send(.start, 0)
        expectEqual(
            bench.answer(1, .on, 5),
            [
                "5 c0 changed 1 by device", "5 c0 confirmed 1", "5 c0 flag mismatch",
                "5 c0 no unconfirmed",
            ])
    }
}
