import DetentHistory
import DetentTypes
import TestSupport
import Testing

/// When events are written, in virtual time.
@Suite struct HistoryQueueTests {
    private static func row(_ number: Int) -> HistoryRow {
        HistoryRow(
            milliseconds: Int64(number), control: "c", event: "clicked", line: "\(number)")
    }

    private static func at(_ milliseconds: UInt64) -> Instant {
        .zero + .milliseconds(milliseconds)
    }

    @Test func anEventWaitsForOthers() {
        var queue = HistoryQueue()
        expectEqual(queue.deadline, .never)
        let first = queue.add(Self.row(1), isConfirmed: false, at: Self.at(1_000))
        #expect(first && queue.deadline == Self.at(6_000))
        let second = queue.add(Self.row(2), isConfirmed: false, at: Self.at(2_000))
        #expect(!second && queue.deadline == Self.at(6_000), "the oldest counts")
        for number in 3...63 {
            _ = queue.add(Self.row(number), isConfirmed: false, at: Self.at(2_000))
        }
        let last = queue.add(Self.row(64), isConfirmed: false, at: Self.at(2_000))
        #expect(last && queue.deadline == .zero)
    }

    @Test func aConfirmedValueIsWrittenAtOnceAndThenTenTimesASecond() {
        var queue = HistoryQueue()
        let isDue = queue.add(Self.row(1), isConfirmed: true, at: Self.at(1_000))
        #expect(isDue && queue.deadline == .zero && queue.hasConfirmed)
        queue.begin()
        // It comes during the write, and needs one of its own.
        _ = queue.add(Self.row(2), isConfirmed: true, at: Self.at(1_001))
        _ = queue.ended(1, isWritten: true, confirmed: true, at: Self.at(1_010))
        #expect(queue.rows == [Self.row(2)] && queue.hasConfirmed)
        expectEqual(queue.deadline, Self.at(1_110))
        queue.begin()
        _ = queue.ended(1, isWritten: true, confirmed: true, at: Self.at(1_120))
        expectEqual(queue.deadline, .never)
    }

    @Test func aFailedWriteIsRepeatedAfterAMinute() {
        var queue = HistoryQueue()
        _ = queue.add(Self.row(1), isConfirmed: true, at: .zero)
        queue.begin()
        _ = queue.ended(1, isWritten: false, confirmed: true, at: Self.at(10))
        #expect(queue.rows == [Self.row(1)] && queue.hasConfirmed)
        expectEqual(queue.deadline, Self.at(60_010))
    }

    @Test func theNewestAreDroppedAndCounted() {
        var queue = HistoryQueue()
        for number in 0..<HistoryLimits.waitingRows + 3 {
            _ = queue.add(Self.row(number), isConfirmed: false, at: .zero)
        }
        expectEqual(queue.rows.count, HistoryLimits.waitingRows)
        let count = queue.rows.count
        expectEqual(queue.ended(count, isWritten: false, confirmed: false, at: .zero), 0)
        expectEqual(queue.ended(count, isWritten: true, confirmed: false, at: .zero), 3)
        expectEqual(queue.ended(0, isWritten: true, confirmed: false, at: .zero), 0)
        expectEqual(queue.rows, [])
    }
}
