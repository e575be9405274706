import DetentCore
import DetentPanel
import DetentTypes
import Synchronization
import TestSupport
import Testing

@testable import DetentMQTT

/// A panel against Debian's broker on the loopback.
@Suite(.serialized, .enabled(if: Mosquitto.isInstalled, "mosquitto is not installed"))
struct MQTTClientTests {
    /// A panel that is connected until the end of the test.
    private final class Connected {
        let panel: FakePanel
        private let client: MQTTThread
        private let said = Said()

        /// What was said to people.
        var log: String { said.text.withLock { $0 } }

        private final class Said: Sendable {
            let text = Mutex("")
        }

        init(_ port: UInt16, _ keys: String = "", controls: String? = nil) throws {
            let controls =
                controls ?? "lamp: {kind: switch, label: Lamp, input: A}, "
                + "start: {kind: button, label: Start, input: B}, "
                + "erase: {kind: button, label: Erase, input: C, role: destructive, "
                + "confirm: {hold: 2s}}"
            let keys = keys.isEmpty ? "" : ", " + keys
            let text =
                "{panel: Lab, board: none, mqtt: {url: \"mqtt://127.0.0.1:\(port)\"\(keys)}, "
                + "controls: {\(controls)}}"
            let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
            let plan = try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
            panel = try FakePanel(plan)
            let said = said
            client = try MQTTThread(panel) { text in said.text.withLock { $0 += text } }
        }

        deinit { client.stop() }
    }

    private static let lamp = ControlID(0)
    private static let start = ControlID(1)
    private static let online = "detent/lab/availability"

