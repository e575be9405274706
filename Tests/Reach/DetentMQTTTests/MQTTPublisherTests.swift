import DetentWall
import TestSupport
import Testing

@testable import DetentMQTT

/// Messages of actions on their way: one order in, words for the panel out.
@Suite struct MQTTPublisherTests {
    private static func message(_ number: UInt32) -> MQTTPublication {
        MQTTPublication(number: number, topic: "t", payload: "p")
    }

    private static var connected: MQTTPublisher {
        var it = MQTTPublisher()
        it.connected()
        _ = it.takeWords()
        return it
    }

    @Test func withoutAConnectionAMessageFailsAndIsNotKept() {
        var it = MQTTPublisher()
        it.add(.publish(Self.message(1)))
        expectEqual(it.takeWords(), [.ended(1, .away)])
        it.connected()
        expectEqual(it.takeWords(), [.up])
        #expect(it.next() == nil)
    }

    @Test func theAcknowledgementEndsIt() {
        var it = Self.connected
        it.add(.publish(Self.message(1)))
        expectEqual(it.next(), Self.message(1))
        it.sent(Self.message(1), as: 40)
        it.taken(39, code: 0)
        expectEqual(it.takeWords(), [])
        it.taken(40, code: 16)
        expectEqual(it.takeWords(), [.ended(1, .taken)])
        it.taken(40, code: 0)
        expectEqual(it.takeWords(), [])
    }

    @Test func aRefusalEndsIt() {
        var it = Self.connected
        it.sent(Self.message(1), as: 40)
        it.taken(40, code: 135)
        it.sent(Self.message(2), as: nil)
        expectEqual(it.takeWords(), [.ended(1, .refused(135)), .ended(2, .away)])
    }

    @Test func theEndOfTheConnectionEndsAll() {
        var it = Self.connected
        for number in 1...3 as ClosedRange<UInt32> { it.add(.publish(Self.message(number))) }
        for number in [50, 51] as [Int32] { it.sent(it.next() ?? Self.message(9), as: number) }
        it.disconnected()
        expectEqual(
            it.takeWords(), [.ended(1, .broken), .ended(2, .broken), .ended(3, .away), .down])
        it.connected()
        it.taken(50, code: 0)
        expectEqual(it.takeWords(), [.up])
        #expect(it.next() == nil)
    }

    @Test func aCancelDropsWhatWaits() {
        var it = Self.connected
        it.add(.publish(Self.message(1)))
        it.add(.publish(Self.message(2)))
        it.add(.cancel(1))
        expectEqual(it.next(), Self.message(2))
        it.sent(Self.message(2), as: 40)
        it.add(.cancel(2))
        it.taken(40, code: 0)
        expectEqual(it.takeWords(), [], "the panel waits for neither")
    }

    @Test func theNumberOfMessagesIsBounded() {
        var it = Self.connected
        for number in 0...UInt32(MQTTLimits.publications) {
            it.add(.publish(Self.message(number)))
        }
        expectEqual(it.takeWords(), [.ended(UInt32(MQTTLimits.publications), .away)])
    }
}
