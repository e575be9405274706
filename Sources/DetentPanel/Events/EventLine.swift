public import DetentCore
public import DetentTypes

/// Writes reports of the engine as event lines, with the names of the panel.
public enum EventLine {
    /// One event as one JSON object, without a line feed.
    ///
    /// The order of keys is at, control, event, detail, origin: equal events give equal bytes. A
    /// control that is not in the plan is named `#` and its index.
    public static func text(_ report: Report, plan: PanelPlan, at instant: Instant) -> String {
        JSONValue.object(members(report, plan: plan, at: instant)).line
    }

    /// The members of that object.
    public static func members(
        _ report: Report, plan: PanelPlan, at instant: Instant
    ) -> [(String, JSONValue)] {
        let index = Int(report.control.index)
        let control = plan.controls.indices.contains(index) ? plan.controls[index] : nil
        var members: [(String, JSONValue)] = [
            ("at", .number(String(instant.nanoseconds))),
            ("control", .string(control?.id ?? "#\(index)")),
        ]
        let names: ValueNames =
            report.kind.isOfOneButton
            ? .options(plan.buttonWords(of: report.control)) : control?.valueNames ?? .none
        let detail = detail(of: report.kind, names: names)
        members.append(("event", .string(detail.event)))
        members += detail.members
        if case .output(let line, _) = report.kind, plan.lines.indices.contains(Int(line.index)) {
            members.append(("line", .string(plan.lines[Int(line.index)].name)))
        }
        if let origin = detail.origin { members.append(("origin", .string(origin.word))) }
        return members
    }

    /// A value as JSON: a number for a dial, else a word.
    public static func json(_ value: Value, names: ValueNames) -> JSONValue {
        let name = names.name(of: value)
        if case .number = names, value != .unknown { return .number(name) }
        return .string(name)
    }

    /// One option, item or button as JSON; a number from 1 if it has no name.
    private static func item(_ place: Value, names: ValueNames) -> JSONValue {
        let words = names.words
        let index = Int(place.raw)
        return words.indices.contains(index)
            ? .string(words[index]) : .number(String(Int64(place.raw) + 1))
    }

    private struct Detail {
        var event: String
        var members: [(String, JSONValue)] = []
        var origin: Origin?
    }

    private static func detail(of kind: Report.Kind, names: ValueNames) -> Detail {
        switch kind {
        case .buttonPressed(let button):
            Detail(
                event: "pressed", members: [("value", item(button, names: names))], origin: .panel)
        case .buttonReleased(let button):
            Detail(
                event: "released", members: [("value", item(button, names: names))],
                origin: .panel)
        case .chosen(let value, let origin):
            Detail(event: "chosen", members: [("value", item(value, names: names))], origin: origin)
        case .pressed: Detail(event: "pressed", origin: .panel)
        case .released: Detail(event: "released", origin: .panel)
        case .clicked: Detail(event: "clicked", origin: .panel)
        case .doubleClicked: Detail(event: "double-clicked", origin: .panel)
        case .multiClicked(let count):
            Detail(
                event: "multi-clicked", members: [("count", .integer(Int64(count)))],
                origin: .panel)
        case .held: Detail(event: "held", origin: .panel)
        case .repeated: Detail(event: "repeated", origin: .panel)
        case .stepped(let delta):
            Detail(event: "stepped", members: [("delta", .integer(Int64(delta)))], origin: .panel)
        case .moved(let position):
            Detail(
                event: "moved", members: [("position", json(position, names: names))],
                origin: .panel)
        case .changed(let value, let origin):
            Detail(
                event: "changed", members: [("value", json(value, names: names))], origin: origin)
        case .refused(let refusal, let origin):
            Detail(event: "refused", members: [("reason", .string(refusal.word))], origin: origin)
        case .invalid, .confirmed, .phase, .flag, .armed, .progress, .indicator, .output, .lost,
            .fault, .opened, .closed, .focused, .staged:
            detailWithoutOrigin(of: kind, names: names)
        }
    }

    private static func detailWithoutOrigin(
        of kind: Report.Kind, names: ValueNames
    ) -> Detail {
        switch kind {
        case .confirmed(let value):
            return Detail(event: "confirmed", members: [("value", json(value, names: names))])
        case .phase(let phase, let reason):
            var members: [(String, JSONValue)] = [("phase", .string(phase.word))]
            if let text = reason.text { members.append(("reason", .string(text))) }
            return Detail(event: "phase", members: members)
        case .flag(let flag, let isSet):
            return Detail(
                event: "flag", members: [("name", .string(flag.word)), ("set", .bool(isSet))])
        case .armed: return Detail(event: "armed")
        case .opened: return Detail(event: "opened")
        case .closed: return Detail(event: "closed")
        case .focused(let focus):
            return Detail(event: "focused", members: [("value", item(focus, names: names))])
        case .staged(let value):
            let staged = value == .unknown ? JSONValue.string("none") : json(value, names: names)
            return Detail(event: "staged", members: [("value", staged)])
        case .progress(let percent):
            return Detail(event: "progress", members: [("percent", .integer(Int64(percent)))])
        case .indicator(let pattern):
            return Detail(event: "indicator", members: [("pattern", .string(pattern.word))])
        case .output(_, let level):
            let word = level == .active ? "active" : "inactive"
            return Detail(event: "output", members: [("level", .string(word))])
        case .lost(let count):
            return Detail(event: "lost", members: [("count", .integer(Int64(count)))])
        case .fault(let reason):
            return Detail(event: "fault", members: [("reason", .string(reason.word))])
        case .invalid: return Detail(event: "invalid")
        case .pressed, .released, .clicked, .doubleClicked, .multiClicked, .held, .repeated,
            .stepped, .moved, .changed, .refused, .buttonPressed, .buttonReleased, .chosen:
            // Impossible: `detail` keeps every event with an origin.
            return Detail(event: "unknown")
        }
    }
}

extension Report.Kind {
    /// Whether it is about one of several buttons of the control.
    fileprivate var isOfOneButton: Bool {
        switch self {
        case .buttonPressed, .buttonReleased: true
        case .pressed, .released, .clicked, .doubleClicked, .multiClicked, .held, .repeated,
            .stepped, .moved, .invalid, .changed, .confirmed, .phase, .flag, .refused, .opened,
            .closed, .focused, .chosen, .staged, .armed, .progress, .indicator, .output, .lost,
            .fault:
            false
        }
    }
}
