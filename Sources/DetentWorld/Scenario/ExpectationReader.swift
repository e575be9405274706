import DetentCore
import DetentPanel
import DetentTypes

/// Reads what a step expects: `{output: on}`, or `{output: {value: on, phase: idle}}`.
struct ExpectationReader {
    private let names: PanelNames
    private let log: ProblemLog

    private static let events = [
        "pressed", "released", "clicked", "double-clicked", "multi-clicked", "held", "repeated",
        "stepped", "moved", "invalid", "changed", "confirmed", "phase", "flag", "refused",
        "opened", "closed", "focused", "chosen", "staged", "armed", "progress", "indicator",
        "output", "lost", "fault",
    ]
    private static let flags = [
        "disabled", "mixed", "mismatch", "stale", "unconfirmed", "fault",
    ]

    init(_ names: PanelNames, _ log: ProblemLog) {
        self.names = names
        self.log = log
    }

    func expectations(_ node: YAMLNode) -> [Expectation] {
        guard let entries = node.entries else {
            log.error(
                .wrongType, at: node.place, "an expectation is a map, not \(node.form)",
                help: "write `{control: {value: …}}`")
            return []
        }
        var found: [Expectation] = []
        for entry in entries {
            guard let control = names.control(entry.key) else { continue }
            guard let fields = entry.value.entries else {
                if let one = expectation(.value, entry.value, control) { found.append(one) }
                continue
            }
            let known = Expectation.Field.allCases.map(\.rawValue)
            guard entry.value.hasOnly(known, log, in: "an expectation") else { continue }
            for field in fields {
                guard let kind = Expectation.Field(rawValue: field.name),
                    let one = expectation(kind, field.value, control)
                else { continue }
                found.append(one)
            }
        }
        return found
    }

    private func expectation(
        _ field: Expectation.Field, _ node: YAMLNode, _ control: ControlID
    ) -> Expectation? {
        guard let text = text(field, node, control) else { return nil }
        return Expectation(control: control, field: field, expected: text, place: node.place)
    }

    /// The expected word as the panel would say it.
    private func text(
        _ field: Expectation.Field, _ node: YAMLNode, _ control: ControlID
    ) -> String? {
        switch field {
        case .value, .actual, .position:
            if node.text == "unknown" { return "unknown" }
            guard let value = names.value(node, of: control) else { return nil }
            return names.plan(of: control).valueNames.name(of: value)
        case .phase:
            return node.word(of: Phase.allCases.map(\.word), log, "phase")
        case .indicator:
            return node.word(of: Pattern.allCases.map(\.word), log, "indicator")
        case .lamp:
            return node.word(of: ["on", "off"], log, "lamp")
        case .lost:
            return node.integer(in: 0...Int(UInt32.max), log, "lost").map(String.init)
        case .event:
            return node.word(of: Self.events, log, "event")
        case .flags:
            let items = node.items ?? (node.isNull ? [] : [node])
            let words = items.compactMap { $0.word(of: Self.flags, log, "flags") }
            return Self.flags.filter(words.contains).joined(separator: "+")
        }
    }
}
