public import DetentCore
public import DetentTypes

/// Writes reports of the engine as event lines, with the names of the panel.
public enum EventLine {
    /// One event as one JSON object, without a line feed.
    ///
    /// The order of keys is at, control, event, detail, origin, by: equal events give equal bytes.
    /// A control that is not in the plan is named `#` and its index. An event of the whole panel
    /// has no control.
    public static func text(_ report: Report, plan: PanelPlan, at instant: Instant) -> String {
        var text: [UInt8] = []
        write(report, plan: plan, at: instant, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds the same to a text.
    static func write(
        _ report: Report, plan: PanelPlan, at instant: Instant, to text: inout [UInt8]
    ) {
        var separator = "{"
        pass(on: report, plan: plan, at: instant) { name, value in
            text += separator.utf8
            separator = ", "
            JSONValue.write(name, to: &text)
            text += ": ".utf8
            value.write(to: &text)
        }
        text.append(UInt8(ascii: "}"))
    }

    /// The members of that object.
    public static func members(
        _ report: Report, plan: PanelPlan, at instant: Instant
    ) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = []
        pass(on: report, plan: plan, at: instant) { members.append(($0, $1)) }
        return members
    }

    /// Passes on the members of that object, in their order.
    private static func pass(
        on report: Report, plan: PanelPlan, at instant: Instant,
        to take: (String, JSONValue) -> Void
    ) {
        let index = Int(report.control.index)
        let isKnown = plan.controls.indices.contains(index)
        take("at", .unsigned(instant.nanoseconds))
        if report.control != Report.panel {
            take("control", .string(plan.id(of: report.control)))
        }
        let word = report.kind.word
        let facts = report.kind.facts
        take("event", .string(word.rawValue))
        // A button has no items: only that it was fired is told.
        let names = isKnown ? plan.controls[index].valueNames : .none
        let isFired = word == .chosen && names == .none
        if let first = facts.first, !isFired {
            take(first.name, json(first.content, of: report, plan))
        }
        if let second = facts.second { take(second.name, json(second.content, of: report, plan)) }
        if case .output(let line, _) = report.kind, plan.lines.indices.contains(Int(line.index)) {
            take("line", .string(plan.lines[Int(line.index)].name))
        }
        if let origin = facts.origin {
            take("origin", .string(origin.word))
            if let name = plan.callerName(of: origin) { take("by", .string(name)) }
        }
    }

    /// A value as JSON: a number for a dial, else a word.
    public static func json(_ value: Value, names: ValueNames) -> JSONValue {
        let name = names.name(of: value)
        if case .number = names, value != .unknown { return .number(name) }
        return .string(name)
    }

    /// The word of an event, and what it has in addition, as scenarios compare them.
    package static func words(
        _ report: Report, plan: PanelPlan
    ) -> (word: EventWord, detail: String?) {
        let detail = report.kind.facts.first.map { json($0.content, of: report, plan) }
        return (report.kind.word, detail.map { $0.text ?? $0.line })
    }

    /// What a member has, with the names of the panel.
    private static func json(
        _ content: EventFacts.Content, of report: Report, _ plan: PanelPlan
    ) -> JSONValue {
        let index = Int(report.control.index)
        let isKnown = plan.controls.indices.contains(index)
        let names = isKnown ? plan.controls[index].valueNames : .none
        func item(_ place: Value, of words: [String]) -> JSONValue {
            let index = Int(place.raw)
            // A number from 1 if it has no name.
            return words.indices.contains(index)
                ? .string(words[index]) : .number(String(Int64(place.raw) + 1))
        }
        return switch content {
        case .value(let value): json(value, names: names)
        case .item(let place): item(place, of: names.words)
        case .button(let place): item(place, of: plan.buttonWords(of: report.control))
        case .number(let number): .integer(number)
        case .word(let word): .string(word)
        case .truth(let isSo): .bool(isSo)
        case .reason(let reason): reason.text(in: plan).map(JSONValue.string) ?? .null
        }
    }
}
