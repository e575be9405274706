extension Rule {
    /// A form, a menu or a group has one button that keeps the changes.
    static let closeAndDone = Rule(
        "close-and-done", .warning,
        "A form, a menu or a group has one button that keeps the changes. Next to `Done`, it is "
            + "unclear whether `Close` keeps them too. The rule reports only these titles and a "
            + "few similar ones; in a group it reports only the roles.")
    /// A disclosure shows other controls of its group.
    static let nothingDisclosed = Rule(
        "nothing-disclosed", .warning,
        "A disclosure shows other controls of its group. Alone in its group, it opens and shows "
            + "nothing.")
}

extension PanelLint {
    /// Warns of a form or a menu with two buttons that both seem to keep the changes.
    func checkWaysOut(_ control: YAMLNode) {
        let buttons = ["apply", "cancel"].compactMap { control[$0]?.text.flatMap { byID[$0] } }
        let commands = commands(of: control)
        let done = title(of: buttons + commands, role: .done, words: Self.done)
        let close = title(of: buttons + commands, role: .close, words: Self.close)
        guard let done, let close else { return }
        warn(done, close)
    }

    /// Warns of groups with two ways out, and of disclosures that have nothing to show.
    func checkGroups() {
        for members in Dictionary(grouping: controls, by: { $0.control["group"]?.text }).values {
            let nodes = members.map(\.control)
            let forms = nodes.contains { $0["kind"]?.text == "form" }
            if !forms, let done = title(of: nodes, role: .done, words: []),
                let close = title(of: nodes, role: .close, words: [])
            {
                warn(done, close)
            }
            let isDisclosure = { (node: YAMLNode) in node["role"]?.text == "disclosure" }
            guard nodes.allSatisfy(isDisclosure) else { continue }
            for role in nodes.compactMap({ $0["role"] }) {
                log.warning(
                    .nothingDisclosed, at: role.place, "the disclosure is alone in its group",
                    help: "give the controls that it shows the same `group`, or remove it")
            }
        }
    }

    private func warn(_ done: YAMLNode, _ close: YAMLNode) {
        log.warning(
            .closeAndDone, at: close.place,
            "`\(quoted(close.text ?? ""))` is next to `\(quoted(done.text ?? ""))`",
            help: "name the button that discards changes `Cancel`, or remove one of the two")
    }

    /// The title of the first command that has the role, or whose title says so.
    private func title(
        of commands: [YAMLNode], role: ButtonRole, words: Set<String>
    ) -> YAMLNode? {
        let found = commands.first { command in
            let title = (command["label"] ?? command["name"])?.text?.lowercased() ?? ""
            return command["role"]?.text == role.word || words.contains(title)
        }
        return found?["label"] ?? found?["name"]
    }

    private static let done: Set = ["done", "finish", "ok", "okay"]
    private static let close: Set = ["close", "dismiss", "exit", "leave", "quit"]
}
