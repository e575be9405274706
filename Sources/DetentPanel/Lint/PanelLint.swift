/// Checks of wording and of the panel as a whole, after every control was read by itself.
///
/// They warn of what they know to be wrong, and are silent about what they do not know: a warning
/// that is mistaken teaches people to ignore the next one.
struct PanelLint {
    let log: ProblemLog
    let root: YAMLNode
    /// What was made of the file; with errors in the log, as far as it could be.
    let plan: PanelPlan
    let ground: LineResolver.Ground

    /// The controls of the file by their ids.
    let controls: [(id: String, control: YAMLNode)]
    /// The same, for looking up.
    let byID: [String: YAMLNode]

    init(_ root: YAMLNode, _ plan: PanelPlan, _ ground: LineResolver.Ground, _ log: ProblemLog) {
        self.root = root
        self.plan = plan
        self.ground = ground
        self.log = log
        controls = (root["controls"]?.entries ?? []).prefix(Limits.controls).map {
            ($0.name, $0.value)
        }
        byID = Dictionary(
            controls.map { ($0.id, $0.control) }, uniquingKeysWith: { first, _ in first })
    }

    /// Looks at the panel file, whether or not it has errors already.
    func check() {
        for (_, control) in controls {
            checkLabelCase(control)
            checkButtonTitle(control)
            checkStateNames(control)
            checkSymbols(control)
            checkCounts(control)
            checkDestructive(control)
            checkWaysOut(control)
        }
        checkPrimaries()
        checkLampCurrent()
    }
}

extension YAMLNode {
    /// Whether a control's kind takes a key; one that it does not take has been refused already.
    func takes(_ key: String) -> Bool {
        self["kind"]?.text.flatMap(Kind.named)?.keys.contains(key) == true
    }
}
