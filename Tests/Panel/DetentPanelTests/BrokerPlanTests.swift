import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

@Suite struct BrokerPlanTests {
    private func read(_ keys: String) -> PanelReader.Reading {
        KeyCase.read(
            "panel: Lab Supply, board: none, controls: {c: {\(Base.lever)}}, mqtt: {\(keys)}")
    }

    @Test func theTopicIsMadeFromTheName() {
        expectEqual(read("url: \"mqtt://h\"").plan?.broker?.topic, "detent/lab-supply")
        expectEqual(read("url: \"mqtt://h\"").plan?.broker?.clientName, "detent-lab-supply")
        expectEqual(BrokerPlan.level(of: "  Küche & Flur "), "k-che-flur--19nsvap")
        expectEqual(BrokerPlan.level(of: "厨房"), "panel--wyhs9i")
    }

    /// Two panels with one topic would operate each other.
    @Test func namesThatDifferHaveTopicsThatDiffer() {
        let names = [
            "Кухня", "Гараж", "温室", "厨房", "ÄÖ", "ÖÄ", "Küche", "Köche", "K che", "🚂", "🚗", "!!!",
            "-", "Panel", "Lab", "Lab!", "Lab+", "Lab – 2", "Lab 2", "lab_2",
            String(repeating: "a", count: 70) + "é", String(repeating: "a", count: 70) + "è",
            String(repeating: "a", count: 70), String(repeating: "a", count: 71),
        ]
        let levels = names.map(BrokerPlan.level)
        expectEqual(Set(levels).count, names.count, "\(levels)")
        #expect(levels.allSatisfy { $0.utf8.count <= Limits.idCharacters })
        for same in ["Lab 2", "lab-2", "LAB  2", " Lab - 2 "] {
            expectEqual(BrokerPlan.level(of: same), "lab-2")
        }
    }

    /// The names made from topics that differ, of the connection and of Home Assistant's device.
    @Test(arguments: ["-", "_"] as [Character]) func topicsThatDifferHaveNamesThatDiffer(
        slash: Character
    ) throws {
        let topics = [
            "detent/lab-supply", "detent/lab_supply", "detent/lab/supply", "detent-lab-supply",
            "detent_lab_supply", "lab-supply", "lab_supply", "lab/supply", "lab.supply",
            "lab,supply",
        ]
        let names = try topics.map { topic in
            try #require(read("url: \"mqtt://h\", topic: \"\(topic)\"").plan?.broker)
                .name(slash: slash)
        }
        expectEqual(Set(names).count, topics.count, "\(names)")
        expectEqual(names[0], "detent\(slash)lab-supply")
        let isPlain = { (byte: UInt8) in byte.isASCIIAlphanumeric || "-_".utf8.contains(byte) }
        #expect(names.allSatisfy { $0.utf8.allSatisfy(isPlain) })
    }

    @Test(arguments: [
        ("mqtt://h", "h", 1883, false), ("mqtts://h", "h", 8883, true),
        ("MQTT://h/", "h", 1883, false), ("mqtt://[::1]:99", "::1", 99, false),
        ("mqtt://[::1]", "::1", 1883, false),
    ])
    func addressesAreRead(text: String, host: String, port: UInt16, isSecure: Bool) throws {
        let address = try #require(BrokerAddress(text))
        expectEqual(address.place.host, host)
        expectEqual(address.place.port, port)
        expectEqual(address.isSecure, isSecure)
    }

    @Test(arguments: ["", "h", "http://h", "mqtt://", "mqtt://h:0", "mqtt://h:99999", "mqtt://u@h"])
    func otherAddressesAreRefused(text: String) {
        #expect(BrokerAddress(text) == nil)
    }

    @Test(arguments: [
        ("url: \"mqtt://h\", password: \"${env:X}\"", "missing-key"),
        ("url: \"mqtt://h\", ca: /etc/ca.pem", "conflicting-keys"),
        ("url: \"mqtt://h\", keepalive: 5500ms", "out-of-range"),
        ("url: \"mqtt://h\", topic: /a", "invalid-argument"),
        ("url: \"mqtt://h\", topic: a//b", "invalid-argument"),
        ("url: \"mqtt://h\", topic: a b", "invalid-argument"),
        ("user: x", "missing-key"),
    ])
    func whatDoesNotFitIsRefused(keys: String, rule: String) {
        let reading = read(keys)
        #expect(reading.plan == nil)
        #expect(reading.problems.map(\.rule.name).contains(rule), "\(reading.problems)")
    }

    /// A message never repeats what could be a password.
    @Test func aPasswordIsNotPrinted() {
        let problems = read("url: \"mqtt://h\", user: u, password: hunter2").problems
        #expect(!problems.isEmpty)
        #expect(problems.allSatisfy { !($0.text + $0.help).contains("hunter2") })
    }
}
