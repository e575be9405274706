import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// Which words of a device pass and when, and what the log says of them.
@Suite struct FeedbackWordTests {
    private let gap = RuntimeLimits.feedbackGap

    private func at(_ gaps: UInt64, _ more: UInt64 = 0) -> Instant {
        .zero + TimeSpan(nanoseconds: gaps * gap.nanoseconds + more)
    }

    private func word(_ raw: Int32) -> FeedbackGate.Word { .value(Value(raw), asked: .never) }

    // MARK: The gate

    @Test func theFirstWordPassesAndTheNextWaits() {
        var gate = FeedbackGate()
        expectEqual(gate.deadline, .never)
        #expect(gate.last == nil)
        expectEqual(gate.offer(word(1), at: at(0)), word(1))
        expectEqual(gate.deadline, .never)
        #expect(gate.last?.word == word(1) && gate.last?.at == at(0))
        expectEqual(gate.offer(word(2), at: at(0, 5)), nil)
        expectEqual(gate.deadline, at(1))
        #expect(gate.last?.word == word(2) && gate.last?.at == at(0, 5))
        #expect(gate.passed?.word == word(1))
        expectEqual(gate.due(at: at(0, gap.nanoseconds - 1)), nil)
        expectEqual(gate.due(at: at(1)), word(2))
        #expect(gate.passed?.word == word(2) && gate.passed?.at == at(0, 5))
        expectEqual(gate.due(at: at(9)), nil)
        expectEqual(gate.dropped, 0)
        expectEqual(gate.offer(word(3), at: at(2)), word(3), "the gap has passed")
    }

    @Test func ofAFloodTheNewestCounts() {
        var gate = FeedbackGate()
        _ = gate.offer(word(1), at: at(0))
        for raw: Int32 in 2...9 { expectEqual(gate.offer(word(raw), at: at(0, 1)), nil) }
        expectEqual(gate.dropped, 7)
        expectEqual(gate.due(at: at(1)), word(9))
        expectEqual(gate.due(at: at(5)), nil)
    }

    /// What is no value follows the value before it, and a value replaces both.
    @Test func aLossFollowsTheValueBeforeIt() {
        var gate = FeedbackGate()
        _ = gate.offer(word(1), at: at(0))
        _ = gate.offer(word(2), at: at(0, 1))
        _ = gate.offer(.lost, at: at(0, 2))
        expectEqual(gate.dropped, 0)
        _ = gate.offer(.lost, at: at(0, 3))
        expectEqual(gate.dropped, 1)
        var replaced = gate
        expectEqual(gate.due(at: at(1)), word(2))
        expectEqual(gate.deadline, at(2))
        expectEqual(gate.due(at: at(1, 1)), nil)
        expectEqual(gate.due(at: at(2)), .lost)
        #expect(gate.passed?.at == at(0, 3))
        _ = replaced.offer(word(3), at: at(0, 4))
        expectEqual(replaced.dropped, 3)
        expectEqual(replaced.due(at: at(1)), word(3))
        expectEqual(replaced.due(at: at(2)), nil)
    }

    /// The panel had no room for it: it waits again, unless a newer word says more.
    @Test func aWordThatFoundNoRoomWaitsAgain() {
        var gate = FeedbackGate()
        gate.takeBack(word(1))
        #expect(gate.last == nil, "nothing has passed")
        _ = gate.offer(word(1), at: at(0, 7))
        gate.takeBack(word(1))
        expectEqual(gate.deadline, at(1, 7))
        #expect(gate.last?.at == at(0, 7))
        expectEqual(gate.due(at: at(1, 7)), word(1))
        // A value is not taken back where another one waits.
        _ = gate.offer(word(2), at: at(1, 8))
        gate.takeBack(word(1))
        expectEqual(gate.due(at: at(3)), word(2))
        expectEqual(gate.due(at: at(9)), nil)
        // Before a loss it is told all the same.
        _ = gate.offer(.lost, at: at(3, 1))
        gate.takeBack(word(2))
        expectEqual(gate.due(at: at(5)), word(2))
        expectEqual(gate.due(at: at(7)), .lost)
        // A loss is not told after what has come since.
        _ = gate.offer(word(4), at: at(7, 1))
        gate.takeBack(.lost)
        expectEqual(gate.due(at: at(9)), word(4))
        expectEqual(gate.due(at: at(11)), nil)
        gate.takeBack(word(4))
        expectEqual(gate.due(at: at(13)), word(4))
    }

    // MARK: The log

    @Test func aFaultIsNewsOnceUntilItIsOver() {
        var news = FeedbackNews()
        expectEqual(news.isOver(), false, "nothing was told")
        expectEqual(news.isNew("a", about: .report, at: at(0)), true)
        expectEqual(
            news.isNew("a", about: .report, at: at(0) + .seconds(100)), false, "it still is so")
        expectEqual(news.isOver(), true)
        expectEqual(news.isOver(), false, "told once")
    }

    /// A device that says another odd thing each time fills no log.
    @Test func oneSubjectIsToldAgainAfterAWhile() {
        var news = FeedbackNews()
        let later = at(0) + RuntimeLimits.feedbackLogGap
        let nearly = Instant(nanoseconds: later.nanoseconds - 1)
        expectEqual(news.isNew("a", about: .report, at: at(0)), true)
        expectEqual(news.isNew("b", about: .report, at: nearly), false)
        expectEqual(news.isNew("b", about: .report, at: later), true)
        expectEqual(news.isOver(), true)
        expectEqual(
            news.isNew("b", about: .report, at: later + .seconds(1)), false, "it comes and goes")
        expectEqual(news.isOver(), false, "of that nothing was told")
    }

    @Test func onlySoManySubjectsAreTold() {
        var news = FeedbackNews()
        let most = RuntimeLimits.feedbackLogFaults
        for number in 0..<most {
            expectEqual(news.isNew("\(number)", about: .source("\(number)"), at: at(0)), true)
        }
        expectEqual(news.isNew("more", about: .source("more"), at: at(0)), false)
        expectEqual(news.isNew("more", about: .report, at: at(0)), false)
        expectEqual(
            news.isNew("more", about: .report, at: at(0) + RuntimeLimits.feedbackLogGap), true)
    }

    @Test func aFloodIsToldOnce() {
        var news = FeedbackNews()
        expectEqual(news.isFlood(), true)
        for _ in 0..<2 { expectEqual(news.isFlood(), false) }
    }
}
