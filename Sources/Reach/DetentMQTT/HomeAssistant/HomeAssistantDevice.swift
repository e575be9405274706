import DetentCore
import DetentPanel
import DetentTypes

/// The message that announces a panel to Home Assistant: one device with all its entities.
///
/// The keys have their short names. A key that is not allowed at the top makes Home Assistant
/// refuse the whole device.
struct HomeAssistantDevice {
    let plan: PanelPlan
    let topics: MQTTTopics
    /// Detent's version.
    let version: String
    /// The address of the page; nil without one.
    var page: String?

    /// Where the message goes, retained.
    var topic: String? {
        topics.broker.discovery.map { "\($0)/device/\(topics.object)/config" }
    }

    /// The entities with their keys, in the order of the controls.
    var entities: [(key: String, members: [(String, JSONValue)])] {
        plan.allControls.flatMap {
            HomeAssistantEntities(plan: plan, topics: topics, id: $0).all
        }
    }

    /// The message.
    ///
    /// - Parameter removed: keys of former entities with their components. An entity that is only
    ///   left out would stay. A present entity with the same key is left out of this message.
    func text(removing removed: [(key: String, component: String)] = []) -> String {
        let keys = Set(removed.map(\.key))
        var components = entities.filter { !keys.contains($0.key) }
            .map { ($0.key, JSONValue.object($0.members)) }
        for entity in removed {
            components.append((entity.key, ["p": .string(entity.component)]))
        }
        return JSONValue.object([
            ("dev", .object(device)),
            ("o", ["name": "detent", "sw": .string(version)]),
            ("avty_t", .string(topics.availability)), ("qos", 1),
            ("cmps", .object(components)),
        ]).line
    }

    /// Whether a message is an announcement of this panel, of any version and with any controls: it
    /// comes from Detent and has this panel's topic of availability. A long one may be cut.
    func hasWritten(_ bytes: [UInt8]) -> Bool {
        let marks: [(String, JSONValue)] = [
            ("avty_t", .string(topics.availability)), ("name", "detent"),
        ]
        let text = String(decoding: bytes, as: UTF8.self)
        // Without the braces, as one member of several.
        return marks.allSatisfy { mark in
            text.contains(String(JSONValue.object([mark]).line.dropFirst().dropLast()))
        }
    }

    /// Whether an address of a page leads to the machine where it is opened.
    private static func isOfThisMachine(_ page: String) -> Bool {
        let host = page.drop { $0 != "/" }.drop { $0 == "/" }
        return ["127.", "localhost:", "[::1]"].contains { host.hasPrefix($0) }
    }

    private var device: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("ids", .array([.string(topics.object)])), ("name", .string(plan.name)),
            ("mf", "Detent"), ("mdl", .string(plan.board ?? "panel")),
            ("sw", .string(version)),
        ]
        // In the browser of whoever looks at it, this machine is another one.
        if let page, !Self.isOfThisMachine(page) { members.append(("cu", .string(page))) }
        return members
    }
}
