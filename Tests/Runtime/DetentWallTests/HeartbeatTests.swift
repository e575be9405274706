import DetentTypes
import TestSupport
import Testing

@testable import DetentWall

/// Whether a process is alive, in virtual time.
@Suite struct HeartbeatTests {
    private static let start = Instant(nanoseconds: 1_000_000_000_000)

    @Test func whoOwesNothingIsNotAsked() {
        var beat = Heartbeat()
        expectEqual(beat.deadline, .never)
        #expect(beat.next(at: Self.start + .seconds(3_600)) == nil)
        expectEqual(beat.isOverdue(at: Self.start + .seconds(3_600)), false)
    }

    /// From the first thing that it should have done, a process that hangs has 5 s.
    @Test func whoOwesSomethingIsAskedAtOnceAndHasATime() {
        var beat = Heartbeat()
        beat.owe(at: Self.start)
        expectEqual(beat.deadline, Self.start)
        expectEqual(beat.next(at: Self.start), 1)
        #expect(beat.next(at: Self.start) == nil, "once")
        let until = Self.start + WallLimits.heartbeatAnswer
        expectEqual(beat.deadline, until)
        expectEqual(beat.isOverdue(at: Instant(nanoseconds: until.nanoseconds - 1)), false)
        expectEqual(beat.isOverdue(at: until), true)
        #expect(WallLimits.heartbeat + WallLimits.heartbeatAnswer <= .seconds(5))
    }

    @Test func anAnswerEndsItUntilMoreIsOwed() {
        var beat = Heartbeat()
        beat.owe(at: Self.start)
        expectEqual(beat.next(at: Self.start), 1)
        beat.answered(2, isBusy: false)
        expectEqual(
            beat.isOverdue(at: Self.start + WallLimits.heartbeatAnswer), true, "another question")
        beat.answered(1, isBusy: false)
        expectEqual(beat.deadline, .never)
        beat.answered(1, isBusy: true)
        expectEqual(beat.deadline, .never, "an answer counts once")
        // Soon after, the next question waits, so that a flood costs one in a second.
        beat.owe(at: Self.start + .milliseconds(1))
        expectEqual(beat.deadline, Self.start + WallLimits.heartbeat)
        #expect(beat.next(at: Self.start + .milliseconds(2)) == nil)
        expectEqual(beat.next(at: Self.start + WallLimits.heartbeat), 2)
    }

    /// What is owed after a question was sent is not answered by its answer.
    @Test func whatComesAfterAQuestionNeedsAnother() {
        var beat = Heartbeat()
        beat.owe(at: Self.start)
        expectEqual(beat.next(at: Self.start), 1)
        beat.owe(at: Self.start + .milliseconds(500))
        beat.answered(1, isBusy: false)
        expectEqual(beat.next(at: Self.start + WallLimits.heartbeat), 2)
    }

    @Test func whoIsBusyIsAskedOnAndOn() {
        var beat = Heartbeat()
        beat.owe(at: Self.start)
        var now = Self.start
        for number in 1...5 as ClosedRange<UInt32> {
            expectEqual(beat.next(at: now), number)
            beat.answered(number, isBusy: number < 5)
            now = now + WallLimits.heartbeat
        }
        expectEqual(beat.deadline, .never)
    }

    @Test func aRhythmAsksEvenWhenNothingIsOwed() {
        var beat = Heartbeat(LifeTimes(rhythm: .seconds(5)))
        beat.owe(at: Self.start)
        expectEqual(beat.next(at: Self.start), 1)
        beat.answered(1, isBusy: false)
        expectEqual(beat.deadline, Self.start + .seconds(5))
        // What is owed in between is asked for before that, and at most once in a second.
        beat.owe(at: Self.start + .milliseconds(10))
        expectEqual(beat.deadline, Self.start + WallLimits.heartbeat)
        beat.owe(at: Self.start + .milliseconds(20))
        expectEqual(beat.deadline, Self.start + WallLimits.heartbeat)
        expectEqual(beat.next(at: Self.start + .seconds(1)), 2)
        beat.answered(2, isBusy: false)
        expectEqual(beat.deadline, Self.start + .seconds(6))
    }

    /// A panel that was stopped itself does not blame its processes, and asks again: the answer may
    /// have found no room.
    @Test func whoLooksMuchTooLateAsksAgain() {
        var beat = Heartbeat()
        beat.owe(at: Self.start)
        expectEqual(beat.next(at: Self.start), 1)
        let late = Self.start + WallLimits.heartbeatAnswer + WallLimits.heartbeatLateness
        var other = beat
        expectEqual(other.isOverdue(at: late), true)
        expectEqual(beat.isOverdue(at: late + .milliseconds(1)), false)
        expectEqual(beat.next(at: late + .milliseconds(1)), 2)
        beat.answered(1, isBusy: false)
        expectEqual(beat.isOverdue(at: late + .milliseconds(1) + WallLimits.heartbeatAnswer), true)
    }
}