    @Test func statesComeFirstThenOnlineAndAtTheEndOffline() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        var it: Connected? = try Connected(broker.port)
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        let topics = observer.seen.map(\.topic).filter { $0.hasPrefix("detent/") }
        expectEqual(
            topics.prefix(4),
            [
                "detent/lab/lamp/state", "detent/lab/start/state", "detent/lab/erase/state",
                Self.online,
            ])
        expectEqual(
            observer.last("detent/lab/lamp/state"),
            "{\"value\": \"off\", \"actual\": \"off\", \"phase\": \"idle\", "
                + "\"reason\": null, \"flags\": []}")
        it = nil
        #expect(try observer.wait { $0.last(Self.online) == "offline" })
        _ = it
        // Who comes later finds the last states and that the panel is gone.
        let later = try Observer(broker.port, named: "later")
        #expect(try later.wait { $0.last(Self.online) == "offline" })
        #expect(later.last("detent/lab/lamp/state") != nil)
    }

    @Test func changesAndEventsAreTold() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let it = try Connected(broker.port)
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        it.panel.set(Self.lamp, .on)
        #expect(
            try observer.wait {
                $0.last("detent/lab/lamp/state")?.hasPrefix("{\"value\": \"on\"") == true
            })
        it.panel.report(Self.start, .pressed)
        it.panel.report(Self.start, .held)
        it.panel.report(Self.start, .released)
        #expect(try observer.wait { $0.all("detent/lab/start/event").count == 3 })
        expectEqual(
            observer.all("detent/lab/start/event"),
            [
                "{\"event_type\": \"press_start\", \"event\": \"pressed\", \"origin\": \"panel\"}",
                "{\"event_type\": \"long_press_start\", \"event\": \"held\", "
                    + "\"origin\": \"panel\"}",
                "{\"event_type\": \"long_press_end\", \"event\": \"released\", "
                    + "\"origin\": \"panel\"}",
            ])
        // A press is never stored: who comes later must not see it.
        let later = try Observer(broker.port, named: "later")
        #expect(try later.wait { $0.last(Self.online) == "online" })
        #expect(later.all("detent/lab/start/event").isEmpty)
    }

    @Test func commandsReachThePanelAndAreAnswered() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let it = try Connected(broker.port)
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        observer.publish("detent/lab/lamp/set", "on")
        #expect(
            try observer.wait {
                $0.last("detent/lab/lamp/state")?.hasPrefix("{\"value\": \"on\"") == true
                    && $0.last("detent/lab/lamp/answer") == "{\"accepted\": true}"
            })
        guard case .intent(Self.lamp, .on, .mqtt, _)? = it.panel.asked.first else {
            Issue.record("\(it.panel.asked)")
            return
        }
        observer.publish("detent/lab/lamp/set", "purple")
        #expect(
            try observer.wait {
                $0.last("detent/lab/lamp/answer")?.contains("\"reason\": \"invalid\"") == true
            })
        expectEqual(it.panel.asked.count, 1)
    }

    @Test func storedCommandsAreNotPerformed() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        observer.publish("detent/lab/lamp/set", "on", isRetained: true)
        #expect(try observer.wait { $0.last("detent/lab/lamp/set") == "on" })
        let it = try Connected(broker.port)
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        // What comes after it is performed, so the stored one would have been before.
        observer.publish("detent/lab/start/set", "press")
        #expect(try observer.wait { $0.last("detent/lab/start/answer") != nil })
        expectEqual(it.panel.asked.count, 1)
        #expect(!it.panel.asked.contains { if case .intent = $0 { true } else { false } })
    }

    @Test func destructiveControlsNeedTheirToken() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let it = try Connected(broker.port)
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        observer.publish("detent/lab/erase/set", "press")
        #expect(try observer.wait { $0.last("detent/lab/erase/answer") != nil })
        let answer = try JSONReader.read(
            Array(try #require(observer.last("detent/lab/erase/answer")).utf8))
        expectEqual(answer["reason"]?.text, "needs-confirmation")
        #expect(it.panel.asked.isEmpty)
        let token = try #require(answer["confirm"]?.text)
        observer.publish("detent/lab/erase/confirm", "00000000000000000000000000000000")
        #expect(try observer.wait { $0.all("detent/lab/erase/answer").count == 2 })
        #expect(it.panel.asked.isEmpty)
        // A wrong token also ends the question, so it cannot be tried again and again.
        observer.publish("detent/lab/erase/confirm", token)
        #expect(try observer.wait { $0.all("detent/lab/erase/answer").count == 3 })
        #expect(it.panel.asked.isEmpty)
        observer.forget()
        observer.publish("detent/lab/erase/set", "press")
        #expect(try observer.wait { $0.last("detent/lab/erase/answer") != nil })
        let second = try JSONReader.read(
            Array(try #require(observer.last("detent/lab/erase/answer")).utf8))
        observer.publish("detent/lab/erase/confirm", try #require(second["confirm"]?.text))
        #expect(try observer.wait { $0.last("detent/lab/erase/answer") == "{\"accepted\": true}" })
        expectEqual(it.panel.asked.count, 1)
    }

    @Test func whoMayOnlyViewIsNotHeard() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let it = try Connected(broker.port, "role: view")
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        observer.publish("detent/lab/lamp/set", "on")
        #expect(try observer.wait { $0.last("detent/lab/lamp/set") == "on" })
        it.panel.set(Self.start, .fault)
        #expect(try observer.wait { $0.last("detent/lab/start/state")?.contains("fault") == true })
        #expect(it.panel.asked.isEmpty)
        #expect(observer.last("detent/lab/lamp/answer") == nil)
    }

    /// A broker that starts later, dies and comes back.
    @Test func thePanelComesBackWithItsStates() throws {
        let broker = try Mosquitto()
        broker.kill()
        let it = try Connected(broker.port)
        it.panel.set(Self.lamp, .on)
        try broker.start()
        do {
            let observer = try Observer(broker.port)
            #expect(try observer.wait { $0.last(Self.online) == "online" })
            expectEqual(
                observer.last("detent/lab/lamp/state")?.hasPrefix("{\"value\": \"on\""), true)
        }
        broker.kill()
        it.panel.set(Self.lamp, .off)
        // An event of the time without a broker is not told later.
        it.panel.report(Self.start, .pressed)
        try broker.start()
        let observer = try Observer(broker.port)
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        expectEqual(observer.last("detent/lab/lamp/state")?.hasPrefix("{\"value\": \"off\""), true)
        #expect(observer.all("detent/lab/start/event").isEmpty)
    }

    /// The broker publishes the last will of a connection that is taken over, and says why.
    @Test func aStolenNameIsSaid() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let it = try Connected(broker.port)
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        let thief = try Observer(broker.port, named: "detent-lab", filter: nil)
        #expect(try observer.wait { $0.all(Self.online).contains("offline") })
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        #expect(it.log.contains("named `detent-lab`"), "\(it.log)")
        _ = thief
    }

    @Test func aRefusalIsSaid() throws {
        let broker = try Mosquitto("allow_anonymous false")
        let it = try Connected(broker.port)
        let probe = try Mosquitto()
        let observer = try Observer(probe.port)
        #expect(try observer.wait { _ in it.log.contains("refuses the connection") }, "\(it.log)")
        #expect(!it.log.contains("connected to"))
    }

    @Test func foreignBytesDoNoHarm() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let it = try Connected(broker.port)
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        observer.publish("detent/lab/lamp/set", bytes: [0xFF, 0xFE, 0x80])
        observer.publish("detent/lab/lamp/set", bytes: [])
        observer.publish("detent/lab/lamp/set", bytes: Array("o\0n".utf8))
        observer.publish("detent/lab/lamp/set", bytes: [UInt8](repeating: 0x61, count: 60_000))
        // With version 5, the broker does not pass on what is larger than the panel wants.
        observer.publish("detent/lab/lamp/set", bytes: [UInt8](repeating: 0x61, count: 2_000_000))
        observer.publish("detent/lab/lamp/set", bytes: Array("{\"value\": [[[[1]]]]}".utf8))
        observer.publish("detent/lab/nothing/set", bytes: Array("on".utf8))
        observer.publish("detent/lab/lamp/set/more", bytes: Array("on".utf8))
        observer.publish("detent/lab/announced", bytes: [UInt8](repeating: 0x7B, count: 60_000))
        observer.publish("detent/lab/lamp/set", bytes: Array("on".utf8))
        #expect(try observer.wait { $0.last("detent/lab/lamp/answer") == "{\"accepted\": true}" })
        expectEqual(it.panel.asked.count, 1)
        #expect(observer.all("detent/lab/nothing/answer").isEmpty)
    }

    /// Commands that come faster than the panel answers are refused, and the panel goes on.
    @Test func aFloodIsSurvived() throws {
        let broker = try Mosquitto(
            "allow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 0")
        // It must not have to read the flood itself.
        let observer = try Observer(broker.port, filter: "detent/lab/start/+")
        let it = try Connected(broker.port)
        #expect(try observer.wait { $0.last("detent/lab/start/state") != nil })
        let flood = try Observer(broker.port, named: "flood", filter: nil)
        for count in 0..<TestLength.size(short: 10_000, long: 100_000) {
            flood.publish(
                "detent/lab/lamp/set", bytes: Array((count % 2 == 0 ? "on" : "off").utf8),
                isFleeting: true)
        }
        // The last of them comes back by the broker's own order.
        flood.publish("detent/lab/start/set", bytes: Array("press".utf8))
        #expect(try flood.wait { $0.isFlushed })
        var before = -1
        var isFired = false
        while !isFired && it.panel.asked.count > before {
            before = it.panel.asked.count
            isFired = try observer.wait { _ in
                it.panel.asked.contains { if case .fire = $0 { true } else { false } }
            }
        }
        #expect(isFired, "\(before) commands were asked for, and no more came")
        it.panel.set(Self.start, .fault)
        #expect(try observer.wait { $0.last("detent/lab/start/state")?.contains("fault") == true })
    }

    // MARK: Home Assistant

    private static let device = "homeassistant/device/detent_lab/config"

    @Test func thePanelIsAnnouncedAndTakenBack() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        var it: Connected? = try Connected(broker.port, "discovery: homeassistant")
        #expect(try observer.wait { $0.last("detent/lab/announced")?.contains("lamp") == true })
        expectEqual(observer.last(Self.device)?.contains("\"lamp\": {\"p\": \"switch\""), true)
        it = nil
        // A control has gone: it is named once more with its component alone.
        observer.forget()
        it = try Connected(
            broker.port, "discovery: homeassistant",
            controls: "lamp: {kind: switch, label: Lamp, input: A}")
        #expect(
            try observer.wait {
                $0.last("detent/lab/announced").map {
                    $0.hasPrefix("{") && !$0.contains("\"start\"")
                } == true
            })
        let messages = observer.all(Self.device)
        #expect(messages.contains { $0.contains("\"start\": {\"p\": \"event\"}") })
        expectEqual(messages.last?.contains("\"start\""), false)
        it = nil
        // Discovery is off: nothing of it stays.
        observer.forget()
        it = try Connected(broker.port)
        #expect(try observer.wait { $0.last(Self.device) == "" })
        #expect(try observer.wait { $0.last("detent/lab/announced") == "" })
        _ = it
    }

    @Test func afterABirthEverythingIsToldAgain() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let it = try Connected(broker.port, "discovery: homeassistant")
        #expect(try observer.wait { $0.last("detent/lab/announced")?.contains("lamp") == true })
        observer.forget()
        observer.publish("homeassistant/status", "online")
        #expect(
            try observer.wait {
                $0.last(Self.device) != nil && $0.last("detent/lab/lamp/state") != nil
                    && $0.last(Self.online) == "online"
            })
        _ = it
    }
}
