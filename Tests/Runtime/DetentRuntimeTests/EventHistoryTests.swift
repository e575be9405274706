import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// The last events of a panel by their numbers: what a client that was away is told.
@Suite struct EventHistoryTests {
    private func entry(_ number: UInt64) -> EventHistory.Entry {
        EventHistory.Entry(
            number: number, report: Report(control: ControlID(0), kind: .pressed),
            at: Instant(nanoseconds: number))
    }

    private func history(_ numbers: some Sequence<UInt64>) -> EventHistory {
        var history = EventHistory()
        for number in numbers { history.append(entry(number)) }
        return history
    }

    private func numbers(after number: UInt64, in history: EventHistory) -> [UInt64]? {
        history.entries(after: number)?.map(\.number)
    }

    @Test func withoutEventsThereIsNothingToTell() {
        let history = EventHistory()
        expectEqual(history.last, 0)
        expectEqual(history.all, [])
        expectEqual(numbers(after: 0, in: history), [])
        expectEqual(numbers(after: 1, in: history), nil, "no such event has happened")
    }

    @Test func eventsAfterANumberAreToldInOrder() {
        let history = history(1...5)
        expectEqual(history.last, 5)
        expectEqual(numbers(after: 0, in: history), [1, 2, 3, 4, 5])
        expectEqual(numbers(after: 3, in: history), [4, 5])
        expectEqual(numbers(after: 5, in: history), [])
        expectEqual(numbers(after: 6, in: history), nil)
        expectEqual(history.entries(after: 4), [entry(5)])
    }

    /// Some are missing: who knows nothing after the gap has to begin anew.
    @Test func aGapIsNotToldAsWhole() {
        let history = history([1, 2, 5, 6])
        expectEqual(history.last, 6)
        expectEqual(history.all.map(\.number), [1, 2, 5, 6])
        for number: UInt64 in 0...3 { expectEqual(numbers(after: number, in: history), nil) }
        expectEqual(numbers(after: 4, in: history), [5, 6])
        expectEqual(numbers(after: 5, in: history), [6])
        expectEqual(numbers(after: 6, in: history), [])
    }

    /// The first one of all may be missing too.
    @Test func aHistoryMayBeginLate() {
        let history = history(7...8)
        expectEqual(numbers(after: 6, in: history), [7, 8])
        expectEqual(numbers(after: 5, in: history), nil)
    }

    @Test func theOldestGoFirst() {
        let most = UInt64(RuntimeLimits.history)
        var history = history(1...most)
        expectEqual(numbers(after: 0, in: history)?.count, RuntimeLimits.history)
        for more: UInt64 in 1...3 {
            history.append(entry(most + more))
            expectEqual(numbers(after: more - 1, in: history), nil, "\(more) is gone")
            expectEqual(numbers(after: more, in: history), Array(more + 1...most + more))
            expectEqual(history.all.map(\.number), Array(more + 1...most + more))
        }
        expectEqual(numbers(after: most, in: history), [most + 1, most + 2, most + 3])
        for number in most + 4...3 * most + 1 { history.append(entry(number)) }
        expectEqual(numbers(after: 2 * most + 1, in: history), Array(2 * most + 2...3 * most + 1))
        expectEqual(numbers(after: 2 * most, in: history), nil)
    }

    @Test func aSessionHasANameOfItsOwn() {
        let names = (0..<50).map { _ in EventHistory.newSession() }
        #expect(names.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) }, "\(names)")
        expectEqual(Set(names).count, names.count)
    }
}
