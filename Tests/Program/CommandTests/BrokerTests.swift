import Glibc
import Processes
import TestSupport
import Testing

/// The process between a broker and a panel: what it may, and what happens when it dies.
@Suite(
    .serialized,
    .enabled(if: Mosquitto.isInstalled, "mosquitto is not installed"))
struct BrokerTests {
    private static let online = "'detent/kettle/availability', ... (6 bytes)"
    private static let offline = "'detent/kettle/availability', ... (7 bytes)"

    private static func panel(_ port: Int) -> String {
        "mqtt: {url: \"mqtt://localhost:\(port)\"}\n" + Program.heater("Kettle", "startup: off")
    }

    private static func broker(of panel: pid_t) -> pid_t? {
        ProcessTree.children(of: panel).first {
            ProcessTree.text("/proc/\($0)/status").hasPrefix("Name:\tdetent-broker\n")
        }
    }

    /// Whether the figures have a line soon.
    private static func shows(_ line: String, _ daemon: ServedDaemon) -> Bool {
        for _ in 0..<600 {
            if daemon.request("GET /metrics").contains("\n\(line)\n") { return true }
            daemon.pause(50)
        }
        return false
    }

    @Test func itLivesBesideThePanelAndComesBack() throws {
        let mosquitto = Mosquitto()
        try #require(mosquitto.session.waitForErrors(" running"))
        let daemon = try ServedDaemon(Self.panel(mosquitto.port))
        #expect(mosquitto.session.waitForErrors(Self.online))
        let panel = try daemon.panel()
        let broker = try #require(Self.broker(of: panel))
        let status = ProcessTree.text("/proc/\(broker)/status")
        #expect(status.contains("NoNewPrivs:\t1\n"))
        #expect(status.contains("Seccomp:\t2\n") || !status.contains("Seccomp:"))
        // The page works beside it, and a change there reaches the broker.
        let body = "{\"value\": \"on\"}"
        #expect(daemon.request("PUT /api/v1/controls/heater", body: body).contains(" 202 "))
        #expect(mosquitto.session.waitForErrors("'detent/kettle/heater/state'", times: 2))
        #expect(Self.shows("detent_mqtt_connected 1", daemon))
        mosquitto.session.send(SIGSTOP)
        kill(broker, SIGKILL)
        #expect(daemon.session.waitForErrors("ended the connection to the broker; it starts again"))
        #expect(Self.shows("detent_mqtt_connected 0", daemon), "the broker does not answer")
        mosquitto.session.send(SIGCONT)
        #expect(mosquitto.session.waitForErrors(Self.online, times: 2))
        expectEqual(try daemon.panel(), panel)
        #expect(!mosquitto.session.errorText.contains(Self.offline))
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
        #expect(mosquitto.session.waitForErrors(Self.offline), "the end is an orderly one")
    }

