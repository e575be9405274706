import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// A switch with an action: what is told, in which order, at which moment.
@Suite struct SwitchDialogueTests {
    @Test func aFastActionNeverShowsLoading() {
        let bench = Bench.latched()
        expectEqual(bench.send(.start, 0), ["0 c0 flag unconfirmed"])
        expectEqual(
            bench.edge(0, .active, 10),
            [
                "10 c0 pressed", "10 c0 changed 1 by panel", "10 c0 phase pending",
                "10 c0 indicator steady", "10 lamp l1 on",
                "10 start a0 r1 c0 1 after ? by panel",
            ])
        expectEqual(bench.edge(0, .inactive, 60), ["60 c0 released", "60 c0 clicked"])
        expectEqual(
            bench.finish(1, .succeeded, 159),
            [
                "159 c0 phase idle", "159 c0 confirmed 1", "159 c0 no unconfirmed",
            ])
        #expect(bench.run(10_000) == [] && bench.nextDeadline == .never)
    }

    @Test func loadingBeginsAtExactly150AndItsLampHolds300() {
        let bench = Bench.latched()
        _ = bench.send(.start, 0) + bench.edge(0, .active, 10)
        expectEqual(bench.run(159), [])
        expectEqual(
            bench.run(160), ["160 c0 phase loading", "160 c0 indicator blink", "160 lamp l1 off"])
        expectEqual(
            bench.finish(1, .succeeded, 170),
            [
                "170 c0 phase idle", "170 c0 confirmed 1", "170 c0 no unconfirmed",
            ])
        #expect(bench.snapshot().phase == .idle && bench.snapshot().pattern == .blink)
        expectEqual(bench.run(459), ["310 lamp l1 on"])
        expectEqual(bench.run(460), ["460 c0 indicator steady"])
    }

    @Test func failureOverridesTheHoldOfLoading() {
        let bench = Bench.latched()
        _ = bench.send(.start, 0) + bench.edge(0, .active, 10) + bench.run(160)
        expectEqual(
            bench.finish(1, .failed(.exit(3)), 170),
            [
                "170 c0 changed 0 by device", "170 c0 phase failed: code 3",
                "170 c0 indicator flashBurst", "170 lamp l1 on",
            ])
    }

