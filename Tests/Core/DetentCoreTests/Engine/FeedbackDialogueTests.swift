import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Devices that tell their value by themselves.
@Suite struct FeedbackDialogueTests {
    /// Confirmed off at 10 ms, by run 1.
    static func bench(_ rules: ActionSettings = ActionSettings(timeout: .seconds(1))) -> Bench {
        let bench = Bench.remote(rules)
        _ = bench.intent(.off, 0) + bench.finish(1, .succeeded, 10)
        return bench
    }

    @Test func theShownValueFollowsAndNothingRuns() {
        let bench = Self.bench()
        expectEqual(
            bench.feedback(.on, 100), ["100 c0 changed 1 by device", "100 c0 confirmed 1"])
        expectEqual(bench.feedback(.on, 200), [], "what is known is no news")
        expectEqual(bench.nextDeadline, .never)
    }

    /// What was asked for before an intent, or before the end of its action, says nothing of it.
    @Test func anAnswerFromBeforeTheActionIsOutOfDate() {
        let bench = Self.bench()
        let old = Event.feedback(ControlID(0), .off, asked: .zero + .milliseconds(50))
        _ = bench.intent(.on, 100)
        expectEqual(bench.send(old, 150), [])
        _ = bench.finish(2, .succeeded, 200)
        expectEqual(bench.send(old, 210), [], "asked before the intent")
        let during = Event.feedback(ControlID(0), .off, asked: .zero + .milliseconds(199))
        expectEqual(bench.send(during, 220), [], "asked before the end of its action")
        #expect(bench.snapshot().desired == .on && bench.snapshot().actual == .on)
        let after = Event.feedback(ControlID(0), .off, asked: .zero + .milliseconds(200))
        expectEqual(
            bench.send(after, 230), ["230 c0 changed 0 by device", "230 c0 confirmed 0"])
        // A report without a question counts when it comes.
        expectEqual(
            bench.feedback(.on, 230), ["230 c0 changed 1 by device", "230 c0 confirmed 1"])
    }

    /// A retry begins later than its intent, and changes what the device had to say before.
    @Test func anAnswerFromBeforeARetryIsOutOfDate() {
        let bench = Self.bench(
            ActionSettings(
                timeout: .seconds(1),
                onFailure: .retry(count: 1, backoff: .seconds(1), thenKeep: true)))
        _ = bench.intent(.on, 100) + bench.finish(2, .failed(.exit(1)), 200) + bench.run(1_200)
        let waiting = Event.feedback(ControlID(0), .on, asked: .zero + .milliseconds(700))
        _ = bench.send(waiting, 1_300) + bench.finish(3, .timedOut, 1_400)
        expectEqual(bench.snapshot().actual, .unknown, "asked before the second attempt")
    }

