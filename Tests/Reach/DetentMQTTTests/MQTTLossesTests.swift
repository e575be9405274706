import DetentTypes
import TestSupport
import Testing

@testable import DetentMQTT

/// What the broker does not take is counted and said.
@Suite struct MQTTLossesTests {
    private static let state = MQTTMessage(topic: "t/lamp/state", text: "12345")

    @Test func aMessageThatIsTooLargeIsSaidOnce() {
        var losses = MQTTLosses()
        let text = losses.unsent(Self.state, because: .tooLarge)
        expectEqual(
            text,
            "does not take messages of 5 bytes, and `t/lamp/state` has one: raise its "
                + "limit (`max_packet_size`)")
        #expect(losses.unsent(Self.state, because: .tooLarge) == nil)
        expectEqual(losses.count, 2)
        let other = MQTTMessage(topic: "t/fan/state", text: "")
        #expect(losses.unsent(other, because: .other("Out of memory")) != nil)
        #expect(losses.unsent(other, because: .lost) == nil, "the end of the connection is said")
        expectEqual(losses.count, 4)
    }

    /// A broker of version 5 says that it does not allow a topic, and takes the message in silence
    /// otherwise.
    @Test func aMessageThatIsRefusedIsSaidOnce() {
        var losses = MQTTLosses()
        losses.sent(Self.state, as: 1)
        losses.sent(Self.state, as: 2)
        losses.sent(MQTTMessage(topic: "t/lamp/answer", text: "", isFleeting: true), as: 3)
        #expect(losses.taken(1, code: 0) == nil && losses.count == 0)
        #expect(losses.taken(3, code: 0) == nil)
        #expect(losses.taken(9, code: 135) == nil && losses.count == 0, "a message of an action")
        expectEqual(
            losses.taken(2, code: 135),
            "does not allow the panel to write `t/lamp/state`: allow it there")
        expectEqual(losses.count, 1)
        losses.sent(Self.state, as: 4)
        losses.disconnected()
        #expect(losses.taken(4, code: 135) == nil && losses.count == 1)
    }
}
