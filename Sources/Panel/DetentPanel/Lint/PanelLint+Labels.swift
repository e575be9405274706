extension Rule {
    /// A label names one control of its group.
    static let labelTwice = Rule(
        "label-twice", .warning,
        "A label names one control of its group. In a log and for a screen reader, two controls "
            + "with one name are the same. In two groups with different names, a label may be used "
            + "twice.")
    /// A label has at most 40 characters.
    static let labelLong = Rule(
        "label-long", .warning,
        "A label has at most 40 characters. A longer one does not fit beside a part and "
            + "cannot be read at a glance.")
}

extension PanelLint {
    /// Warns of a switch or a button of two states whose label contains a state.
    func checkLabelState(_ control: YAMLNode) {
        guard let kind = control["kind"]?.text, Self.isOnOrOff.contains(kind),
            let label = control["label"], let text = label.text
        else { return }
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard let word = words.first(where: Self.states.contains) else { return }
        let reason =
            ["on", "off"].contains(word)
            ? "which is a value of the \(kind == "switch" ? "switch" : "control")"
            : "which is a state, not a name"
        log.warning(
            .labelOnOff, at: label.place, "the label contains `\(word)`, \(reason)",
            help: "name the thing that is switched, such as `Output`")
    }

    private static let isOnOrOff: Set = ["switch", "toggle-button", "checkbox", "checkbox-group"]
    private static let states: Set = ["on", "off", "enabled", "disabled"]

    /// Warns of a label that is too long to be read at a glance.
    func checkLabelLength(_ control: YAMLNode) {
        guard let label = control["label"], let count = label.text?.count,
            count > Limits.labelCharacters, count <= Limits.textCharacters
        else { return }
        log.warning(
            .labelLong, at: label.place,
            "the label has \(count) characters; at most \(Limits.labelCharacters) can be read "
                + "at a glance",
            help: "keep the words that tell this control from the others")
    }

    /// Warns of a second control with the same label in the same group.
    func checkLabelsTwice() {
        var first: [[String]: String] = [:]
        let parents = parents
        for (id, control) in controls {
            guard let label = control["label"], let text = label.text, !text.isEmpty else {
                continue
            }
            let place = [text.lowercased(), control["group"]?.text ?? "", parents[id] ?? ""]
            guard let other = first[place] else {
                first[place] = id
                continue
            }
            // A duplicate key has been reported already.
            guard other != id else { continue }
            log.warning(
                .labelTwice, at: label.place,
                "`\(quoted(id))` has the same label as `\(quoted(other))`",
                help: "use different labels, or show the two in different groups (`group`)")
        }
    }

    /// The id of the group of checkboxes or of the form that contains a control.
    private var parents: [String: String] {
        var parents: [String: String] = [:]
        for (id, control) in controls where control["members"] != nil {
            for member in control["members"]?.items ?? [] {
                if let member = member.text, parents[member] == nil { parents[member] = id }
            }
        }
        return parents
    }
}
