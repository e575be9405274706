import DetentTypes
import TestSupport
import Testing

@testable import DetentPlatform

/// A deadline is met on time, however far off it was when the wait began.
@Suite struct WakeTimeTests {
    /// What the kernel may add to a wait: a two-hundredth at worst, never more than 100 ms, and
    /// never less than the process's own slack.
    private static func worstSlack(_ wait: TimeSpan) -> TimeSpan {
        max(
            .microseconds(50),
            min(.milliseconds(100), TimeSpan(nanoseconds: wait.nanoseconds / 200)))
    }

    /// Sleeps in virtual time; each wait ends as late as the kernel may end it.
    private static func rest(_ wait: TimeSpan, from start: Instant) -> (late: TimeSpan, wakes: Int)
    {
        let deadline = start + wait
        var now = start
        var wakes = 0
        while now < deadline, wakes < 10 {
            let end = WakeTime.of(deadline, now: now)
            now = end + worstSlack(end - now)
            wakes += 1
        }
        return (now - deadline, wakes)
    }

    @Test(
        arguments: [
            .microseconds(1), .milliseconds(1), .milliseconds(5), .milliseconds(150), .seconds(1),
            .seconds(20), .seconds(60), .seconds(3_600), .seconds(86_400 * 30),
        ] as [TimeSpan])
    func aLongWaitEndsOnTime(wait: TimeSpan) {
        let (late, wakes) = Self.rest(wait, from: Instant(nanoseconds: 81_000_000_000))
        #expect(late <= .microseconds(50), "\(wait) ended \(late) late")
        #expect(wakes <= 3, "\(wait) took \(wakes) wake-ups")
    }

    /// In one part a minute ends up to 100 ms late: the law above can fail.
    @Test func aWaitInOnePartWouldBeLate() {
        expectEqual(Self.worstSlack(.seconds(60)), .milliseconds(100))
        expectEqual(Self.worstSlack(.seconds(1)), .milliseconds(5))
    }

    @Test func withoutADeadlineNothingWakes() {
        expectEqual(WakeTime.of(.never, now: .zero), .never)
    }

    @Test func whatIsDueIsNotWaitedFor() {
        let now = Instant(nanoseconds: 5_000)
        expectEqual(WakeTime.of(.zero, now: now), .zero)
        expectEqual(WakeTime.of(now, now: now), now)
    }
}
