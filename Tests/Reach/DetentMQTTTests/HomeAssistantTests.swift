import DetentCore
import DetentPanel
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentMQTT

/// The message for Home Assistant against what Home Assistant 2026.11 requires and allows.
@Suite struct HomeAssistantTests {
    /// A panel with these controls.
    static func plan(
        _ controls: String, mqtt: String = "discovery: homeassistant"
    ) throws -> PanelPlan {
        let text =
            "{panel: Lab, board: none, mqtt: {url: \"mqtt://h\", \(mqtt)}, controls: {\(controls)}}"
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        return try #require(
            reading.plan, "\(ProblemRenderer.text(reading.problems))")
    }

    static func device(_ plan: PanelPlan) throws -> HomeAssistantDevice {
        let broker = try #require(plan.broker)
        return HomeAssistantDevice(
            plan: plan, topics: MQTTTopics(broker: broker), version: "1",
            page: "http://127.0.0.1:8433/")
    }

    /// The entities of one control in one line each, in their order.
    private func entities(_ controls: String, mqtt: String = "discovery: homeassistant") throws
        -> [(key: String, json: JSONValue)]
    {
        try Self.device(Self.plan(controls, mqtt: mqtt)).entities.map {
            ($0.key, JSONValue.object($0.members))
        }
    }

    /// Components of the entities without those of the diagnosis.
    private func components(_ controls: String, mqtt: String = "discovery: homeassistant") throws
        -> [String]
    {
        try entities(controls, mqtt: mqtt).filter { $0.json["ent_cat"] == nil }
            .map { $0.json["p"]?.text ?? "" }
    }

    private static let lamp = "lamp: {kind: switch, label: Lamp, input: A}"
    private static let start = "start: {kind: button, label: Start, input: B}"

    // MARK: One test for each kind

    @Test(arguments: [
        "{kind: switch, label: L, input: A}", "{kind: checkbox, label: L, input: A}",
        "{kind: toggle-button, label: L, input: A}",
    ])
    func switches(control: String) throws {
        let first = try #require(try entities("c: \(control)").first).json
        expectEqual(first["p"]?.text, "switch")
        expectEqual(first["pl_on"]?.text, "on")
        expectEqual(first["pl_off"]?.text, "off")
        expectEqual(first["stat_t"]?.text, "detent/lab/c/state")
        expectEqual(first["json_attr_t"]?.text, "detent/lab/c/state")
        expectEqual(first["cmd_t"]?.text, "detent/lab/c/set")
        expectEqual(first["uniq_id"]?.text, "detent_lab_c")
        expectEqual(first["def_ent_id"]?.text, "switch.detent_lab_c")
        // What is neither on nor off is unknown there, not the state before.
        expectEqual(
            first["val_tpl"]?.text,
            "{{ value_json.value if value_json.value in ['on', 'off'] else None }}")
    }

    @Test(arguments: [
        ("radio-group", "selector: [A, B], options: [x, y]"),
        ("pop-up", "encoder: {a: A, b: B, push: C}, options: [x, y]"),
        ("segmented", "buttons: [A, B], options: [x, y]"),
    ])
    func choices(kind: String, keys: String) throws {
        let first = try #require(
            try entities("c: {kind: \(kind), label: L, \(keys)}").first
        ).json
        expectEqual(first["p"]?.text, "select")
        expectEqual(first["options"]?.line, "[\"x\", \"y\"]")
        expectEqual(
            first["val_tpl"]?.text,
            "{{ None if value_json.value == 'unknown' else value_json.value }}")
    }

    @Test func threeWay() throws {
        let first = try #require(
            try entities("c: {kind: three-way, label: L, lever: {up: A, down: B}}").first
        ).json
        expectEqual(first["p"]?.text, "select")
        expectEqual(first["options"]?.line, "[\"up\", \"center\", \"down\"]")
    }

    @Test func severalOptionsAreSwitches() throws {
        let all = try entities(
            "c: {kind: segmented, label: Cams, buttons: [A, B], options: [CAM 1, \"it's\"], "
                + "selection: {multiple: {min: 0, max: 2}}}"
        ).filter { $0.json["ent_cat"] == nil }
        expectEqual(all.map(\.key), ["c_1", "c_2"])
        expectEqual(all.map { $0.json["p"]?.text }, ["switch", "switch"])
        expectEqual(all[0].json["pl_on"]?.text, "+CAM 1")
        expectEqual(all[0].json["pl_off"]?.text, "-CAM 1")
        expectEqual(all[0].json["stat_on"]?.text, "on")
        expectEqual(
            all[1].json["val_tpl"]?.text,
            "{{ None if value_json.value == 'unknown' else 'on' if 'it\\'s' in "
                + "value_json.value else 'off' }}")
    }

    @Test func dial() throws {
        let first = try #require(
            try entities(
                "c: {kind: dial, label: L, encoder: {a: A, b: B}, "
                    + "range: {min: 0, max: 30, step: 0.05}}"
            ).first
        ).json
        expectEqual(first["p"]?.text, "number")
        expectEqual(first["min"]?.line, "0.00")
        expectEqual(first["max"]?.line, "30.00")
        expectEqual(first["step"]?.line, "0.05")
        expectEqual(first["mode"]?.text, "slider")
    }

    @Test func button() throws {
        let all = try entities(Self.start)
        expectEqual(
            all.map(\.key), ["start", "start_press", "start_short", "start_long", "start_problem"])
        expectEqual(all[0].json["p"]?.text, "event")
        expectEqual(all[0].json["dev_cla"]?.text, "button")
        expectEqual(all[0].json["stat_t"]?.text, "detent/lab/start/event")
        expectEqual(
            all[0].json["evt_typ"]?.line,
            "[\"press_start\", \"press_end\", \"long_press_start\", \"long_press_end\", "
                + "\"multi_press_end\"]")
        expectEqual(all[1].json["p"]?.text, "button")
        expectEqual(all[1].json["pl_prs"]?.text, "press")
        expectEqual(all[2].json["p"]?.text, "device_automation")
        expectEqual(all[2].json["type"]?.text, "button_short_press")
    }

    @Test func menu() throws {
        let all = try entities(
            "c: {kind: pull-down, label: Menu, encoder: {a: A, b: B, push: C}, "
                + "items: [{name: Scan}, {name: Erase, role: destructive, confirm: {hold: 2s}}]}"
        ).filter { $0.json["ent_cat"] == nil }
        // The item that needs confirmation has no button: Home Assistant cannot confirm.
        expectEqual(all.map(\.key), ["c", "c_1"])
        expectEqual(all[0].json["p"]?.text, "event")
        expectEqual(all[0].json["evt_typ"]?.line, "[\"Scan\", \"Erase\"]")
        expectEqual(all[1].json["pl_prs"]?.text, "Scan")
    }

    /// Segments that only act: an event, and a button for each; there is no state to choose.
    @Test func momentarySegments() throws {
        let all = try entities(
            "c: {kind: segmented, label: Jump, buttons: [A, B], options: [Start, End], "
                + "selection: momentary}"
        ).filter { $0.json["ent_cat"] == nil }
        expectEqual(all.map(\.key), ["c", "c_1", "c_2"])
        expectEqual(all.map { $0.json["p"]?.text }, ["event", "button", "button"])
        expectEqual(all[0].json["stat_t"]?.text, "detent/lab/c/event")
        expectEqual(all[0].json["evt_typ"]?.line, "[\"Start\", \"End\"]")
        #expect(all[0].json["dev_cla"] == nil && all[0].json["cmd_t"] == nil)
        expectEqual(all[1...].map { $0.json["pl_prs"]?.text }, ["Start", "End"])
        expectEqual(all[1...].map { $0.json["name"]?.text }, ["Jump Start", "Jump End"])
        #expect(all[1...].allSatisfy { $0.json["cmd_t"]?.text == "detent/lab/c/set" })
        // Who may only view is told of them.
        expectEqual(
            try components(
                "c: {kind: segmented, label: Jump, buttons: [A, B], options: [Start, End], "
                    + "selection: momentary}", mqtt: "discovery: homeassistant, role: view"),
            ["event"])
    }

    @Test func groupShowsThatItsMembersDiffer() throws {
        let all = try entities(
            "a: {kind: checkbox, label: A, input: A}, b: {kind: checkbox, label: B, input: B}, "
                + "all: {kind: checkbox-group, label: All, input: C, members: [a, b]}"
        ).filter { $0.key.hasPrefix("all") && $0.json["ent_cat"] == nil }
        expectEqual(all.map { $0.json["p"]?.text }, ["switch", "sensor"])
        expectEqual(all[1].json["options"]?.line, "[\"on\", \"off\", \"mixed\"]")
        expectEqual(all[1].json["dev_cla"]?.text, "enum")
    }

    @Test func indicatorIsRead() throws {
        expectEqual(
            try components(
                "\(Self.lamp), c: {kind: indicator, label: L, indicator: Z, show: lamp}"),
            ["switch", "binary_sensor"])
    }

    /// What a device that is not heard was last is not what it is.
    @Test func anIndicatorIsUnknownWhileItsDeviceIsNotHeard() throws {
        let first = try #require(
            try entities("c: {kind: indicator, label: L, indicator: Z, feedback: {mqtt: stat/c}}")
                .first
        ).json
        expectEqual(
            first["val_tpl"]?.text,
            "{{ value_json.actual if value_json.actual in ['on', 'off'] and 'stale' not in "
                + "value_json.flags and 'fault' not in value_json.flags else None }}")
    }

    @Test func formIsRead() throws {
        let found = try components(
            "m: {kind: checkbox, label: M, input: A, latch: toggle}, "
                + "go: {kind: button, label: Go, input: B}, "
                + "f: {kind: form, label: F, members: [m], apply: go}")
        expectEqual(found.last, "binary_sensor")
    }

    // MARK: Rows of buttons

    private static let camera = "{name: B, hold: {after: 1s, action: {run: [x], timeout: 1s}}}"

    /// Also where one option alone has the gesture.
    @Test(arguments: [
        "options: [A, B], hold: {after: 1s, action: {run: [x, \"{value}\"], timeout: 1s}}",
        "options: [A, \(camera)]",
    ])
    func buttonsOfARowWithGestures(keys: String) throws {
        let all = try entities("c: {kind: segmented, label: Bus, buttons: [A, B], \(keys)}")
            .filter { $0.json["ent_cat"] == nil }
        expectEqual(
            all.map(\.key), ["c", "c_button", "c_short_1", "c_long_1", "c_short_2", "c_long_2"])
        expectEqual(all[1].json["p"]?.text, "event")
        expectEqual(all[1].json["stat_t"]?.text, "detent/lab/c/event")
        expectEqual(all[5].json["p"]?.text, "device_automation")
        expectEqual(all[5].json["type"]?.text, "button_long_press")
        expectEqual(all[5].json["stype"]?.text, "c B")
        expectEqual(
            all[5].json["val_tpl"]?.text,
            "{{ value_json.event_type ~ ' ' ~ value_json.value }}")
        expectEqual(all[5].json["pl"]?.text, "long_press_start B")
    }

    @Test func eventsOfARowNameTheirButton() throws {
        let plan = try Self.plan(
            "c: {kind: segmented, label: Bus, buttons: [A, B], options: [A, \(Self.camera)]}, "
                + "d: {kind: segmented, label: Plain, buttons: [C, D], options: [A, B]}")
        var events = MQTTEvents(plan)
        let told: [Report.Kind] = [
            .buttonPressed(Value(1)), .held, .buttonPressed(Value(0)), .buttonReleased(Value(0)),
            .buttonReleased(Value(1)),
        ]
        let texts = try told.map { kind in
            let report = Report(control: ControlID(0), kind: kind)
            let json = try JSONReader.read(Array((events.text(report, at: .zero) ?? "").utf8))
            return "\(json["event_type"]?.text ?? "") \(json["value"]?.text ?? "")"
        }
        expectEqual(
            texts,
            [
                "press_start B", "long_press_start B", "press_start A", "press_end A",
                "long_press_end B",
            ])
        let plain = Report(control: ControlID(1), kind: .buttonPressed(Value(0)))
        expectEqual(events.text(plain, at: .zero), nil)
    }

    // MARK: Rights

    @Test func whoMayOnlyViewGetsNoCommands() throws {
        let all = try entities(
            "\(Self.lamp), \(Self.start), r: {kind: radio-group, label: R, selector: [C, D], "
                + "options: [x, y]}, d: {kind: dial, label: D, encoder: {a: E, b: F}, "
                + "range: {min: 0, max: 9}}",
            mqtt: "discovery: homeassistant, role: view")
        #expect(all.allSatisfy { $0.json["cmd_t"] == nil })
        expectEqual(
            all.filter { $0.json["ent_cat"] == nil }.map { $0.json["p"]?.text ?? "" },
            [
                "binary_sensor", "event", "device_automation", "device_automation", "sensor",
                "sensor",
            ])
    }

    @Test func destructiveControlsAreNotOperated() throws {
        let found = try components(
            "c: {kind: button, label: Erase, input: A, role: destructive, confirm: {hold: 2s}}")
        expectEqual(found, ["event", "device_automation", "device_automation"])
    }

    // MARK: What was announced before

    /// Home Assistant would keep the former entity beside the new one.
    @Test func anEntityOfAnotherComponentIsTakenBack() throws {
        let former = try messages(of: Self.lamp, stored: nil)
        let record = try #require(former.last)
        expectEqual(record.topic, "detent/lab/announced")
        let present = try messages(
            of: Self.lamp, mqtt: "discovery: homeassistant, role: view", stored: record.text)
        let devices = try present.filter { $0.topic == former[0].topic }
            .map { try JSONReader.read(Array($0.text.utf8)) }
        try #require(devices.count == 3)
        expectEqual(devices[1]["cmps"]?["lamp"]?.line, "{\"p\": \"switch\"}")
        expectEqual(devices[1]["cmps"]?["lamp_problem"]?["p"]?.text, "binary_sensor")
        expectEqual(devices[2]["cmps"]?["lamp"]?["p"]?.text, "binary_sensor")
        // The same panel has nothing to take back.
        let again = try messages(of: Self.lamp, stored: record.text)
        expectEqual(again.map(\.topic), [former[0].topic, record.topic])
    }

    /// What a connection announces, when the broker has this record.
    private func messages(
        of controls: String, mqtt: String = "discovery: homeassistant", stored: String?
    ) throws -> [MQTTMessage] {
        var announcement = Announcement(try Self.device(Self.plan(controls, mqtt: mqtt)))
        announcement.begin()
        let record = "detent/lab/announced"
        if let stored { announcement.receive(record, Array(stored.utf8), isRetained: true) }
        announcement.receive(record, Array("?".utf8), isRetained: false)
        var all: [MQTTMessage] = []
        while let message = announcement.next() { all.append(message) }
        return all
    }

    /// A record can be forged: what it names is emptied only if it is this panel's announcement.
    @Test func onlyItsOwnAnnouncementIsTakenBack() throws {
        let all = try messages(of: Self.lamp, stored: nil)
        let own = try #require(all.first)
        let others = own.text.replacing("detent/lab/availability", with: "detent/den/availability")
        let record = "detent/lab/announced"
        let forged = #"{"topic": "ha/device/den/config", "components": {}}"#
        for (content, isEmptied) in [
            (nil, false), (others, false), ("{}", false), (own.text, true),
            (String(own.text.prefix(own.text.count - 20)), true),
        ] as [(String?, Bool)] {
            var announcement = Announcement(
                try Self.device(Self.plan(Self.lamp, mqtt: "discovery: homeassistant")))
            announcement.begin()
            #expect(announcement.takeSubscription() == nil)
            announcement.receive(record, Array(forged.utf8), isRetained: true)
            announcement.receive(record, Array("?".utf8), isRetained: false)
            while announcement.next() != nil {}
            expectEqual(
                announcement.takeSubscription(),
                MQTTSubscription(filter: "ha/device/den/config", wantsRetained: true))
            #expect(announcement.takeSubscription() == nil)
            if let content {
                #expect(announcement.wants("ha/device/den/config"))
                announcement.receive(
                    "ha/device/den/config", Array(content.utf8), isRetained: true)
            }
            announcement.receive(record, Array("?".utf8), isRetained: false)
            var told: [MQTTMessage] = []
            while let message = announcement.next() { told.append(message) }
            let emptied = MQTTMessage(topic: "ha/device/den/config", text: "", isRetained: true)
            expectEqual(told.contains(emptied), isEmptied, "\(content ?? "nothing")")
            expectEqual(told.last?.topic, record)
        }
    }

    /// *Visit* is opened in another browser, where this machine is another one.
    @Test(arguments: [
        ("http://127.0.0.1:8433/", false), ("http://localhost:8433/", false),
        ("http://[::1]:8433/", false), ("http://panel.lan:8433/", true),
        ("http://192.168.1.27:8433/", true),
    ])
    func aLinkLeadsToNoOtherMachine(page: String, isTold: Bool) throws {
        let plan = try Self.plan("a: {kind: switch, label: A, input: I}")
        let broker = try #require(plan.broker)
        let device = HomeAssistantDevice(
            plan: plan, topics: MQTTTopics(broker: broker), version: "1", page: page)
        let text = device.text()
        expectEqual(text.contains("\"cu\": \"\(page)\""), isTold)
        expectEqual(text.contains("\"cu\""), isTold)
    }

    // MARK: The whole message

    /// Keys that Home Assistant allows at the top; any other refuses the whole device.
    private static let top: Set = [
        "dev", "o", "cmps", "avty_t", "avty", "avty_mode", "avty_tpl", "pl_avail", "pl_not_avail",
        "stat_t", "cmd_t", "qos", "e",
    ]
    private static let inDevice: Set = [
        "ids", "cns", "name", "mf", "mdl", "mdl_id", "hw", "sw", "sn", "sa", "cu", "via_device",
    ]

    private static func panel(_ file: String) throws -> PanelPlan {
        let path = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return try #require(PanelReader.read(file: "/\(path)/\(file)").plan)
    }

    /// The last panel has every kind; Tests/HomeAssistant/run meets a real Home Assistant with it.
    @Test(arguments: [
        ("lab-supply", "panels/lab-supply/panel.yaml"),
        ("home-lights", "panels/home-lights/panel.yaml"),
        ("studio-tally", "panels/studio-tally/panel.yaml"),
        ("bench", "Tests/HomeAssistant/panel.yaml"),
    ])
    func wholePanelsFollowTheTable(name: String, file: String) throws {
        var plan = try Self.panel(file)
        var broker = BrokerPlan(host: "h", port: 1883, topic: "detent/\(name)")
        broker.discovery = "homeassistant"
        plan.broker = broker
        let device = try Self.device(plan)
        expectEqual(device.topic, "homeassistant/device/detent_\(name)/config")
        let json = try JSONReader.read(Array(device.text().utf8))
        guard case .object(let members) = json, case .object(let about)? = json["dev"],
            case .object(let components)? = json["cmps"]
        else {
            Issue.record("the message is not made of maps")
            return
        }
        #expect(Set(members.map(\.0)).isSubset(of: Self.top))
        #expect(Set(about.map(\.0)).isSubset(of: Self.inDevice))
        // What holds its entities together there; another name would be another device.
        expectEqual(json["dev"]?["ids"]?.line, "[\"detent_\(name)\"]")
        expectEqual(json["o"]?["name"]?.text, "detent")
        expectEqual(components.count, Set(components.map(\.0)).count)
        var ids: [String] = []
        for (key, entity) in components {
            let component = try #require(entity["p"]?.text)
            #expect(key.utf8.allSatisfy { $0 != 0x20 && $0 < 0x7F })
            if component == "device_automation" { continue }
            ids.append(try #require(entity["uniq_id"]?.text))
            #expect(entity["name"]?.text != nil)
            switch component {
            case "switch", "select", "number", "button": #expect(entity["cmd_t"] != nil)
            case "event": #expect(entity["stat_t"] != nil && entity["evt_typ"] != nil)
            case "binary_sensor", "sensor": #expect(entity["stat_t"] != nil)
            case _: Issue.record("no component is called \(component)")
            }
            if component == "select" { #expect(entity["options"] != nil) }
            // docs/home-assistant.md: commands expire after five seconds, and nothing else does.
            expectEqual(entity["msg_exp_int"]?.line, (entity["cmd_t"] == nil ? nil : "5"), "\(key)")
        }
        expectEqual(ids.count, Set(ids).count)
    }

    /// So the test of whole panels sees each kind, and each component that is announced.
    @Test func thePanelOfHomeAssistantHasEveryKind() throws {
        let plan = try Self.panel("Tests/HomeAssistant/panel.yaml")
        let kinds = Set(plan.controls.map(\.kind))
        // The documents have a page for each kind: KindDocumentTests.
        let path = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let folder = try #require(opendir("/\(path)/docs/kinds"))
        defer { closedir(folder) }
        var pages: Set<String> = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".md"), name != "README.md" { pages.insert(String(name.dropLast(3))) }
        }
        #expect(kinds == pages && pages.count > 10, "\(kinds.symmetricDifference(pages))")
        let components = try Self.device(plan).entities.map { $0.members[0].1.text ?? "" }
        expectEqual(
            Set(components),
            [
                "switch", "select", "number", "button", "event", "binary_sensor", "sensor",
                "device_automation",
            ])
    }

    @Test func objectHasOnlyLettersThatAreAllowed() throws {
        let plan = try Self.plan(Self.lamp, mqtt: "topic: house/hall.1, discovery: ha")
        let topic = try #require(try Self.device(plan).topic)
        let form = /ha\/device\/house_hall-1__[a-z0-9]+\/config/
        #expect(topic.wholeMatch(of: form) != nil, "\(topic)")
    }
}
