import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld

/// Reads what a step expects: `{output: on}`, `{output: {value: on, phase: idle}}`, or
/// `{lines: {GPIO5: active}}`.
struct ExpectationReader {
    let names: PanelNames
    private var log: ProblemLog { names.log }

    private static let flags = Flag.words.map(\.word)
    private static let levels = ["active", "inactive"]
    private static let lines = "lines"

    func expectations(_ node: YAMLNode) -> [Expectation] {
        guard let entries = node.entries else {
            log.error(
                .wrongType, at: node.place, "an expectation must be a map, not \(node.form)",
                help: "write `{control: {value: …}}`")
            return []
        }
        return entries.flatMap { entry in
            // A control with the name `lines` takes precedence.
            entry.name == Self.lines && !names.plan.controls.contains { $0.id == Self.lines }
                ? levels(entry.value) : fields(entry)
        }
    }

    private func levels(_ node: YAMLNode) -> [Expectation] {
        guard let entries = node.entries else {
            log.error(
                .wrongType, at: node.place, "`lines` must be a map, not \(node.form)",
                help: "write `{lines: {\(names.plan.lines.first?.name ?? "GPIO5"): active}}`")
            return []
        }
        return entries.compactMap { entry in
            guard let line = names.line(entry.key),
                let word = entry.value.word(of: Self.levels, log, entry.name)
            else { return nil }
            return Expectation(subject: .line(line), expected: word, place: entry.value.place)
        }
    }

    private func fields(_ entry: YAMLEntry) -> [Expectation] {
        guard let control = names.control(entry.key) else { return [] }
        guard let fields = entry.value.entries else {
            return expectation(.value, entry.value, control).map { [$0] } ?? []
        }
        let known = Expectation.Field.allCases.map(\.rawValue)
        guard entry.value.hasOnly(known, log, in: "an expectation") else { return [] }
        return fields.compactMap { field in
            Expectation.Field(rawValue: field.name).flatMap {
                expectation($0, field.value, control)
            }
        }
    }

    private func expectation(
        _ field: Expectation.Field, _ node: YAMLNode, _ control: ControlID
    ) -> Expectation? {
        guard let text = text(field, node, control) else { return nil }
        return Expectation(subject: .control(control, field), expected: text, place: node.place)
    }

    /// The expected word, in the panel's form.
    private func text(
        _ field: Expectation.Field, _ node: YAMLNode, _ control: ControlID
    ) -> String? {
        switch field {
        case .value, .actual, .position:
            return node.text == "unknown" ? "unknown" : value(node, control)
        case .phase:
            return node.word(of: Phase.allCases.map(\.word), log, "phase")
        case .indicator:
            return node.word(of: Pattern.allCases.map(\.word), log, "indicator")
        case .lamp:
            return node.word(of: ["on", "off"], log, "lamp")
        case .lost:
            return node.integer(in: 0...Int(UInt32.max), log, "lost").map(String.init)
        case .focus:
            return names.item(node, of: control, orNone: true)
        case .staged:
            return node.text == "none" ? "none" : value(node, control)
        case .progress:
            return progress(node)
        case .event:
            return event(node, control)
        case .display:
            return display(node, control)
        case .asked:
            return asked(node)
        case .flags:
            let items = node.items ?? (node.isNull ? [] : [node])
            let words = items.compactMap { $0.word(of: Self.flags, log, "flags") }
            return Self.flags.filter(words.contains).joined(separator: "+")
        }
    }

    /// What an attempt asks for, as the page shows it; a list is a program with its arguments.
    private func asked(_ node: YAMLNode) -> String? {
        guard let items = node.items else {
            return node.isNull ? "" : node.text(log, "asked")
        }
        let words = items.compactMap { $0.text(log, "asked") }
        return words.count == items.count
            ? "run: [" + words.map(quoted).joined(separator: ", ") + "]" : nil
    }

    /// The rows of the control's display; a text is the only row.
    private func display(_ node: YAMLNode, _ control: ControlID) -> String? {
        guard let place = names.plan.display(of: control) else {
            return log.refuse(
                .unknownWord, at: node.place,
                "`\(names.plan[control].id)` has no `display` in the panel file",
                help: "expect another field, or give the control a display")
        }
        let items = node.items ?? (node.isNull ? [] : [node])
        let rows = items.map { $0.text ?? "" }
        let most = names.plan.displays[place].rows
        guard rows.count <= most else {
            return log.refuse(
                .outOfRange, at: node.place, "`display` has \(rows.count) rows",
                help: "the display of `\(names.plan[control].id)` has \(most)")
        }
        return Expectation.Field.display(rows)
    }

    private func value(_ node: YAMLNode, _ control: ControlID) -> String? {
        if node.text == "mixed", names.plan(of: control).valueNames == .onOff { return "mixed" }
        return names.value(node, of: control).map {
            names.plan(of: control).valueNames.name(of: $0)
        }
    }

    /// Progress is reported in steps of 10.
    private func progress(_ node: YAMLNode) -> String? {
        guard let percent = node.integer(in: 0...100, log, "progress") else { return nil }
        guard percent % 10 == 0 else {
            return log.refuse(
                .outOfRange, at: node.place, "`progress` is \(percent)",
                help: "use one of 0, 10, 20 … 100")
        }
        return String(percent)
    }

    // MARK: Events

    /// `changed`, or `{changed: on}`.
    private func event(_ node: YAMLNode, _ control: ControlID) -> String? {
        let known = EventWord.allCases.filter { !$0.isOfPanel }.map(\.rawValue)
        guard let entries = node.entries else { return node.word(of: known, log, "event") }
        guard entries.count == 1, let entry = entries.first else {
            let example = entries.first.map { "\($0.name): \(quoted($0.value.text ?? "on"))" }
            return log.refuse(
                .conflictingKeys, at: node.place, "`event` takes one event, not \(entries.count)",
                help: "write `{\(example ?? "changed: on")}`, and a step for each event")
        }
        guard let word = entry.key.word(of: known, log, "event"),
            let detail = EventWord(rawValue: word)?.detail,
            let text = text(detail, entry, control)
        else { return nil }
        return word + " " + text
    }

    private func text(
        _ detail: EventWord.Detail, _ entry: YAMLEntry, _ control: ControlID
    ) -> String? {
        let node = entry.value
        switch detail {
        case .nothing:
            return log.refuse(
                .wrongType, at: node.place, "`\(entry.name)` has no content to compare",
                help: "write `event: \(entry.name)`")
        case .button:
            return names.button(node, of: control).map {
                names.plan.buttonWords(of: control)[$0]
            }
        case .value: return node.text == "unknown" ? "unknown" : value(node, control)
        case .item: return names.item(node, of: control, orNone: false)
        case .staged: return node.text == "none" ? "none" : value(node, control)
        case .percent: return progress(node)
        case .count:
            return node.integer(in: 0...Int(UInt32.max), log, entry.name).map(String.init)
        case .delta:
            return node.integer(in: -1_000...1_000, log, entry.name).map(String.init)
        case .word(let words): return node.word(of: words, log, entry.name)
        }
    }
}
