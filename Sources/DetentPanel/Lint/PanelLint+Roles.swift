extension Rule {
    /// A destructive control needs a confirmation.
    static let destructiveWithoutConfirm = Rule(
        "destructive-without-confirm",
        "A destructive control needs a confirmation. A sleeve, a child or a loose contact can "
            + "press any button.")
    /// The primary button must not be destructive.
    static let destructivePrimary = Rule(
        "destructive-primary",
        "The primary button must not be destructive. People press it without reading.")
    /// A group has at most one primary button.
    static let severalPrimaries = Rule(
        "several-primaries", .warning,
        "A group has at most one primary button. If two are emphasised, neither stands out.")
}

extension PanelLint {
    /// Reports destructive buttons and commands without a confirmation.
    func checkDestructive(_ control: YAMLNode) {
        for command in [control] + commands(of: control) {
            guard let role = command["role"], role.text == "destructive",
                command["confirm"] == nil
            else { continue }
            log.error(
                .destructiveWithoutConfirm, at: role.place,
                "a destructive control fires at a single touch",
                help: "add `confirm: {hold: 2s}` or another confirmation")
        }
    }

    /// Reports forms that a destructive button applies, and groups with several primary buttons.
    func checkPrimaries() {
        let appliers = Set(controls.compactMap { $0.control["apply"]?.text })
        var first: [String: String] = [:]
        for (id, control) in controls {
            let applies = appliers.contains(id)
            if applies, let role = control["role"], role.text == "destructive" {
                log.error(
                    .destructivePrimary, at: role.place,
                    "the apply button `\(quoted(id))` is destructive",
                    help: "use another button to apply the form, or remove the role")
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
                help: "keep the more important one primary, or move one to another `group`")
        }
    }

    /// The commands of a menu and its submenus, or of a row of momentary buttons.
    func commands(of control: YAMLNode) -> [YAMLNode] {
        let items = control["items"]?.items ?? []
        let all = items + items.flatMap { $0["items"]?.items ?? [] }
        let options = control["selection"]?.text == "momentary" ? control["options"]?.items : nil
        return all + (options ?? [])
    }
}
