import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld

/// What a file is: which reader understands it.
package enum FileKind: Equatable {
    case panel, scenario, board, bounce

    /// By what the file has, else by its name.
    static func of(_ path: String, _ root: YAMLNode?) -> FileKind {
        func has(_ key: String) -> Bool { root?.key(key) != nil }
        if path.hasSuffix(".scenario.yaml") || has("steps") { return .scenario }
        if has("controls") { return .panel }
        if has("headers") || has("soc") { return .board }
        if has("closes") || has("closing") || has("opening") { return .bounce }
        let folders = path.split(separator: "/").dropLast()
        if has("panel") { return .panel }
        if folders.last == "boards" { return .board }
        if folders.last == "bounce" { return .bounce }
        return .panel
    }
}

/// A file as its reader sees it: the one that `detent check` and `detent test` use.
package struct CheckedFile {
    /// Reads the panel of a scenario by its path.
    typealias Panels = (String) -> PanelReader.Reading

    let source: SourceText
    let kind: FileKind
    /// The tree; nil if the text is not YAML.
    let root: YAMLNode?
    package let problems: [Problem]
    /// Where it names controls.
    let mentions: [ProblemLog.Mention]
    /// What could be read of a panel; of a scenario, its panel.
    let plan: PanelPlan?

    init(_ source: SourceText, as known: FileKind? = nil, panels: @escaping Panels) {
        let log = ProblemLog(source)
        self.source = source
        let root = YAMLReader.read(source, log: log)
        let kind = known ?? FileKind.of(source.file, root)
        self.root = root
        self.kind = kind
        plan = root.flatMap { Self.read($0, kind, source.file, log, panels) }
        problems = log.problems
        mentions = log.mentions
    }

    /// Reads a tree; its problems go to the log.
    static func read(
        _ root: YAMLNode, _ kind: FileKind, _ file: String, _ log: ProblemLog, _ panels: Panels
    ) -> PanelPlan? {
        switch kind {
        case .panel: return PanelReader.read(tree: root, log: log)
        case .scenario:
            var plan: PanelPlan?
            _ = ScenarioReader.read(tree: root, file: file, log: log) { path in
                let reading = panels(path)
                plan = reading.plan
                if reading.plan == nil, let node = root["panel"] {
                    log.error(
                        .unreadableFile, at: node.place, Self.cause(reading.problems, path),
                        help: "`detent check \(quoted(path))` says more")
                }
                return reading
            }
            return plan
        case .board:
            _ = BoardParser.parse(root, log: log)
        case .bounce:
            _ = BounceReader.profile(root, log)
        }
        return nil
    }

    private static func cause(_ problems: [Problem], _ path: String) -> String {
        guard let first = problems.first(where: { $0.severity == .error }) else {
            return "the panel cannot be used"
        }
        return "the panel `\(quoted(path))` cannot be used: \(first.text)"
    }

    /// The board of a panel file; nil for one without headers.
    func board() -> Board? {
        guard kind == .panel, let node = root?["board"] else { return nil }
        let name = node["name"]?.text ?? node.text
        return name.flatMap { BoardCatalogue.builtIn.board(named: $0).board }
    }
}