    /// A process that is stopped does not count as connected, and what it heard is stale.
    @Test func aConnectionThatHangsIsReplaced() throws {
        let mosquitto = Mosquitto()
        try #require(mosquitto.session.waitForErrors(" running"))
        let feedback =
            "\n    feedback: {mqtt: stat/kettle}\n    action: {run: [true], timeout: 1s}\n"
        let daemon = try ServedDaemon(Self.panel(mosquitto.port) + feedback)
        #expect(Self.shows("detent_mqtt_connected 1", daemon))
        let panel = try daemon.panel()
        let broker = try #require(Self.broker(of: panel))
        ProcessTree.stop(broker)
        #expect(daemon.session.waitForErrors("the connection to the broker was ended: it hung for"))
        for _ in 0..<2_000 where ProcessTree.lives(broker) { daemon.pause(5) }
        #expect(!ProcessTree.lives(broker))
        #expect(Self.shows("detent_mqtt_connected 1", daemon), "another one connects")
        expectEqual(try daemon.panel(), panel)
        #expect(try #require(Self.broker(of: panel)) != broker)
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    /// Two panels: one operates a device through the broker, and the other one shows its control.
    @Test func anActionGoesThroughItAndAnotherPanelHearsIt() throws {
        let mosquitto = Mosquitto()
        try #require(mosquitto.session.waitForErrors(" running"))
        let word = "geheim-4711"
        let secret = TemporaryFile("word", word)
        let keys =
            "action: {mqtt: {topic: \"cmnd/{control}\", "
            + "payload: \"{value} ${file:\(secret.path)}\"}, timeout: 5s}"
        let kettle = try ServedDaemon(
            "mqtt: {url: \"mqtt://localhost:\(mosquitto.port)\"}\n"
                + Program.heater("Kettle", keys))
        #expect(mosquitto.session.waitForErrors(Self.online))
        let kitchen = try ServedDaemon(
            """
            panel: Kitchen
            board: none
            mqtt: {url: "mqtt://localhost:\(mosquitto.port)"}
            controls:
              hot: {kind: indicator, label: Kettle, indicator: LAMP,
                feedback: {panel: Kettle, control: heater}}
              water: {kind: indicator, label: Water, indicator: WATER,
                feedback: {mqtt: stat/water}}

            """)
        let body = "{\"value\": \"on\"}"
        #expect(
            kettle.request("PUT /api/v1/controls/heater", body: body).contains(" 202 "))
        let size = "on ".utf8.count + word.utf8.count
        #expect(mosquitto.session.waitForErrors("'cmnd/heater', ... (\(size) bytes)"))
        #expect(kitchen.shows("hot", "\"actual\":\"on\""))
        // The kettle ends: nobody knows whether it is hot.
        kettle.session.send(SIGTERM)
        expectEqual(kettle.session.end().code, 0)
        #expect(kitchen.shows("hot", "stale"))
        #expect(kitchen.session.waitForErrors("heater of the panel Kettle is offline"))
        #expect(!kettle.session.errorText.contains(word))
    }

    /// The other panel is the device: it says its value when it is switched.
    @Test func anActionIsDoneWhenTheDeviceSaysSo() throws {
        let mosquitto = Mosquitto()
        try #require(mosquitto.session.waitForErrors(" running"))
        let url = "mqtt: {url: \"mqtt://localhost:\(mosquitto.port)\"}\n"
        let keys =
            "action: {mqtt: {topic: cmnd/heater, payload: \"{value}\", "
            + "confirm: {topic: detent/device/relay/state, pointer: /actual}}, timeout: 20s}"
        let kettle = try ServedDaemon(url + Program.heater("Kettle", keys))
        #expect(mosquitto.session.waitForErrors(Self.online))
        let device = try ServedDaemon(
            """
            panel: Device
            board: none
            \(url)controls:
              relay: {kind: switch, label: Relay, input: CONTACT}

            """)
        #expect(mosquitto.session.waitForErrors("'detent/device/availability', ... (6 bytes)"))
        let body = "{\"value\": \"on\"}"
        #expect(kettle.request("PUT /api/v1/controls/heater", body: body).contains(" 202 "))
        #expect(mosquitto.session.waitForErrors("'cmnd/heater', ... (2 bytes)"))
        #expect(kettle.shows("heater", "\"phase\":\"loading\""), "the broker alone is not enough")
        #expect(device.request("PUT /api/v1/controls/relay", body: body).contains(" 202 "))
        #expect(kettle.shows("heater", "\"phase\":\"idle\""))
        #expect(kettle.shows("heater", "\"actual\":\"on\""))
    }

    @Test func withoutTheBrokerAnActionFailsWithAReason() throws {
        let daemon = try ServedDaemon(
            "mqtt: {url: \"mqtt://localhost:1\"}\n"
                + Program.heater(
                    "Kettle", "action: {mqtt: {topic: cmnd/x, payload: a}, timeout: 5s}"))
        let body = "{\"value\": \"on\"}"
        #expect(daemon.request("PUT /api/v1/controls/heater", body: body).contains(" 202 "))
        #expect(daemon.session.waitForErrors("the broker is not connected; nothing was sent"))
        #expect(daemon.shows("heater", "\"reason\":\"unreachable\""))
    }

