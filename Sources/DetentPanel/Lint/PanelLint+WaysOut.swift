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
        let buttons = ["apply", "cancel"].compactMap { key in
            control[key]?.text.flatMap { byID[$0]?["label"] }
        }
        let titles = buttons + commands(of: control).compactMap { $0["name"] }
        let done = titles.first { Self.done.contains($0.text?.lowercased() ?? "") }
        let close = titles.first { Self.close.contains($0.text?.lowercased() ?? "") }
        guard let done, let close else { return }
        log.warning(
            .closeAndDone, at: close.place,
            "`\(quoted(close.text ?? ""))` is next to `\(quoted(done.text ?? ""))`",
            help: "name the button that discards changes `Cancel`, or remove one of the two")
    }

    private static let done: Set = ["done", "finish", "ok", "okay"]
    private static let close: Set = ["close", "dismiss", "exit", "leave", "quit"]
}
