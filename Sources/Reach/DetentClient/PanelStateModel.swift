import DetentPanel
import DetentTypes

/// The state of a panel as a client knows it, updated by the daemon's messages.
///
/// It reads no clock and does no input or output. Unknown messages are ignored.
public struct PanelStateModel: Sendable {
    /// A control for display.
    public struct Row: Equatable, Sendable {
        /// The key in the panel file.
        public var id: String
        /// The label, without terminal control characters.
        public var label: String
        /// Its group; empty if it has none.
        public var group: String
        /// Whether it has a lamp.
        public var hasLamp: Bool
        /// The titles of values, by their words.
        var titles: [String: String]
        /// The latest state; nil before the first.
        var state: JSONValue?
    }

    /// The panel's name, empty before the first snapshot.
    public private(set) var name = ""
    /// `simulated` or `hardware`.
    public private(set) var mode = ""
    /// The controls in the order of the panel file.
    public private(set) var rows: [Row] = []
    /// The number of the latest event, for resuming; nil before the first snapshot.
    public private(set) var sequence: Int?
    /// The run of the panel to which the sequence belongs.
    public private(set) var session = ""
    private var places: [String: Int] = [:]

    /// Makes an empty model.
    public init() {}

    /// What a message changed.
    public enum Changes: Equatable, Sendable {
        /// Everything: the first snapshot, or one after a gap.
        case all
        /// These rows.
        case rows([Int])
        /// Event lines, unchanged.
        case events([String])
        /// A message for people.
        case notice(String)
        /// Nothing visible.
        case nothing
    }

    /// Applies one message of the daemon.
    public mutating func receive(_ message: [UInt8]) -> Changes {
        guard let value = try? JSONReader.read(message) else { return .nothing }
        switch value["type"]?.text {
        case "snapshot": return takeSnapshot(value)
        case "state": return takeStates(value["state"])
        case "events":
            let events = value["events"]?.items ?? []
            if let last = events.last?["seq"]?.whole { sequence = last }
            return .events(events.map(\.line))
        case "reload": return .notice(Self.notice(of: value))
        case _: return .nothing
        }
    }

    /// What a reload came to, in one line: the first error, or what changed.
    private static func notice(of value: JSONValue) -> String {
        let lines = PrintableText.lines(value["text"]?.text ?? "")
        guard value["result"]?.text == "refused" else { return lines.last ?? "" }
        let error = lines.first { $0.contains("error:") } ?? lines.last ?? ""
        return "not reloaded: " + error
    }

    private mutating func takeSnapshot(_ value: JSONValue) -> Changes {
        name = PrintableText.text(value["panel"]?["name"]?.text ?? "")
        mode = value["mode"]?.text ?? ""
        session = value["session"]?.text ?? ""
        sequence = value["seq"]?.whole
        rows = (value["panel"]?["controls"]?.items ?? []).compactMap(Self.row)
        places = [:]
        for (place, row) in rows.enumerated() { places[row.id] = place }
        _ = takeStates(value["state"])
        return .all
    }

    private static func row(_ control: JSONValue) -> Row? {
        guard let id = control["id"]?.text else { return nil }
        let words = (control["values"]?.items ?? []).compactMap(\.text)
        let titles = (control["titles"]?.items ?? []).map { PrintableText.text($0.text ?? "") }
        let pairs = zip(words, titles).filter { !$0.1.isEmpty }
        let lamp = control["lamp"] ?? .null
        return Row(
            id: id, label: PrintableText.text(control["label"]?.text ?? id),
            group: PrintableText.text(control["group"]?.text ?? ""), hasLamp: lamp != .null,
            titles: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    }

    private mutating func takeStates(_ value: JSONValue?) -> Changes {
        guard case .object(let members) = value else { return .nothing }
        var changed: [Int] = []
        for (id, state) in members {
            guard let place = places[id] else { continue }
            rows[place].state = state
            changed.append(place)
        }
        return .rows(changed)
    }
}

extension PanelStateModel.Row {
    /// A symbol for the state of its lamp; `·` if it has no lamp.
    public var glyph: String {
        guard hasLamp else { return "·" }
        if phase == "failed" { return "▲" }
        switch state?["pattern"]?.text {
        case "off": return "○"
        case "steady": return "●"
        case "breathe": return "◐"
        case nil: return " "
        case _: return "◌"
        }
    }

    /// Its phase: `idle`, `pending`, `loading` or `failed`; empty before the first state.
    public var phase: String { state?["phase"]?.text ?? "" }

    /// The value as in files and events; empty if it has none.
    public var word: String {
        guard let value = state?["value"] else { return "" }
        if let items = value.items {
            return items.isEmpty
                ? "none" : PrintableText.text(items.compactMap(\.text).joined(separator: "+"))
        }
        return value.text.map(PrintableText.text) ?? (value == .null ? "" : value.line)
    }

    /// The value as the page shows it, and the actual one if it differs.
    public var value: String {
        guard let state else { return "" }
        let shown = words(state["value"])
        let actual = words(state["actual"])
        // A control without values has events: a button shows whether it is pressed.
        if shown.isEmpty {
            return state["pressed"]?.items?.isEmpty == false ? "pressed" : ""
        }
        // A flag shows that the value is unknown.
        let isKnown = !actual.isEmpty && actual != "unknown"
        if !isKnown || actual == shown || phase != "idle" { return shown }
        return "\(shown) (actual: \(actual))"
    }

    /// Phase, reason and flags, as text; empty if there is nothing to report.
    public var remarks: String {
        guard let state else { return "" }
        var words: [String] = []
        switch phase {
        case "pending", "loading": words.append("\(phase)…")
        case "failed": words.append("failed" + (state["reason"]?.text.map { ": \($0)" } ?? ""))
        case _: if let lasting { words.append("last failed: \(lasting)") }
        }
        words += (state["flags"]?.items ?? []).compactMap(\.text)
        let staged = self.words(state["staged"])
        if !staged.isEmpty { words.append("staged: \(staged)") }
        if let progress = state["progress"]?.whole, progress > 0 { words.append("\(progress) %") }
        return PrintableText.text(words.joined(separator: ", "))
    }

    /// Why the last action failed, until the control is touched or another one succeeds.
    var lasting: String? {
        guard let outcome = state?["outcome"], outcome["seen"]?.truth != true,
            let result = outcome["result"]?.text, result != "ok"
        else { return nil }
        return outcome["reason"]?.text ?? result
    }

    /// Whether a flag says that something is wrong.
    var isAmiss: Bool {
        let flags = (state?["flags"]?.items ?? []).compactMap(\.text)
        return flags.contains { ["fault", "mismatch", "stale"].contains($0) }
    }

    /// Whether its value is on, or its lamp lit.
    var isOn: Bool { state?["value"]?.text == "on" }

    private func words(_ value: JSONValue?) -> String {
        switch value {
        case .string(let word): titles[word] ?? PrintableText.text(word)
        case .number(let number): number
        case .integer(let number): String(number)
        case .array(let items):
            items.isEmpty ? "none" : items.map { words($0) }.joined(separator: " + ")
        case nil, .null, .bool, .object: ""
        }
    }
}
