extension Rule {
    /// Either all options of a control have symbols, or none.
    static let symbolsMixed = Rule(
        "symbols-mixed", .warning,
        "Either all options of a control have symbols, or none. Among symbols a word looks like a "
            + "heading, and among words a symbol looks like a warning.")
    /// A symbol is one that the page draws, or a sign of one or two letters.
    static let symbolUnknown = Rule(
        "symbol-unknown", .warning,
        "A symbol is one that the page draws, or a sign of one or two letters. Another word is "
            + "written on the cap, which is made for a symbol. docs/symbols.md shows all of them.")
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

    /// Warns of symbols that the page has no drawing for.
    func checkKnownSymbols(_ control: YAMLNode) {
        let options = (control["options"]?.items ?? []).prefix(Limits.options)
        for node in [control] + options + commands(of: control) {
            guard let symbol = node["symbol"], let word = symbol.text, word.count > 2,
                !FaceSymbol.words.contains(word)
            else { continue }
            let nearest = nearestWord(to: word, among: FaceSymbol.words)
            log.warning(
                .symbolUnknown, at: symbol.place, "there is no symbol `\(quoted(word))`",
                help: nearest.map { "did you mean `\($0)`?" }
                    ?? "docs/symbols.md shows all symbols; a sign such as `♪` is written as it is")
        }
    }
}
