import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Devices that report an old value for a while after an action.
@Suite struct LagDialogueTests {
    /// Started, with a lag of two seconds.
    private static func started() -> Bench {
        var panel = RuledPanel()
        let action = panel.action()
        _ = panel.add(
            ControlSettings(nature: .onOff(latch: .toggle), actions: .any(action))
        ) { $0.lag = .seconds(2) }
        let bench = panel.bench()
        _ = bench.start()
        return bench
    }

    /// Confirmed on at 1 s.
    private static func bench() -> Bench {
        let bench = started()
        _ = bench.intent(.on, 500) + bench.finish(1, .succeeded, 1_000)
        return bench
    }

    @Test func theOldValueWaitsAndTheNewOneEndsIt() {
        let bench = Self.bench()
        expectEqual(bench.feedback(.off, 1_100), [])
        expectEqual(bench.feedback(.on, 2_000), [])
        expectEqual(bench.run(60_000), [], "the device has followed")
        #expect(bench.snapshot().desired == .on && bench.snapshot().actual == .on)
    }

    /// A device that did not follow is believed when it had its time.
    @Test func whatIsSaidToTheEndIsTrue() {
        let bench = Self.bench()
        _ = bench.feedback(.off, 1_100) + bench.feedback(.off, 2_900)
        expectEqual(bench.run(2_999), [])
        expectEqual(
            bench.run(3_000), ["3000 c0 changed 0 by device", "3000 c0 confirmed 0"])
        expectEqual(
            bench.feedback(.on, 3_001), ["3001 c0 changed 1 by device", "3001 c0 confirmed 1"])
    }

    /// At the end of time every deadline is due, also that of a report that nobody made.
    @Test func atTheEndOfTimeNothingIsReleased() {
        let bench = Self.bench()
        _ = bench.send(.tick, at: .never)
        #expect(bench.snapshot().desired == .on && bench.snapshot().actual == .on)
    }

    /// A newer request makes what was held worthless; what was asked for within the lag, too.
    @Test func aNewerRequestEndsIt() {
        let bench = Self.bench()
        _ = bench.feedback(.off, 1_100)
        _ = bench.intent(.off, 1_500) + bench.intent(.on, 1_600)
        _ = bench.finish(2, .succeeded, 1_700) + bench.finish(3, .succeeded, 1_800)
        expectEqual(bench.run(3_500), [])
        #expect(bench.snapshot().desired == .on && bench.snapshot().actual == .on)
    }

    /// The outcome is not known, so the device is believed at once, whatever it had before.
    @Test func afterAnUncertainOutcomeNothingIsHeld() {
        let bench = Self.bench()
        _ = bench.intent(.off, 5_000) + bench.finish(2, .lost, 6_000)
        _ = bench.feedback(.off, 6_100)
        #expect(bench.snapshot().actual == .off)
    }

    /// Nothing was brought about yet: the first report counts at once.
    @Test func theFirstReportDoesNotWait() {
        let bench = Self.started()
        _ = bench.feedback(.on, 10)
        #expect(bench.snapshot().actual == .on)
    }

    /// A source that is gone takes what it said with it; and a device that talks is not silent.
    @Test func whatIsHeldIsForgottenWithItsSource() {
        let bench = Self.bench()
        _ = bench.feedback(.off, 1_100) + bench.send(.feedbackLost(ControlID(0)), 1_200)
        _ = bench.run(60_000)
        #expect(bench.snapshot().actual == .on && bench.snapshot().flags.contains(.stale))
        _ = bench.intent(.off, 61_000) + bench.finish(2, .succeeded, 62_000)
        _ = bench.feedback(.on, 62_100)
        #expect(!bench.snapshot().flags.contains(.stale), "it was heard")
    }

    /// An answer within the time is dropped, because the device is asked again at its end.
    @Test func anAnswerWithinTheTimeIsDropped() {
        let bench = Self.bench()
        let answer = Event.feedback(ControlID(0), .off, asked: .zero + .milliseconds(1_500))
        _ = bench.send(answer, 1_600) + bench.run(60_000)
        #expect(bench.snapshot().actual == .on)
        let later = Event.feedback(ControlID(0), .off, asked: .zero + .milliseconds(60_000))
        _ = bench.send(later, 60_010)
        #expect(bench.snapshot().actual == .off)
    }

    /// While an action runs, the device may say that it has done it.
    @Test func itsWordDuringAnActionCounts() {
        let bench = Self.bench()
        _ = bench.intent(.off, 1_200)
        _ = bench.feedback(.off, 1_300)
        _ = bench.finish(2, .lost, 1_400)
        #expect(bench.snapshot().desired == .off && bench.snapshot().actual == .off)
    }
}
