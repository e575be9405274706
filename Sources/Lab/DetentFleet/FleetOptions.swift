public import DetentPanel
public import DetentTypes

/// What a fleet is made of.
public struct FleetOptions: Equatable, Sendable {
    /// The panel that all are copies of.
    public var plan: PanelPlan
    /// The broker. Each panel has its topic, with `-` and its number.
    public var broker: BrokerPlan
    /// How many panels there are.
    public var count: Int
    /// The number of the first panel.
    public var first = 1
    /// Operations of each panel in a second.
    public var rate = 1.0
    /// How long users operate the panels.
    public var duration = TimeSpan.seconds(60)
    /// Decides what users do.
    public var seed: UInt64 = 1
    /// Detent's version.
    public var version: String
    /// How long the listener tries to reach the broker; tests lower it.
    var reach = FleetLimits.reach

    /// Makes the options of a fleet.
    public init(plan: PanelPlan, broker: BrokerPlan, count: Int, version: String) {
        self.plan = plan
        self.broker = broker
        self.count = count
        self.version = version
    }

    /// The broker of one panel; nothing of a fleet is announced to Home Assistant.
    func broker(of place: Int) -> BrokerPlan {
        let digits = max(4, String(first + count - 1).count)
        let number = String(first + place)
        let name = "-" + String(repeating: "0", count: digits - number.count) + number
        var own = broker
        own.topic += name
        own.clientID = broker.clientID.map { $0 + name }
        own.discovery = nil
        return own
    }

    /// The broker of the listener.
    var listener: BrokerPlan {
        var own = broker
        own.topic += "-fleet-\(first)"
        own.clientID = broker.clientID.map { $0 + "-fleet-\(first)" }
        return own
    }

    /// What the listener hears: the level of the panels' names cannot be only partly open.
    var filters: [String] {
        let levels = broker.topic.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        return ["\(levels)+/+/state", "\(levels)+/+/event", "\(levels)+/availability"]
    }

    /// Refuses what is out of range.
    func check() throws(FleetError) {
        guard 1...FleetLimits.panels ~= count else {
            throw FleetError(
                cause: "a fleet has 1 to \(FleetLimits.panels) panels",
                remedy: "start several fleets, each with another `--first`")
        }
        guard first >= 1, first <= FleetLimits.highestNumber else {
            throw FleetError(
                cause: "the first panel has a number from 1 to \(FleetLimits.highestNumber)",
                remedy: "write, for example, `--first 1001`")
        }
        guard FleetLimits.rates ~= rate else {
            throw FleetError(
                cause: "a panel is operated 0.001 to 50 times a second",
                remedy: "write, for example, `--rate 0.5`")
        }
        guard FleetLimits.durations ~= duration else {
            throw FleetError(
                cause: "a fleet runs for 100 ms to 24 hours",
                remedy: "write, for example, `--for 60s`")
        }
    }
}