    @Test func aBrokerThatHangsEndsInTheTimeout() throws {
        let mosquitto = Mosquitto()
        try #require(mosquitto.session.waitForErrors(" running"))
        let daemon = try ServedDaemon(
            "mqtt: {url: \"mqtt://localhost:\(mosquitto.port)\"}\n"
                + Program.heater(
                    "Kettle", "action: {mqtt: {topic: cmnd/x, payload: a}, timeout: 500ms}"))
        #expect(mosquitto.session.waitForErrors(Self.online))
        mosquitto.session.send(SIGSTOP)
        #expect(
            daemon.request("PUT /api/v1/controls/heater", body: "{\"value\": \"on\"}")
                .contains(" 202 "))
        #expect(daemon.shows("heater", "\"phase\":\"failed\""))
        mosquitto.session.send(SIGCONT)
        // On a busy machine half a second may not be enough the first time.
        #expect(
            (0..<20).contains { _ in
                daemon.request("PUT /api/v1/controls/heater", body: "{\"value\": \"on\"}")
                    .contains(" 202 ")
                    && daemon.shows("heater", "\"actual\":\"on\"", within: 1_000)
            })
        // On a busy machine the first may have been given up before it was sent.
        #expect(mosquitto.session.waitForErrors("'cmnd/x', ... (1 bytes)"))
    }

    /// Sources have numbers; after a reload they are those of the new file.
    @Test func afterAReloadAReportReachesTheControlOfTheNewFile() throws {
        let mosquitto = Mosquitto()
        try #require(mosquitto.session.waitForErrors(" running"))
        func panel(_ name: String, _ controls: String) -> String {
            "panel: \(name)\nboard: none\nmqtt: {url: \"mqtt://localhost:\(mosquitto.port)\"}\n"
                + "controls:\n\(controls)"
        }
        func lamp(_ id: String) -> String {
            "  \(id): {kind: indicator, label: Lamp \(id), indicator: L-\(id), "
                + "feedback: {mqtt: stat/\(id)}}\n"
        }
        let sender = try ServedDaemon(
            panel(
                "Sender",
                "  b: {kind: toggle-button, label: Sender, input: B, "
                    + "action: {mqtt: {topic: stat/b, payload: \"{value}\"}, timeout: 5s}}\n"))
        #expect(mosquitto.session.waitForErrors("'detent/sender/availability', ... (6 bytes)"))
        let hearer = try ServedDaemon(panel("Hearer", lamp("a")))
        #expect(mosquitto.session.waitForErrors("'detent/hearer/availability', ... (6 bytes)"))
        try hearer.reload(panel("Hearer", lamp("b") + lamp("a")))
        #expect(
            mosquitto.session.waitForErrors(
                "'detent/hearer/availability', ... (6 bytes)", times: 2))
        #expect(
            sender.request("PUT /api/v1/controls/b", body: "{\"value\": \"on\"}").contains(" 202 "))
        #expect(sender.shows("b", "\"actual\":\"on\""), "\(sender.session.errorText)")
        #expect(
            hearer.shows("b", "\"actual\":\"on\""),
            "\(hearer.session.errorText)\n\(mosquitto.session.errorText)")
        #expect(hearer.shows("a", "\"actual\":\"unknown\""))
    }

    /// A lamp elsewhere would show what was true below the former topic until it ends.
    @Test func aRenamedPanelEmptiesItsFormerTopic() throws {
        let mosquitto = Mosquitto()
        try #require(mosquitto.session.waitForErrors(" running"))
        let folder = Folder()
        let daemon = try ServedDaemon(
            Self.panel(mosquitto.port), ["--state-dir", folder.path])
        #expect(mosquitto.session.waitForErrors(Self.online))
        let renamed = Self.panel(mosquitto.port).replacing("panel: Kettle", with: "panel: Stove")
        for (text, wanted) in [
            (renamed, "'detent/kettle/heater/state', ... (0 bytes)"),
            (Self.panel(mosquitto.port), "'detent/stove/heater/state', ... (0 bytes)"),
        ] {
            try daemon.reload(text)
            #expect(mosquitto.session.waitForErrors(wanted), "\(mosquitto.session.errorText)")
        }
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    @Test func itIsNoCommandOfItsOwn() {
        let result = Program.run("broker")
        #expect(result.code == 2 && result.errors.contains("use `detent run`"), "\(result)")
    }
}
