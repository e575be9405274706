extension Rule {
    /// A form or a menu has one button that keeps the changes.
    static let closeAndDone = Rule(
        "close-and-done", .warning,
        "A form or a menu has one button that keeps the changes. Next to `Done`, it is unclear "
            + "whether `Close` keeps them too. The rule reports only these titles and a few "
            + "similar ones.")
}

extension PanelLint {
    /// Warns of a form or a menu with two buttons that both seem to keep the changes.
    func checkWaysOut(_ control: YAMLNode) {
        let buttons = ["apply", "cancel"].compactMap { control[$0]?.text.flatMap { byID[$0] } }
        let commands = commands(of: control)
        let done = title(of: buttons + commands, role: .done, words: Self.done)
        let close = title(of: buttons + commands, role: .close, words: Self.close)
        guard let done, let close else { return }
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
