import TestSupport
import Testing

@testable import DetentMQTT

/// Messages that wait are bounded in number and in bytes.
@Suite struct WaitingMessagesTests {
    private static func message(_ text: String) -> MQTTMessage {
        MQTTMessage(topic: "t", text: text)
    }

    private static func texts(_ waiting: WaitingMessages) -> [String] {
        var (waiting, all) = (waiting, [String]())
        while let message = waiting.removeFirst() { all.append(message.text) }
        return all
    }

    @Test func whatFindsNoRoomIsRefused() {
        var waiting = WaitingMessages(count: 3, bytes: 20)
        expectEqual(waiting.append(Self.message("123456789")), true)
        expectEqual(waiting.append(Self.message("1234567890")), false, "one byte too many")
        expectEqual(waiting.append(Self.message("a")), true)
        expectEqual(waiting.append(Self.message("b")), true)
        expectEqual(waiting.append(Self.message("")), false, "the fourth")
        expectEqual(waiting.byteCount, 14)
        expectEqual(Self.texts(waiting), ["123456789", "a", "b"])
        waiting.removeAll()
        expectEqual(waiting.byteCount, 0)
        expectEqual(waiting.append(Self.message("1234567890123456789")), true)
    }

    @Test func theOldestGiveWay() {
        var waiting = WaitingMessages(count: 3, bytes: 20)
        for text in ["1", "2", "3"] { _ = waiting.append(Self.message(text)) }
        expectEqual(waiting.appendAtAnyCost(Self.message("4")), 1)
        expectEqual(waiting.appendAtAnyCost(Self.message("1234567890123456")), 2)
        expectEqual(Self.texts(waiting), ["4", "1234567890123456"])
        expectEqual(waiting.appendAtAnyCost(Self.message("1234567890123456789x")), 3)
        #expect(waiting.count == 0 && waiting.byteCount == 0, "it is larger than all room")
    }
}
