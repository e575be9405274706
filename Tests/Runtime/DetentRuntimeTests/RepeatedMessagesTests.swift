import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// Messages that repeat do not fill the log, and the newest is always told.
@Suite struct RepeatedMessagesTests {
    private func at(_ seconds: UInt64) -> Instant { .zero + .seconds(seconds) }

    @Test func theFirstIsToldAndThenOneAMinute() {
        var messages = RepeatedMessages()
        var told: [String] = []
        for second in 0..<150 {
            let now = at(UInt64(second))
            told += [messages.take("away", at: now)].compactMap { $0 }
        }
        expectEqual(
            told,
            [
                "away", "away (60 times since it was told last)",
                "away (60 times since it was told last)",
            ])
    }

    /// Otherwise the log would show a connection that is gone.
    @Test func theNewestIsToldInTheEnd() {
        var messages = RepeatedMessages()
        expectEqual(messages.take("up", at: at(0)), "up")
        expectEqual(messages.take("away", at: at(1)), "away")
        expectEqual(messages.deadline, .never)
        #expect(messages.take("up", at: at(2)) == nil)
        #expect(messages.take("away", at: at(3)) == nil)
        expectEqual(messages.deadline, at(61))
        #expect(messages.due(at: at(60)) == nil)
        expectEqual(messages.due(at: at(61)), "away")
        #expect(messages.due(at: at(200)) == nil && messages.deadline == .never)
        expectEqual(messages.take("up", at: at(201)), "up (2 times since it was told last)")
    }

    @Test func ofManyKindsTheOldestIsForgotten() {
        var messages = RepeatedMessages()
        for kind in 0...RuntimeLimits.repeatedKinds {
            expectEqual(messages.take("\(kind)", at: at(0)), "\(kind)")
        }
        expectEqual(messages.take("0", at: at(1)), "0")
        #expect(messages.take("8", at: at(1)) == nil)
    }
}
