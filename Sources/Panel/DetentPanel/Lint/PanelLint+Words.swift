import DetentTypes

extension Rule {
    /// Every word fits on its cap.
    static let wordLong = Rule(
        "word-long", .warning,
        "Every word fits on its cap. A cap is as wide as its longest word, but a key has at most "
            + "30 mm, a cap with a legend 50 mm, and a label 60 mm. A longer word is broken or "
            + "cut off.")
}

extension PanelLint {
    /// Warns of words that are wider than the caps and the labels that carry them.
    func checkWordsFit() {
        for plan in plan.controls {
            guard let control = byID[plan.id], let (word, width, room) = plan.wordWithoutRoom else {
                continue
            }
            let options = (control["options"]?.items ?? []).flatMap {
                [$0["caption"], $0["name"], $0]
            }
            let named =
                ["label", "active-label", "subtitle", "caption"].map { control[$0] } + options
            let holder = named.compactMap { $0 }.first { $0.text?.contains(word) == true }
            log.control = plan.id
            log.warning(
                .wordLong, at: (holder ?? control).place,
                "`\(quoted(word))` is \(Int(width.rounded(.up))) mm wide; there are "
                    + "\(Int(room)) mm for it",
                help: "use a shorter word, or a symbol")
        }
    }
}
