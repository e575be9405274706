import DetentCore
import DetentPanel
import DetentTypes

/// Finds controls, lines and values of a panel by the words of a scenario.
struct PanelNames {
    let plan: PanelPlan
    let log: ProblemLog

    static let unknownControl = Rule("unknown-control", "A scenario moves what the panel has.")

    /// The control that a scalar names.
    func control(_ node: YAMLNode) -> ControlID? {
        guard let name = node.text(log, "control") else { return nil }
        if let place = plan.controls.firstIndex(where: { $0.id == name }) {
            return ControlID(UInt16(place))
        }
        let known = plan.controls.map(\.id)
        let nearest = nearestWord(to: name, among: known)
        log.error(
            Self.unknownControl, at: node.place,
            "the panel has no control `\(quoted(name))`",
            help: (nearest.map { "did you mean `\($0)`? " } ?? "")
                + "controls: \(known.joined(separator: ", "))")
        return nil
    }

    func plan(of control: ControlID) -> ControlPlan { plan.controls[Int(control.index)] }

    /// A value of a control.
    func value(_ node: YAMLNode, of control: ControlID) -> Value? {
        guard let word = node.text(log, plan(of: control).id) else { return nil }
        let names = plan(of: control).valueNames
        if let value = names.value(named: word) { return value }
        let known = names.words
        log.error(
            .unknownWord, at: node.place,
            "`\(quoted(word))` is no value of `\(plan(of: control).id)`",
            help: known.isEmpty ? "write a number" : "values: \(known.joined(separator: ", "))")
        return nil
    }

    /// A contact line of a control: the one that is named, or its first.
    func line(_ node: YAMLNode?, of control: ControlID, at place: SourcePlace) -> LineID? {
        let contacts = plan(of: control).settings.contacts
        let own = (contacts.first..<contacts.first + contacts.count).map { LineID($0) }
        guard let first = own.first else {
            log.error(
                PanelNames.unknownControl, at: place,
                "`\(plan(of: control).id)` has no contact", help: "name a control with an input")
            return nil
        }
        guard let node else { return first }
        let names = own.map { plan.lines[Int($0.index)].name }
        guard let word = node.word(of: names, log, "line") else { return nil }
        return names.firstIndex(of: word).map { own[$0] }
    }
}
