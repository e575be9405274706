extension Rule {
    /// Either all options of a control have symbols, or none.
    static let symbolsMixed = Rule(
        "symbols-mixed", .warning,
        "Either all options of a control have symbols, or none. Among symbols a word looks like a "
            + "heading, and among words a symbol looks like a warning.")
}

extension PanelLint {
    /// Warns of a choice in which only some options have a symbol.
    func checkSymbols(_ control: YAMLNode) {
        guard control.takes("options", schema) else { return }
        let options = (control["options"]?.items ?? []).prefix(Limits.options)
        let plain = options.filter { $0["symbol"] == nil }
        guard let first = plain.first, plain.count < options.count else { return }
        let name = first.text ?? first["name"]?.text ?? ""
        log.warning(
            .symbolsMixed, at: first.place,
            "option `\(quoted(name))` has no symbol, but other options have one",
            help: "give every option a symbol, or none")
    }
}
