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
    /// A symbol does not say the opposite of its button.
    static let symbolMisleads = Rule(
        "symbol-misleads", .warning,
        "A symbol does not say the opposite of its button. A plus sign adds, a minus sign takes "
            + "away, a check mark agrees, a cross leaves, and an `i` tells something. People "
            + "read the symbol before the words.")
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

    /// Warns of symbols whose meaning is well known, on buttons that do something else.
    func checkSymbolMeanings(_ control: YAMLNode) {
        let own = control["kind"]?.text == "button" ? [control] : []
        for node in own + commands(of: control) {
            guard let symbol = node["symbol"], let word = symbol.text,
                let (roles, verbs) = Self.misleading[word]
            else { continue }
            let title = (node["label"] ?? node["name"])?.text ?? ""
            let verb = title.prefix(while: \.isLetter).lowercased()
            let role = node["role"]?.text ?? ""
            guard roles.contains(role) || verbs.contains(verb) else { continue }
            let deed = roles.contains(role) ? "a button with the role `\(role)`" : "`\(verb)`"
            log.warning(
                .symbolMisleads, at: symbol.place,
                "the symbol `\(word)` means something else than \(deed)",
                help: "choose another symbol, or remove it: the page shows that of the role")
        }
    }

    /// For each such symbol, the roles and the first words that it contradicts.
    private static let misleading: [String: (roles: Set<String>, verbs: Set<String>)] = [
        "info": (["primary", "cancel", "destructive", "close", "done", "disclosure"], takers),
        "plus": (["cancel", "destructive", "close", "info", "disclosure"], takers),
        "minus": (["primary", "done", "info", "disclosure"], givers),
        "check": (["cancel", "destructive", "close", "info", "disclosure"], takers),
        "cross": (["primary", "done", "info", "disclosure"], givers),
    ]
    private static let takers: Set = [
        "clear", "decrease", "delete", "discard", "drop", "erase", "format", "kill", "lower",
        "remove", "reset", "stop", "wipe",
    ]
    private static let givers: Set = [
        "accept", "add", "apply", "create", "increase", "insert", "raise", "save", "start",
    ]
}