    @Test func aFailureRevertsAndShowsForThreeSeconds() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5)))
        _ = bench.intent(.off, 0) + bench.finish(1, .succeeded, 10)
        expectEqual(bench.snapshot().actual, .off)
        expectEqual(
            bench.intent(.on, 100),
            [
                "100 c0 changed 1 by web", "100 c0 phase pending",
                "100 start a0 r2 c0 1 after 0 by web",
            ])
        expectEqual(
            bench.finish(2, .failed(.exit(1)), 120),
            [
                "120 c0 changed 0 by device", "120 c0 phase failed: code 1",
            ])
        expectEqual(bench.run(3_119), [])
        expectEqual(bench.run(3_120), ["3120 c0 phase idle"])
    }

    @Test func aTouchEndsTheShowOfAFailureAndActs() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5)))
        _ =
            bench.intent(.off, 0) + bench.finish(1, .succeeded, 10) + bench.intent(.on, 100)
            + bench.finish(2, .failed(.exit(1)), 120)
        expectEqual(
            bench.intent(.on, 200),
            [
                "200 c0 changed 1 by web", "200 c0 phase pending",
                "200 start a0 r3 c0 1 after 0 by web",
            ])
    }

    @Test func keepLeavesTheValueThatFailed() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5), onFailure: .keep))
        _ = bench.intent(.off, 0) + bench.finish(1, .succeeded, 10) + bench.intent(.on, 100)
        expectEqual(
            bench.finish(2, .failed(.exit(1)), 120),
            [
                "120 c0 phase failed: code 1", "120 c0 flag mismatch",
            ])
        #expect(bench.snapshot().desired == .on && bench.snapshot().actual == .off)
        expectEqual(bench.run(10_000), ["3120 c0 phase idle"])
    }

    @Test func retriesAreTwiceAsFarApartEachTimeThenRevert() {
        let bench = Bench.remote(
            ActionSettings(
                timeout: .seconds(5),
                onFailure: .retry(count: 2, backoff: .seconds(1), thenKeep: false)))
        _ = bench.intent(.off, 0) + bench.finish(1, .succeeded, 10) + bench.intent(.on, 100)
        expectEqual(bench.finish(2, .failed(.exit(1)), 200), [])
        expectEqual(
            bench.run(5_000),
            [
                "250 c0 phase loading", "1200 start a0 r3 c0 1 after 0 by web",
            ])
        expectEqual(bench.finish(3, .failed(.exit(1)), 5_000), [])
        expectEqual(bench.run(7_000), ["7000 start a0 r4 c0 1 after 0 by web"])
        expectEqual(
            bench.finish(4, .failed(.exit(1)), 7_100),
            [
                "7100 c0 changed 0 by device", "7100 c0 phase failed: code 1",
            ])
    }

    @Test func aNewIntentEndsTheWaitForARetry() {
        let bench = Bench.remote(
            ActionSettings(
                timeout: nil, onFailure: .retry(count: 9, backoff: .seconds(60), thenKeep: true)))
        _ =
            bench.intent(.off, 0) + bench.finish(1, .succeeded, 10) + bench.intent(.on, 100)
            + bench.finish(2, .failed(.exit(1)), 110)
        expectEqual(
            bench.intent(.off, 120),
            [
                "120 c0 changed 0 by web", "120 c0 phase idle",
                "120 c0 confirmed 0",
            ])
        expectEqual(bench.nextDeadline, .never)
    }

    @Test func aTimeoutIsUncertainAndRevertsOnce() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(1)))
        _ = bench.intent(.off, 0) + bench.finish(1, .succeeded, 10) + bench.intent(.on, 100)
        expectEqual(
            bench.run(1_100),
            [
                "250 c0 phase loading",
                "1100 c0 changed 0 by device", "1100 c0 phase failed: timeout",
                "1100 c0 flag unconfirmed", "1100 cancel a0 r2",
                "1100 start a0 r3 c0 0 after 0 by device",
            ])
        expectEqual(
            bench.finish(2, .succeeded, 1_200), [], "an attempt that was given up is no news")
        expectEqual(
            bench.finish(3, .failed(.exit(9)), 1_300), ["1300 c0 phase failed: code 9"])
        #expect(bench.snapshot().actual == .unknown && bench.snapshot().flags == .unconfirmed)
        expectEqual(bench.run(60_000), ["4300 c0 phase idle"], "a revert is tried once")
    }

    @Test(arguments: [ActionOutcome.timedOut, .cancelled, .lost])
    func everyUncertainOutcomeMakesActualUnknown(outcome: ActionOutcome) {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5), onFailure: .keep))
        _ =
            bench.intent(.off, 0) + bench.finish(1, .succeeded, 10) + bench.intent(.on, 100)
            + bench.finish(2, outcome, 110)
        expectEqual(bench.snapshot().actual, .unknown)
        expectEqual(bench.snapshot().flags, .unconfirmed)
        #expect(bench.intent(.off, 120).contains("120 start a0 r3 c0 0 after 0 by web"))
    }

    @Test func theTimeoutCountsFromTheStartOfTheAttempt() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(1), onFailure: .keep))
        _ =
            bench.intent(.on, 0) + bench.run(700)
            + bench.send(.actionStarted(ControlID(0), RunID(1)), 700)
        expectEqual(bench.run(1_699), [])
        expectEqual(bench.run(1_700).first, "1700 c0 phase failed: timeout")
    }

    @Test func nothingButAnOutcomeEndsPendingWithoutATimeout() {
        let bench = Bench.remote(ActionSettings(timeout: nil))
        _ = bench.intent(.on, 0)
        expectEqual(bench.run(1_000_000_000), ["150 c0 phase loading"])
        #expect(bench.nextDeadline == .never && bench.snapshot().phase == .loading)
    }

    @Test func theLastIntentWins() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5)))
        _ = bench.intent(.on, 0)
        expectEqual(bench.intent(.off, 10), ["10 c0 changed 0 by web"])
        expectEqual(bench.intent(.on, 20), ["20 c0 changed 1 by web"])
        expectEqual(bench.intent(.off, 30), ["30 c0 changed 0 by web"])
        expectEqual(
            bench.finish(1, .succeeded, 40),
            [
                "40 c0 confirmed 1", "40 c0 no unconfirmed",
                "40 start a0 r2 c0 0 after 1 by web",
            ])
        expectEqual(bench.finish(2, .succeeded, 50), ["50 c0 phase idle", "50 c0 confirmed 0"])
    }

    @Test func backAndForthWhileInFlightStartsNothingMore() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5)))
        _ = bench.intent(.on, 0) + bench.intent(.off, 10) + bench.intent(.on, 20)
        expectEqual(
            bench.finish(1, .succeeded, 40),
            [
                "40 c0 phase idle", "40 c0 confirmed 1", "40 c0 no unconfirmed",
            ])
    }

    @Test func cancelStopsTheRunningAttempt() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5), supersede: .cancel))
        _ = bench.intent(.on, 0)
        expectEqual(
            bench.intent(.off, 10),
            [
                "10 c0 changed 0 by web", "10 cancel a0 r1", "10 start a0 r2 c0 0 after ? by web",
            ])
        expectEqual(bench.finish(1, .succeeded, 20), [])
        #expect(bench.finish(2, .succeeded, 30).contains("30 c0 confirmed 0"))
    }

    @Test func ignoreRefusesAndCounts() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5), supersede: .ignore))
        _ = bench.intent(.on, 0)
        expectEqual(bench.intent(.off, 10), ["10 c0 refused busy by web"])
        #expect(bench.counters.refusedIntents == 1 && bench.snapshot().desired == .on)
        #expect(bench.finish(1, .succeeded, 20).contains("20 c0 phase idle"))
    }

    @Test func aControlWithoutActionConfirmsItselfInTheSameStep() {
        let bench = Bench(
            lines: [nil],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle),
                    indicator: IndicatorSettings(lines: PlanRange(first: 0, count: 1)))
            ])
        _ = bench.send(.start, 0)
        expectEqual(
            bench.intent(.on, 5, origin: .mqtt),
            [
                "5 c0 changed 1 by mqtt", "5 c0 confirmed 1", "5 c0 indicator steady",
                "5 lamp l0 on",
            ])
        expectEqual(bench.intent(.on, 6), [])
        expectEqual(bench.intent(.mixed, 7), ["7 c0 refused outOfRange by web"])
        expectEqual(
            bench.send(.fire(ControlID(0), .on, .web, isConfirmed: false), 8),
            [
                "8 c0 refused unsupported by web"
            ])
    }
}
