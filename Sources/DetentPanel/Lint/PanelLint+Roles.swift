extension Rule {
    /// What destroys asks once more.
    static let destructiveWithoutConfirm = Rule(
        "destructive-without-confirm",
        "What destroys asks once more. A sleeve, a child or a loose contact can press any button, "
            + "and what is gone does not come back.")
    /// What is offered first never destroys.
    static let destructivePrimary = Rule(
        "destructive-primary",
        "What is offered first never destroys. The primary button is the one that people press "
            + "without reading.")
    /// A group has one primary button.
    static let severalPrimaries = Rule(
        "several-primaries", .warning,
        "A group has one primary button. Where two stand out, neither does.")
}

extension PanelLint {
    /// Reports buttons and commands that destroy at one touch.
    func checkDestructive(_ control: YAMLNode) {
        for command in [control] + commands(of: control) {
            guard let role = command["role"], role.text == "destructive",
                command["confirm"] == nil
            else { continue }
            log.error(
                .destructiveWithoutConfirm, at: role.place,
                "one touch is enough for what is marked as destructive",
                help: "add `confirm: {hold: 2s}`, or another way to ask")
        }
    }

    /// Reports forms that a destructive button applies, and groups with several primary ones.
    func checkPrimaries() {
        let appliers = Set(controls.compactMap { $0.control["apply"]?.text })
        var first: [String: String] = [:]
        for (id, control) in controls {
            let applies = appliers.contains(id)
            if applies, let role = control["role"], role.text == "destructive" {
                log.error(
                    .destructivePrimary, at: role.place,
                    "`\(quoted(id))` applies a form, and is marked as destructive",
                    help: "apply the form by another button, or remove the role")
            }
            guard applies || control["role"]?.text == "primary" else { continue }
            let group = control["group"]?.text ?? ""
            guard let other = first[group] else {
                first[group] = id
                continue
            }
            log.warning(
                .severalPrimaries, at: (control["role"] ?? control["label"] ?? control).place,
                "`\(quoted(id))` is primary, and so is `\(quoted(other))` of the same group",
                help: "keep the one that people press most, or give one of the two another `group`")
        }
    }

    /// The commands of a menu with those of its submenus, and of a row of momentary buttons.
    func commands(of control: YAMLNode) -> [YAMLNode] {
        let items = control["items"]?.items ?? []
        let all = items + items.flatMap { $0["items"]?.items ?? [] }
        let options = control["selection"]?.text == "momentary" ? control["options"]?.items : nil
        return all + (options ?? [])
    }
}
