/// Checks of wording and of the panel as a whole, after every control was read.
///
/// They report only what is certainly wrong: after a false warning, people ignore the next one.
struct PanelLint {
    let log: ProblemLog
    let root: YAMLNode
    /// The plan; incomplete if there are errors in the log.
    let plan: PanelPlan
    let ground: LineResolver.Ground
    let schema: Schema

    /// The controls of the file by their ids.
    let controls: [(id: String, control: YAMLNode)]
    /// The same, by id.
    let byID: [String: YAMLNode]

    init(
        _ root: YAMLNode, _ plan: PanelPlan, _ ground: LineResolver.Ground, _ schema: Schema,
        _ log: ProblemLog
    ) {
        self.root = root
        self.plan = plan
        self.ground = ground
        self.schema = schema
        self.log = log
        controls = (root["controls"]?.entries ?? []).prefix(Limits.controls).map {
            ($0.name, $0.value)
        }
        byID = Dictionary(
            controls.map { ($0.id, $0.control) }, uniquingKeysWith: { first, _ in first })
    }

    /// Checks the panel file, even if it has errors already.
    func check() {
        defer { log.control = nil }
        for (id, control) in controls {
            log.control = id
            checkID(id)
            checkOptionWords(control)
            checkGesturesHeard(control)
            checkLabelState(control)
            checkLabelCase(control)
            checkLabelLength(control)
            checkButtonTitle(control)
            checkStateNames(control)
            checkSymbols(control)
            checkKnownSymbols(control)
            checkSymbolMeanings(control)
            checkSegments(control)
            checkMenu(control)
            checkMenuOrder(control)
            checkMenuSeen(id, control)
            checkDestructive(control)
            checkDestructiveWord(control)
            checkMembers(control)
            checkWaysOut(control)
        }
        checkWordsFit()
        log.control = nil
        checkLabelsTwice()
        checkMenuOfAll()
        checkPrimaries()
        checkGroups()
        checkLampCurrent()
    }
}

extension YAMLNode {
    /// Whether a control's kind has a key; a key that it does not have has been reported already.
    func takes(_ key: String, _ schema: Schema) -> Bool {
        schema.kind(named: self["kind"]?.text).map(schema.keys)?.contains(key) == true
    }
}
