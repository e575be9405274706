extension ControlDraft {
    /// What the page shows of a control; `options` are those of a choice.
    func layout(_ options: OptionList? = nil) -> LayoutPlan {
        var layout = LayoutPlan(
            group: self["group"]?.text, row: self["row"]?.integerValue ?? Defaults.row,
            symbol: self["symbol"]?.text, optionSymbols: given(options?.symbols),
            stateNames: stateNames)
        layout.optionCaptions = given(options?.captions)
        layout.showsLabel = self["show-label"]?.booleanValue ?? Defaults.showsLabel
        layout.caption = self["caption"]?.text
        layout.subtitle = self["subtitle"]?.text
        layout.style = ButtonStyle(word: self["style"]?.text) ?? Defaults.style
        layout.size = ButtonSize(word: self["size"]?.text) ?? Defaults.size
        layout.help = self["help"]?.text
        layout.enabledWhen = self["enabled-when"]?.text
        let at = (self["at"]?.items ?? []).compactMap { $0.text.flatMap(Measure.length.number) }
        if at.count == 2 { layout.place = PlatePoint(x: at[0], y: at[1]) }
        layout.span = self["span"]?.integerValue ?? Defaults.span
        layout.part = FacePart.all.first { $0.word == self["part"]?.text }
        layout.isOnPlate = !hasNoPart
        checkLooks()
        checkCaptions(options)
        return layout
    }

    /// Nothing if no option has a text.
    private func given(_ texts: [String?]?) -> [String?] {
        guard let texts, texts.contains(where: { $0 != nil }) else { return [] }
        return texts
    }

    /// The shown names of the values, in the order of their words; none if the file has none.
    private var stateNames: [String] {
        guard node.takes("states", schema), let node = self["states"], node.entries != nil
        else { return [] }
        let isLever = self["kind"]?.text == Kind.threeWay.word
        let words = (isLever ? ValueNames.threeWay : .onOff).words
        for entry in node.entries ?? [] where !words.contains(entry.name) {
            guard schema.key(entry.name, in: .states) != nil else { continue }
            log.error(
                .keyNotForKind, at: entry.key.place,
                "`\(entry.name)` is not a state of this control",
                help: "allowed: \(words.joined(separator: ", "))")
        }
        let names = words.compactMap { node[$0]?.text }
        if names.count < words.count {
            let known = schema.keys(in: .states).map(\.name)
            let missing = words.filter { node[$0] == nil }
            if !node.misspells(missing, among: known, in: .states, of: schema),
                let word = missing.first
            {
                log.error(
                    .missingKey, at: node.place, "`states` has no `\(word)`",
                    help: "add `\(word):`, the name of that state")
            }
            return []
        }
        return names
    }

    /// Reports texts that the page would not show.
    private func checkLooks() {
        if self["symbol"] == nil {
            node.refuse(["show-label", "caption"], log, .missingKey, Self.needsSymbol)
        } else if self["show-label"]?.booleanValue == true {
            refuse(
                "caption", because: "`caption` replaces the label, which `show-label` shows",
                help: "remove one of the two; a second line is `subtitle`")
        } else {
            refuse(
                "subtitle", because: "a button that shows only its symbol has no second line",
                help: "add `show-label: true`, or write `caption` in place of `subtitle`")
        }
    }

    private func checkCaptions(_ options: OptionList?) {
        for option in options?.nodes ?? [] where option["symbol"] == nil {
            option.refuse(["caption"], log, .missingKey, Self.needsSymbol)
        }
    }

    private static func needsSymbol(_ key: String) -> (text: String, help: String) {
        ("`\(key)` has no effect without `symbol`", "add `symbol:`, or remove `\(key)`")
    }
}
