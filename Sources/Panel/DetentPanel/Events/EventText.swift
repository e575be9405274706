public import DetentTypes

/// Writes events as aligned lines of text: time, label, and what happened.
///
/// The words are the same as in the JSON lines and the documents. Shapes distinguish states without
/// colour: `○` off, `●` a value, `◐` mixed, `◌` working, `✓` confirmed,
/// `▲` failed, `✗` refused.
public struct EventText: Sendable {
    private let labels: [String: String]
    private let width: Int
    private let start: Instant

    /// The width of the longest label that is not cut, in columns of a terminal.
    public static let longestLabel = 24

    /// Makes the writer of a panel's events.
    ///
    /// - Parameter start: the moment that is shown as 0.
    public init(plan: PanelPlan, start: Instant = .zero) {
        let pairs = plan.controls.map { ($0.id, PrintableText.text($0.label)) }
        labels = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        width = min(Self.longestLabel, labels.values.map(Columns.count).max() ?? 0)
        self.start = start
    }

    /// One event as a line, without a line feed.
    ///
    /// - Parameter members: what `EventLine.members` gives for it.
    public func line(_ members: [(String, JSONValue)]) -> String {
        let event = JSONValue.object(members)
        return line(event, time: time(event["at"]))
    }

    /// One event as a line with a time of day, without a line feed.
    ///
    /// - Parameter event: an object with what `EventLine.members` gives for it.
    public func line(_ event: JSONValue, time: String) -> String {
        let id = event["control"]?.text ?? ""
        let label = Columns.fit(labels[id] ?? PrintableText.text(id), width)
        let (shape, text) = Self.phrase(event)
        return "\(time)  \(label)  \(shape) \(PrintableText.text(text))"
    }

    /// What happened, without its time and control, such as `● on` or `▲ failed: exit 1`.
    public static func summary(_ members: [(String, JSONValue)]) -> String {
        let (shape, text) = phrase(.object(members))
        return "\(shape) \(PrintableText.text(text))"
    }

    /// Seconds with three decimals, right-aligned.
    private func time(_ at: JSONValue?) -> String {
        let moment = at.flatMap { UInt64($0.line) } ?? 0
        let nanoseconds = moment >= start.nanoseconds ? moment - start.nanoseconds : 0
        let text = DecimalNumber.text(units: Int64(nanoseconds / 1_000_000), decimals: 3)
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }

    private static func phrase(_ event: JSONValue) -> (shape: String, text: String) {
        let word = event["event"]?.text ?? ""
        let value = text(event["value"])
        switch word {
        case "changed": return (shape(of: value), value + asker(event))
        case "confirmed": return ("✓", "\(value) confirmed")
        case "phase": return phase(event)
        case "flag":
            let name = event["name"]?.text ?? ""
            return event["set"]?.truth == true ? ("!", name) : (" ", "no longer \(name)")
        case "refused":
            return ("✗", "refused: \(event["reason"]?.text ?? "")" + asker(event))
        case "moved": return ("↕", "position \(text(event["position"]))")
        case "stepped":
            let delta = text(event["delta"])
            return ("↻", "stepped " + (delta.hasPrefix("-") ? delta : "+\(delta)"))
        case "multi-clicked": return ("·", "\(word) (\(text(event["count"])))")
        case "chosen": return ("▸", "\(value) chosen" + asker(event))
        case "focused": return ("▹", "\(value) focused")
        case "staged": return ("▹", "staged: \(value)")
        case "progress": return ("◌", "\(text(event["percent"])) %")
        case "indicator": return (" ", "lamp: \(text(event["pattern"]))")
        case "closed": return ("·", word + asker(event))
        case "lamp-test": return ("·", "lamp test \(value)" + asker(event))
        case "reload": return ("·", "reload asked" + asker(event))
        case "output": return (" ", "\(text(event["line"])) \(text(event["level"]))")
        case "lost": return ("▲", "lost \(text(event["count"])) edges so far")
        case "fault":
            let reason = text(event["reason"])
            return reason == "none" ? (" ", "line is back") : ("▲", "\(reason) fault")
        case _: return ("·", value.isEmpty ? word : "\(word): \(value)")
        }
    }

    private static func phase(_ event: JSONValue) -> (String, String) {
        let reason = event["reason"]?.text.map { ": \($0)" } ?? ""
        switch event["phase"]?.text ?? "" {
        case "idle": return ("·", "idle\(reason)")
        case "failed": return ("▲", "failed\(reason)")
        case let phase: return ("◌", phase + reason)
        }
    }

    private static func shape(of value: String) -> String {
        switch value {
        case "off": "○"
        case "mixed": "◐"
        case _: "●"
        }
    }

    /// The origin of a request; empty for the panel itself.
    private static func asker(_ event: JSONValue) -> String {
        guard let origin = event["origin"]?.text, origin != "panel" else { return "" }
        let user = event["user"].map { "user \($0.line)" }
        guard let name = event["by"]?.text ?? user else { return " (\(origin))" }
        return " (\(origin), \(name))"
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let value else { return "" }
        return value.text ?? value.line
    }
}
