/// Checks of wording and of the panel as a whole, after every control was read by itself.
///
/// They warn of what they know to be wrong, and are silent about what they do not know: a warning
/// that is mistaken teaches people to ignore the next one.
struct PanelLint {
    let log: ProblemLog
    /// What was made of the file; with errors in the log, as far as it could be.
    let plan: PanelPlan
    let ground: LineResolver.Ground

    /// Looks at a panel file, whether or not it has errors already.
    func check(_ root: YAMLNode) {
        for entry in (root["controls"]?.entries ?? []).prefix(Limits.controls) {
            let control = entry.value
            checkLabelCase(control)
            checkButtonTitle(control)
            checkStateNames(control)
            checkSymbols(control)
        }
        checkLampCurrent(root)
    }
}

extension YAMLNode {
    /// Whether a control's kind takes a key; one that it does not take has been refused already.
    func takes(_ key: String) -> Bool {
        self["kind"]?.text.flatMap(Kind.named)?.keys.contains(key) == true
    }
}
