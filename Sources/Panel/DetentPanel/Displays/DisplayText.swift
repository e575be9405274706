import DetentCore
public import DetentTypes

/// What a display says about one control.
///
/// The first row has the name of the control or of the open submenu. The other rows say what it
/// does: the items around the focus, the value, the question of a confirmation, the activity, or
/// the failure. A display with one row leaves out the name, unless there is nothing else to say.
public struct DisplayText: Sendable {
    private let plan: PanelPlan
    private let display: DisplayPlan

    /// Makes the texts of one display.
    public init(_ display: DisplayPlan, of plan: PanelPlan) {
        self.display = display
        self.plan = plan
    }

    /// The rows, as many as the display has, none longer than its columns.
    public func rows(_ id: ControlID, _ facts: DisplayFacts) -> [String] {
        let control = plan[id]
        let body = body(id, control, facts)
        var rows = body
        if display.rows > 1 || body.isEmpty { rows.insert(title(control, facts), at: 0) }
        rows = rows.prefix(display.rows).map { cut($0, to: display.columns) }
        return rows + Array(repeating: "", count: display.rows - rows.count)
    }

    private func cut(_ text: String, to count: Int) -> String {
        if case .message = display.device { return Self.cutDigits(text, to: count) }
        let text = display.device.hasFewLetters ? DisplayLetters.fold(text) : text
        return text.count <= count ? text : text.prefix(count - 1) + "…"
    }

    /// Digits have no letter that says that a text was cut. A number of which a part is missing
    /// would be another number, so it is shown as dashes.
    private static func cutDigits(_ text: String, to count: Int) -> String {
        let text = DisplayLetters.fold(text).filter(\.isASCII)
        guard text.count > count else { return text }
        let isNumber = text.allSatisfy { $0.isNumber || $0 == "-" || $0 == "." }
        return isNumber ? String(repeating: "-", count: count) : String(text.prefix(count))
    }

    private func title(_ control: ControlPlan, _ facts: DisplayFacts) -> String {
        guard let parent = parent(of: facts.focus, control) else { return control.label }
        return control.title(of: Value(Int32(parent)))
    }

    private func body(
        _ id: ControlID, _ control: ControlPlan, _ facts: DisplayFacts
    ) -> [String] {
        if facts.flags.contains(.fault) { return ["Line fault"] }
        if facts.progress > 0 { return [confirming(id, control, facts)] }
        if facts.focus != .unknown { return list(control, facts.focus) }
        let name = named(control, facts)
        switch facts.phase {
        case .pending where !control.hasEvents: return [name]
        case .pending, .loading: return [working(control, name)]
        case .failed:
            if control.hasEvents { return [name.isEmpty ? "Failed" : "Failed: \(name)"] }
            return display.rows > 2 ? [name, "Failed"] : ["Failed"]
        case .idle:
            if control.hasEvents {
                return facts.flags.contains(.disabled) ? ["Disabled"] : []
            }
            return facts.flags.contains(.disabled) ? [name, "Disabled"] : [name]
        }
    }

    /// The value, or the item that was chosen; empty for a button.
    private func named(_ control: ControlPlan, _ facts: DisplayFacts) -> String {
        if control.hasEvents {
            return facts.chosen == .unknown ? "" : control.title(of: facts.chosen)
        }
        return control.title(of: facts.staged == .unknown ? facts.value : facts.staged)
    }

    private func working(_ control: ControlPlan, _ name: String) -> String {
        let words = name.isEmpty ? control.layout.activeLabel ?? "Working" : name
        return words.hasSuffix("…") ? words : words + "…"
    }

    /// "Erase Log?" before a second press, and "Erase Log 40 %" during a hold.
    private func confirming(
        _ id: ControlID, _ control: ControlPlan, _ facts: DisplayFacts
    ) -> String {
        let isItem = facts.focus != .unknown
        let name = isItem ? control.title(of: facts.focus) : control.label
        let plan = plan.confirmation(of: id, for: isItem ? facts.focus : nil)
        switch plan?.method {
        case .pressTwice, .arm: return name + "?"
        case .hold, .guard, .chord, nil: return "\(name) \(facts.progress) %"
        }
    }

    // MARK: Lists

    /// The items around the focus, which has a mark if there is room for several.
    private func list(_ control: ControlPlan, _ focus: Value) -> [String] {
        let above = parent(of: focus, control)
        let level = control.valueNames.words.indices.filter { itemParent($0, control) == above }
        guard let here = level.firstIndex(of: Int(focus.raw)) else {
            return [control.title(of: focus)]
        }
        let room = max(1, display.rows - 1)
        let first = min(max(0, here - (room - 1) / 2), max(0, level.count - room))
        return level[first..<min(first + room, level.count)].map { place in
            let name = control.title(of: Value(Int32(place)))
            return room == 1 ? name : (place == level[here] ? "> " : "  ") + name
        }
    }

    private func parent(of focus: Value, _ control: ControlPlan) -> Int? {
        focus == .unknown ? nil : itemParent(Int(focus.raw), control)
    }

    private func itemParent(_ place: Int, _ control: ControlPlan) -> Int? {
        control.layout.items.indices.contains(place) ? control.layout.items[place].parent : nil
    }
}

extension ControlPlan {
    /// Whether it has events and no value.
    var hasEvents: Bool {
        switch valueNames {
        case .none, .commands: true
        case .onOff, .threeWay, .options, .several, .number: false
        }
    }

    /// What people read for each of its words.
    package var titles: [String] {
        guard layout.stateNames.isEmpty else { return layout.stateNames }
        return switch valueNames {
        case .onOff: ["Off", "On"]
        case .threeWay: ["Down", "Center", "Up"]
        case .none, .options, .several, .commands, .number: valueNames.words
        }
    }

    /// What people read for a value, or for an item by its index.
    func title(of value: Value) -> String {
        if value == .unknown { return "–" }
        switch valueNames {
        case .none, .options, .commands, .number: return valueNames.name(of: value)
        case .several(let names):
            let chosen = ValueNames.chosen(value, of: names)
            return chosen.isEmpty ? "None" : chosen.joined(separator: ", ")
        case .onOff, .threeWay:
            let place = Int(value.raw)
            if titles.indices.contains(place) { return titles[place] }
            return valueNames == .onOff ? "Mixed" : "–"
        }
    }
}
