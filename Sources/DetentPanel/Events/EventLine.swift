public import DetentCore
public import DetentTypes

/// Writes reports of the engine as event lines, with the names of the panel.
public enum EventLine {
    /// One event as one JSON object, without a line feed.
    ///
    /// The order of keys is at, control, event, detail, origin, by: equal events give equal bytes.
    /// A control that is not in the plan is named `#` and its index.
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
        take("control", .string(isKnown ? plan.controls[index].id : "#\(index)"))
        let names = isKnown ? plan.controls[index].valueNames : .none
        let detail = detail(of: report, names: names, plan)
        take("event", .string(detail.event))
        if let first = detail.first { take(first.0, first.1) }
        if let second = detail.second { take(second.0, second.1) }
        if case .output(let line, _) = report.kind, plan.lines.indices.contains(Int(line.index)) {
            take("line", .string(plan.lines[Int(line.index)].name))
        }
        if let origin = detail.origin {
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

    /// One option, item or button as JSON; a number from 1 if it has no name.
    private static func item(_ place: Value, of words: [String]) -> JSONValue {
        let index = Int(place.raw)
        return words.indices.contains(index)
            ? .string(words[index]) : .number(String(Int64(place.raw) + 1))
    }

    /// What an event says, with at most two members of its own.
    private struct Detail {
        let event: String
        let origin: Origin?
        let first: (String, JSONValue)?
        let second: (String, JSONValue)?

        init(
            _ event: String, by origin: Origin? = nil, _ first: (String, JSONValue)? = nil,
            _ second: (String, JSONValue)? = nil
        ) {
            self.event = event
            self.origin = origin
            self.first = first
            self.second = second
        }
    }

    private static func detail(
        of report: Report, names: ValueNames, _ plan: PanelPlan
    ) -> Detail {
        func item(_ place: Value) -> JSONValue { self.item(place, of: names.words) }
        func button(_ place: Value) -> JSONValue {
            self.item(place, of: plan.buttonWords(of: report.control))
        }
        func json(_ value: Value) -> JSONValue { self.json(value, names: names) }
        return switch report.kind {
        case .buttonPressed(let it): Detail("pressed", by: .panel, ("value", button(it)))
        case .buttonReleased(let it): Detail("released", by: .panel, ("value", button(it)))
        case .chosen(_, let origin) where names == .none: Detail("chosen", by: origin)
        case .chosen(let value, let origin): Detail("chosen", by: origin, ("value", item(value)))
        case .pressed: Detail("pressed", by: .panel)
        case .released: Detail("released", by: .panel)
        case .clicked: Detail("clicked", by: .panel)
        case .doubleClicked: Detail("double-clicked", by: .panel)
        case .multiClicked(let count):
            Detail("multi-clicked", by: .panel, ("count", .integer(Int64(count))))
        case .held: Detail("held", by: .panel)
        case .repeated: Detail("repeated", by: .panel)
        case .stepped(let delta): Detail("stepped", by: .panel, ("delta", .integer(Int64(delta))))
        case .moved(let position): Detail("moved", by: .panel, ("position", json(position)))
        case .changed(let value, let origin): Detail("changed", by: origin, ("value", json(value)))
        case .refused(let refusal, let origin):
            Detail("refused", by: origin, ("reason", .string(refusal.word)))
        case .confirmed(let value): Detail("confirmed", ("value", json(value)))
        case .phase(let phase, let reason):
            if let text = reason.text {
                Detail("phase", ("phase", .string(phase.word)), ("reason", .string(text)))
            } else {
                Detail("phase", ("phase", .string(phase.word)))
            }
        case .flag(let flag, let isSet):
            Detail("flag", ("name", .string(flag.word)), ("set", .bool(isSet)))
        case .armed: Detail("armed")
        case .opened: Detail("opened")
        case .closed: Detail("closed")
        case .focused(let focus): Detail("focused", ("value", item(focus)))
        case .staged(.unknown): Detail("staged", ("value", .string("none")))
        case .staged(let value): Detail("staged", ("value", json(value)))
        case .progress(let percent): Detail("progress", ("percent", .integer(Int64(percent))))
        case .indicator(let pattern): Detail("indicator", ("pattern", .string(pattern.word)))
        case .output(_, let level):
            Detail("output", ("level", .string(level == .active ? "active" : "inactive")))
        case .lost(let count): Detail("lost", ("count", .integer(Int64(count))))
        case .fault(let reason): Detail("fault", ("reason", .string(reason.word)))
        case .invalid: Detail("invalid")
        }
    }
}
