import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentMQTT

/// Laws of the names at Home Assistant, with panels and controls that a seed names.
@Suite struct HomeAssistantLawTests {
    private static let words = [
        "a", "b", "press", "phase", "problem", "button", "value", "1", "2", "short", "x",
    ]
    private static let kinds = [
        "kind: switch, input: ", "kind: button, hold: 1s, input: ",
    ]

    private static func word(_ random: inout SplitMix64) -> String {
        words[Int(random.below(UInt64(words.count)))]
    }

    /// One or two words, with a sign between them.
    private static func name(_ random: inout SplitMix64, _ signs: [String]) -> String {
        let first = word(&random)
        guard random.chance(percent: 60) else { return first }
        return first + signs[Int(random.below(UInt64(signs.count)))] + word(&random)
    }

    /// No two entities have an id or a key in common: neither two of one panel, nor two of panels
    /// whose names differ in more than letter case, blanks and hyphens.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func noTwoEntitiesHaveOneID(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var owners: [String: String] = [:]
        var devices: [String: String] = [:]
        var panels = 0
        for _ in 0..<150 {
            let panel = Self.name(&random, ["_", "-", " ", "__", ".", "/"])
            let ids = Set((0..<3).map { _ in Self.name(&random, ["-"]) })
                .filter { $0.first?.isLetter == true }.sorted()
            let controls = ids.enumerated().map { place, id in
                let kind = Self.kinds[Int(random.below(2))]
                return "\(id): {label: L\(place), \(kind)A\(place)}"
            }
            let text =
                "{panel: \"\(panel)\", board: none, mqtt: {url: \"mqtt://h\", discovery: ha}, "
                + "controls: {\(controls.joined(separator: ", "))}}"
            let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
            guard let plan = reading.plan, let broker = plan.broker else { continue }
            panels += 1
            let topics = MQTTTopics(broker: broker)
            let device = HomeAssistantDevice(plan: plan, topics: topics, version: "1", page: nil)
            let plain = panel.lowercased().split { $0 == " " || $0 == "-" }.joined(separator: "-")
            expectEqual(devices.updateValue(plain, forKey: topics.object) ?? plain, plain)
            expectEqual(Set(device.entities.map(\.key)).count, device.entities.count)
            for (key, members) in device.entities {
                let json = JSONValue.object(members)
                guard let id = json["uniq_id"]?.text else { continue }
                let owner = "\(plain): \(key)"
                expectEqual(owners.updateValue(owner, forKey: id) ?? owner, owner, "`\(id)`")
                let proposed = json["def_ent_id"]?.text ?? ""
                #expect(!proposed.contains("__") && !proposed.contains("-"), "\(proposed)")
            }
        }
        #expect(panels > 50, "most panels are refused")
    }
}