    @Test func itEndsNotKnowing() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(1)))
        expectEqual(bench.snapshot().flags, .unconfirmed)
        expectEqual(bench.feedback(.off, 5), ["5 c0 confirmed 0", "5 c0 no unconfirmed"])
    }

    @Test(arguments: [MismatchPolicy.follow, .catchUp])
    func aLeverThatStandsElsewhereShowsIt(mismatch: MismatchPolicy) {
        let bench = Bench.lever(mismatch)
        _ = bench.send(.start, 0)
        expectEqual(
            bench.feedback(.on, 5),
            [
                "5 c0 changed 1 by device", "5 c0 confirmed 1", "5 c0 flag mismatch",
            ])
    }

    @Test func theWantedValueCountsWhenTheActionHasEnded() {
        let bench = Self.bench()
        _ = bench.intent(.on, 100)
        expectEqual(bench.feedback(.on, 110), [])
        #expect(bench.snapshot().phase == .pending && bench.snapshot().actual == .off)
        expectEqual(
            bench.finish(2, .succeeded, 120), ["120 c0 phase idle", "120 c0 confirmed 1"])
    }

    @Test(arguments: [ActionOutcome.timedOut, .cancelled, .lost])
    func theDeviceIsBelievedWhereNobodyKnows(outcome: ActionOutcome) {
        let bench = Self.bench()
        _ = bench.intent(.on, 100) + bench.feedback(.on, 110)
        expectEqual(bench.finish(2, outcome, 120), ["120 c0 phase idle", "120 c0 confirmed 1"])
    }

    @Test func aFailureIsShownAndTheDevicesValueStays() {
        let bench = Self.bench(
            ActionSettings(
                timeout: .seconds(1),
                onFailure: .retry(count: 3, backoff: .seconds(1), thenKeep: false)))
        _ = bench.intent(.on, 100) + bench.feedback(.on, 110)
        expectEqual(
            bench.finish(2, .failed(.exit(1)), 120),
            [
                "120 c0 phase failed: code 1", "120 c0 confirmed 1",
            ], "there is nothing to try again")
        expectEqual(bench.run(60_000), ["3120 c0 phase idle"])
        #expect(bench.snapshot().desired == .on && bench.snapshot().actual == .on)
    }

    @Test func aDeviceSlowerThanItsTimeoutIsSwitchedBackOnce() {
        let bench = Self.bench()
        // Each attempt takes effect 1.3 s after its start, and is given up after one second.
        _ = bench.intent(.on, 1_000)
        var told = bench.run(2_299)
        #expect(
            told.contains("2000 start a0 r3 c0 0 after 0 by device"),
            "it may have acted, so it is switched back")
        told = bench.feedback(.on, 2_300) + bench.run(3_299)
        #expect(!told.contains { $0.contains(" start ") }, "the way back is tried once")
        let snapshot = bench.snapshot()
        #expect(snapshot.desired == .on && snapshot.actual == .unknown)
        #expect(snapshot.phase == .failed && snapshot.flags == .unconfirmed)
        expectEqual(
            bench.feedback(.off, 3_300),
            [
                "3300 c0 changed 0 by device", "3300 c0 confirmed 0", "3300 c0 no unconfirmed",
            ])
        expectEqual(bench.run(60_000), ["6000 c0 phase idle"])
    }

    @Test func aRequestForTheValueOfTheWayBackHasAWayBackOfItsOwn() {
        let retried = ActionSettings.OnFailure.retry(
            count: 1, backoff: .milliseconds(100), thenKeep: false)
        let bench = Self.bench(ActionSettings(timeout: .seconds(1), onFailure: retried))
        _ = bench.intent(.on, 1_000) + bench.run(3_500)
        expectEqual(bench.snapshot().desired, .off, "the way back runs since 3100 ms")
        _ = bench.intent(.off, 3_500) + bench.feedback(.on, 3_600)
        let told = bench.run(60_000).filter { $0.contains(" start ") }
        expectEqual(
            told,
            [
                "4200 start a0 r5 c0 0 after 1 by web", "5200 start a0 r6 c0 1 after 1 by device",
            ], "a try more, and a way back to what the device said")
    }

    @Test func theLastWordCounts() {
        let bench = Self.bench()
        _ = bench.intent(.on, 100) + bench.feedback(.on, 110) + bench.feedback(.off, 111)
        #expect(bench.finish(2, .lost, 120).contains("120 c0 flag unconfirmed"))
    }

    @Test func theValueBeforeIsNoNewsWhileInFlight() {
        let bench = Self.bench()
        _ = bench.intent(.on, 100)
        expectEqual(
            bench.feedback(.off, 110), [], "a device that polls tells the old one once more")
        #expect(bench.finish(2, .succeeded, 120).contains("120 c0 confirmed 1"))
    }

    @Test func aFailureReturnsToWhatTheDeviceTold() {
        let bench = Bench(
            actions: [ActionSettings(timeout: .seconds(1))],
            controls: [ControlSettings(nature: .choice(of: 3), actions: .any(ActionID(0)))])
        _ = bench.send(.start, 0) + bench.intent(Value(1), 0)
        expectEqual(bench.feedback(Value(2), 5), ["5 c0 confirmed 2", "5 c0 no unconfirmed"])
        expectEqual(
            bench.finish(1, .failed(.exit(1)), 10),
            [
                "10 c0 changed 2 by device", "10 c0 phase failed: code 1",
            ])
    }

    @Test func itEndsTheWaitForARetry() {
        let bench = Self.bench(
            ActionSettings(
                timeout: .seconds(1),
                onFailure: .retry(count: 3, backoff: .seconds(60), thenKeep: false)))
        _ = bench.intent(.on, 100) + bench.finish(2, .failed(.exit(1)), 110)
        expectEqual(bench.feedback(.off, 120), [], "the retry stands")
        expectEqual(bench.feedback(.on, 130), ["130 c0 phase idle", "130 c0 confirmed 1"])
        expectEqual(bench.nextDeadline, .never)
    }

    @Test func underKeepOnlyNewsChangeTheValue() {
        let bench = Self.bench(ActionSettings(timeout: .seconds(1), onFailure: .keep))
        _ = bench.intent(.on, 100) + bench.finish(2, .failed(.exit(1)), 110)
        expectEqual(bench.feedback(.off, 120), [])
        expectEqual(bench.snapshot().desired, .on)
        expectEqual(bench.feedback(.on, 130), ["130 c0 confirmed 1", "130 c0 no mismatch"])
        expectEqual(
            bench.feedback(.off, 140), ["140 c0 changed 0 by device", "140 c0 confirmed 0"])
    }

    @Test func theDeviceMayTellBeforeItAnswers() {
        let bench = QueryDialogueTests.uncertain()
        expectEqual(bench.feedback(.on, 210), ["210 c0 confirmed 1", "210 c0 no unconfirmed"])
        expectEqual(bench.finish(3, .failed(.exit(1)), 220), ["220 c0 phase idle"])
        let starting = DeviceStartupTests.device()
        _ = starting.send(.start, 0)
        expectEqual(starting.feedback(.on, 5).first, "5 c0 changed 1 by device")
        expectEqual(starting.answer(1, .off, 10).first, "10 c0 changed 0 by device")
    }

    @Test func itSparesADelayedStartWhatItWouldFindOut() {
        let bench = DeviceStartupTests.device(delay: .seconds(5))
        _ = bench.send(.start, 0) + bench.feedback(.on, 10)
        expectEqual(bench.run(60_000), [])
        expectEqual(bench.snapshot().actual, .on)
    }

    @Test func whatCannotBeIsIgnoredAndCounted() {
        let bench = Self.bench()
        expectEqual(bench.feedback(Value(9), 20), [])
        expectEqual(bench.feedback(.on, 20, control: 4), [])
        expectEqual(bench.counters.ignoredEvents, 2)
        let button = Bench(controls: [ControlSettings(nature: .button)])
        expectEqual(button.send(.feedback(ControlID(0), .on), 0), [], "not before the start")
        _ = button.send(.start, 0)
        expectEqual(button.send(.feedback(ControlID(0), .on), 1), [])
        expectEqual(button.counters.ignoredEvents, 2)
    }
}
