import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld

/// Finds controls, lines, buttons and values of a panel by the names in a scenario.
struct PanelNames {
    let plan: PanelPlan
    let log: ProblemLog

    static let unknownControl = Rule(
        "unknown-control", "A scenario can only move controls that the panel has.")
    static let unknownLine = Rule(
        "unknown-line", "A scenario can only check lines that the panel has.")
    static let wrongPart = Rule("wrong-part", "A gesture must suit the part.")

    /// The control with the name in a scalar.
    func control(_ node: YAMLNode) -> ControlID? {
        guard let name = node.text(log, "control") else { return nil }
        if let control = plan.control(named: name) {
            log.mention(name, at: node.place)
            return control
        }
        let known = plan.controls.map(\.id)
        return log.refuse(
            Self.unknownControl, at: node.place,
            "the panel has no control `\(quoted(name))`",
            help: didYouMean(name, among: known)
                + "controls: \(known.joined(separator: ", "))",
            known: known)
    }

    func plan(of control: ControlID) -> ControlPlan { plan[control] }

    /// A value of a control; several options can be a list.
    func value(_ node: YAMLNode, of control: ControlID) -> Value? {
        let controlPlan = plan(of: control)
        var word: String?
        if case .several = controlPlan.valueNames, let items = node.items {
            let words = items.compactMap { $0.text(log, controlPlan.id) }
            guard words.count == items.count else { return nil }
            word = words.isEmpty ? "none" : words.joined(separator: "+")
        } else {
            word = node.text(log, controlPlan.id)
        }
        guard let word else { return nil }
        if let value = controlPlan.valueNames.value(named: word) { return value }
        let events = controlPlan.valueNames.eventWords
        guard events.isEmpty else {
            return log.refuse(
                Self.wrongPart, at: node.place, "`\(controlPlan.id)` has no value",
                help: "it has events; use `event: pressed`, or `set` one of: "
                    + events.joined(separator: ", "))
        }
        return unknown(
            word, "value", node, of: control, controlPlan.valueNames.remedy,
            known: controlPlan.valueNames.words)
    }

    /// How far a word or a map with `by` leads from the shown value; nil where it is a value.
    func distance(_ node: YAMLNode, of control: ControlID) -> Int32? {
        let controlPlan = plan(of: control)
        if let by = node["by"]?.text { return controlPlan.distance(by: by) }
        guard let word = node.text, controlPlan.valueNames.value(named: word) == nil else {
            return nil
        }
        return controlPlan.distance(named: word)
    }

    /// An event of a control without values.
    func event(_ node: YAMLNode, of control: ControlID) -> Value? {
        let controlPlan = plan(of: control)
        guard let word = node.text(log, controlPlan.id) else { return nil }
        if let event = controlPlan.valueNames.event(named: word) { return event }
        return unknown(
            word, "event", node, of: control,
            "one of: \(controlPlan.valueNames.eventWords.joined(separator: ", "))",
            known: controlPlan.valueNames.eventWords)
    }

    /// The word of an option or item, or `none` if that is allowed.
    func item(_ node: YAMLNode, of control: ControlID, orNone: Bool) -> String? {
        let controlPlan = plan(of: control)
        guard let word = node.text(log, controlPlan.id) else { return nil }
        let names = controlPlan.valueNames.words
        let words = names.isEmpty ? plan.buttonWords(of: control) : names
        if words.contains(word) || orNone && word == "none" { return word }
        return unknown(
            word, "option or item", node, of: control,
            words.isEmpty
                ? "it has none"
                : "one of: "
                    + (words + (orNone ? ["none"] : []))
                    .joined(separator: ", "),
            known: words + (orNone ? ["none"] : []))
    }

    /// A button of a row.
    func button(_ node: YAMLNode, of control: ControlID) -> Int? {
        let controlPlan = plan(of: control)
        let words = plan.buttonWords(of: control)
        guard !words.isEmpty else {
            return log.refuse(
                Self.wrongPart, at: node.place, "`\(controlPlan.id)` is not a row of buttons",
                help: plan.possibleGestures(of: control))
        }
        guard let word = node.text(log, "button") else { return nil }
        if let place = plan.button(named: word, of: control) { return place }
        return unknown(
            word, "button", node, of: control,
            "one of: \(words.joined(separator: ", ")), or a number from 1", known: words)
    }

    private func unknown<Value>(
        _ word: String, _ what: String, _ node: YAMLNode, of control: ControlID, _ help: String,
        known: [String]
    ) -> Value? {
        log.refuse(
            .unknownWord, at: node.place,
            "`\(quoted(word))` is not a valid \(what) of `\(plan(of: control).id)`", help: help,
            known: known)
    }

    /// A line of the panel, of any use.
    func line(_ node: YAMLNode) -> LineID? {
        guard let name = node.text(log, "line") else { return nil }
        if let line = plan.line(named: name) { return line }
        let known = plan.lines.map(\.name)
        return log.refuse(
            Self.unknownLine, at: node.place, "the panel has no line `\(quoted(name))`",
            help: didYouMean(name, among: known)
                + "lines: \(known.joined(separator: ", "))",
            known: known)
    }

    /// A contact line of a control: the named one, or the first.
    func line(_ node: YAMLNode?, of control: ControlID, at place: SourcePlace) -> LineID? {
        let contacts = plan(of: control).settings.contacts
        let own = (contacts.first..<contacts.first + contacts.count).map { LineID($0) }
        guard let first = own.first else {
            return log.refuse(
                PanelNames.unknownControl, at: place,
                "`\(plan(of: control).id)` has no contact", help: "name a control with an input")
        }
        guard let node else { return first }
        let names = own.map { plan[$0].name }
        guard let word = node.word(of: names, log, "line") else { return nil }
        return names.firstIndex(of: word).map { own[$0] }
    }
}
