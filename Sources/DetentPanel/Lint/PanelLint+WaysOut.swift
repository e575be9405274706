extension Rule {
    /// A form or a menu ends in one way that keeps what was done.
    static let closeAndDone = Rule(
        "close-and-done", .warning,
        "A form or a menu ends in one way that keeps what was done. Beside `Done`, nobody can say "
            + "whether `Close` keeps it too. Only these titles and a few like them are found.")
}

extension PanelLint {
    /// Warns of a form or a menu with two ways out that both sound final.
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
            "`\(quoted(close.text ?? ""))` stands beside `\(quoted(done.text ?? ""))`",
            help: "call the one that drops what was done `Cancel`, or remove one of the two")
    }

    private static let done: Set = ["done", "finish", "ok", "okay"]
    private static let close: Set = ["close", "dismiss", "exit", "leave", "quit"]
}
