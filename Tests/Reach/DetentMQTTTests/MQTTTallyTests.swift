import DetentTypes
import DetentWall
import TestSupport
import Testing

@testable import DetentMQTT

/// When a panel is told the figures of its connection.
@Suite struct MQTTTallyTests {
    private let start = Instant(nanoseconds: 5_000_000_000)

    @Test func nothingIsToldBeforeSomethingHappens() {
        var tally = MQTTTally()
        #expect(tally.deadline == .never && tally.next(at: start) == nil)
    }

    @Test func aConnectionIsToldAtOnce() {
        var tally = MQTTTally()
        (tally.figures.isConnected, tally.figures.connects) = (true, 1)
        expectEqual(tally.next(at: start)?.connects, 1)
        #expect(tally.next(at: start) == nil, "once")
        tally.figures.isConnected = false
        expectEqual(tally.next(at: start)?.isConnected, false)
        // It broke and came back between two looks.
        tally.figures.connects = 2
        expectEqual(tally.next(at: start)?.connects, 2)
    }

    @Test func messagesAreToldAtMostOnceInASecond() {
        var tally = MQTTTally()
        tally.figures.sent = 1
        expectEqual(tally.next(at: start)?.sent, 1)
        tally.figures.sent = 2
        tally.figures.droppedEvents = 1
        expectEqual(tally.deadline, start + MQTTLimits.tellingFigures)
        #expect(tally.next(at: start + .milliseconds(999)) == nil)
        tally.figures.sent = 3
        let told = tally.next(at: start + .seconds(1))
        #expect(told?.sent == 3 && told?.droppedEvents == 1)
        expectEqual(tally.deadline, .never)
    }
}
