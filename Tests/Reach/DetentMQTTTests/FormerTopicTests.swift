import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentMQTT

/// What a broker still has of a panel that has another topic now.
@Suite struct FormerTopicTests {
    private static let state = Array(
        #"{"value": "on", "actual": "on", "phase": "idle", "reason": null, "flags": []}"#.utf8)

    private func session(discovery: String = "off") throws -> MQTTPanelSession {
        let plan = try HomeAssistantTests.plan(
            "lamp: {kind: switch, label: Lamp, input: A}",
            mqtt: "topic: t, discovery: \(discovery)")
        let broker = try #require(plan.broker)
        var session = MQTTPanelSession(
            plan, broker, facts: MQTTFacts(version: "1", formerTopics: ["t", "f", "g"]), seed: 1)
        session.connected()
        _ = messages(&session)
        return session
    }

    private func messages(_ session: inout MQTTPanelSession) -> [String] {
        var all: [String] = []
        while true {
            if let asked = session.takeSubscription() {
                all.append("? " + asked.filter)
            } else if let message = session.next() {
                all.append(message.topic + (message.isRetained ? " = " : " : ") + message.text)
            } else {
                return all
            }
        }
    }

    private func receive(
        _ session: inout MQTTPanelSession, _ topic: String, _ bytes: [UInt8],
        isRetained: Bool = true
    ) {
        _ = session.receive(topic, bytes, isRetained: isRetained, now: .zero)
    }

    @Test func whatNoPanelHasIsEmptied() throws {
        var session = try session()
        let filters = session.subscriptions.map(\.filter)
        for wanted in ["f/availability", "f/+/state", "g/availability", "g/+/state"] {
            expectEqual(filters.filter { $0 == wanted }.count, 1)
        }
        expectEqual(filters.filter { $0 == "t/availability" }.count, 1, "it is the present one")
        // In any order.
        receive(&session, "f/alarm/state", Self.state)
        expectEqual(messages(&session), [])
        receive(&session, "f/availability", Array("offline".utf8))
        receive(&session, "f/lamp/state", Self.state)
        receive(&session, "f/note/state", Array("buy milk".utf8))
        receive(&session, "f/lamp/set", Array("on".utf8))
        expectEqual(
            messages(&session),
            ["? f/announced", "f/alarm/state = ", "f/lamp/state = ", "f/announced : ?"])
        receive(&session, "f/announced", Array("?".utf8), isRetained: false)
        expectEqual(messages(&session), [], "it announced nothing")
    }

    @Test func whatAnotherPanelHasIsLeftAlone() throws {
        var session = try session()
        receive(&session, "f/lamp/state", Self.state)
        receive(&session, "f/availability", Array("online".utf8))
        receive(&session, "f/alarm/state", Self.state)
        receive(&session, "g/lamp/state", Self.state)
        expectEqual(messages(&session), [], "and of `g` nothing is known")
    }

    @Test func aPanelThatComesMeanwhileKeepsWhatItTells() throws {
        var session = try session()
        receive(&session, "f/availability", Array("offline".utf8))
        receive(&session, "f/alarm/state", Self.state)
        receive(&session, "f/availability", Array("online".utf8), isRetained: false)
        receive(&session, "f/lamp/state", Self.state)
        expectEqual(messages(&session).filter { $0.hasSuffix(" = ") }, [])
    }

    @Test(arguments: ["off", "homeassistant"])
    func whatHomeAssistantWasToldIsTakenBack(discovery: String) throws {
        var session = try session(discovery: discovery)
        receive(&session, "f/availability", Array("offline".utf8))
        _ = messages(&session)
        let record =
            #"{"topic": "homeassistant/device/f/config", "components": {"lamp": "switch"}}"#
        receive(&session, "f/announced", Array(record.utf8))
        receive(&session, "f/announced", Array("?".utf8), isRetained: false)
        expectEqual(
            messages(&session), ["? homeassistant/device/f/config", "f/announced : ?"])
        let told = #"{"o": {"name": "detent", "sw": "1"}, "avty_t": "f/availability"}"#
        receive(&session, "homeassistant/device/f/config", Array(told.utf8))
        receive(&session, "f/announced", Array("?".utf8), isRetained: false)
        expectEqual(
            messages(&session), ["homeassistant/device/f/config = ", "f/announced = "])
    }

    /// Others choose the topics, and a topic may never be free.
    @Test func whatWaitsIsBounded() throws {
        var session = try session()
        let long = String(repeating: "x", count: 60_000)
        for number in 0..<100 { receive(&session, "f/\(long)\(number)/state", Self.state) }
        receive(&session, "f/availability", Array("offline".utf8))
        let emptied = messages(&session).filter { $0.hasSuffix(" = ") }
        expectEqual(emptied.count, MQTTLimits.leftoverBytes / 60_000)
    }

    @Test func theNextConnectionAsksAgain() throws {
        var session = try session()
        receive(&session, "f/availability", Array("offline".utf8))
        receive(&session, "f/alarm/state", Self.state)
        session.disconnected()
        session.connected()
        expectEqual(messages(&session).filter { $0.hasPrefix("f/") }, [])
    }
}
