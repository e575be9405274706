import DetentCore
import DetentRuntime
import DetentTypes
import TestSupport
import Testing

@testable import DetentWall

/// What the next gateway gets to know, and when updates are passed on.
@Suite struct SessionRecordTests {
    private func report(_ number: UInt64, _ kind: Report.Kind) -> TimedUpdate {
        TimedUpdate(
            .report(Report(control: ControlID(0), kind: kind), number: number),
            at: Instant(nanoseconds: number))
    }

    @Test func theLastPhaseOutlivesTheHistory() {
        var record = SessionRecord(controls: 1)
        record.note(report(1, .phase(.failed, .timedOut)))
        for number in 2...UInt64(RuntimeLimits.history + 5) {
            record.note(report(number, .stepped(delta: 1)))
        }
        let updates = record.updates
        expectEqual(updates.count, RuntimeLimits.history + 1)
        expectEqual(updates.first, report(1, .phase(.failed, .timedOut)))
        expectEqual(updates.dropFirst().first, report(6, .stepped(delta: 1)))
        record.note(TimedUpdate(.restarted, at: .zero))
        #expect(record.updates.isEmpty)
    }

    @Test func updatesArePassedOnThirtyTimesASecond() {
        var pacing = UpdatePacing()
        let now = Instant(nanoseconds: 1_000_000_000)
        #expect(pacing.pause(now: now) == nil)
        pacing.forwarded(at: now)
        expectEqual(pacing.pause(now: now), now + RuntimeLimits.eventsEvery)
        #expect(pacing.pause(now: now + RuntimeLimits.eventsEvery) == nil)
    }

    @Test func anAwaitedAnswerDoesNotWait() {
        var pacing = UpdatePacing()
        let now = Instant(nanoseconds: 1_000_000_000)
        pacing.forwarded(at: now)
        pacing.expectAnswer(now: now)
        #expect(pacing.pause(now: now) == nil)
        pacing.forwarded(at: now)
        expectEqual(pacing.pause(now: now), now + RuntimeLimits.answersEvery)
        pacing.note(.complete)
        pacing.forwarded(at: now)
        expectEqual(pacing.pause(now: now), now + RuntimeLimits.eventsEvery)
        // An answer that never comes costs no more than its time.
        pacing.expectAnswer(now: now)
        let late = now + RuntimeLimits.answerTime
        pacing.forwarded(at: late)
        expectEqual(pacing.pause(now: late), late + RuntimeLimits.eventsEvery)
    }
}
