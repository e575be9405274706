extension Rule {
    /// The members of a group of checkboxes are checkboxes.
    static let switchInGroup = Rule(
        "switch-in-group", .warning,
        "The members of a group of checkboxes are checkboxes. A switch looks more important than a "
            + "checkbox, so under a parent it hides that the parent sets it.")
}

extension PanelLint {
    /// Warns of switches in a group of checkboxes.
    func checkMembers(_ control: YAMLNode) {
        guard control["kind"]?.text == "checkbox-group" else { return }
        for member in (control["members"]?.items ?? []).prefix(Limits.members) {
            guard let id = member.text, byID[id]?["kind"]?.text == "switch" else { continue }
            log.warning(
                .switchInGroup, at: member.place,
                "`\(quoted(id))` is a switch in a group of checkboxes",
                help: "write `kind: checkbox` for it, or remove it from `members`")
        }
    }
}
