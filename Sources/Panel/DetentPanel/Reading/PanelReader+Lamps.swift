import DetentCore
import DetentTypes

extension PanelReader {
    /// The controls that `dimmer` and `lamp-test` name.
    static func settings(_ root: YAMLNode, _ plan: PanelPlan, _ log: ProblemLog) -> PanelSettings {
        PanelSettings(
            dimmer: control(root["dimmer"], "dimmer", of: ["dial"], plan, log),
            lampTest: control(
                root["lamp-test"], "lamp-test", of: ["button", "switch", "toggle-button"], plan, log
            ))
    }

    /// Warns of patterns and colours of the panel that cannot be told apart.
    static func checkLooks(
        _ root: YAMLNode, _ patterns: PatternChoice, _ shown: [LampCondition], _ log: ProblemLog
    ) {
        root["patterns"]?.refuse(["on"], log, .keyNotForKind) {
            (
                "`\($0)` has a pattern only on an `indicator`: the lamps of controls are steady "
                    + "while all is well",
                "remove it, and write it into `patterns` of an `indicator`"
            )
        }
        var patterns = patterns
        patterns[.on] = .steady
        LookCheck(log: log, patterns: patterns, colors: nil, shown: shown)
            .check([root["patterns"]])
        var colors = ColorChoice()
        colors.change(by: root["colors"], lines: 3, log: nil)
        LookCheck(log: log, patterns: PatternChoice(), colors: colors, shown: shown)
            .check([root["colors"]])
    }

    private static func control(
        _ node: YAMLNode?, _ key: String, of kinds: [String], _ plan: PanelPlan, _ log: ProblemLog
    ) -> ControlID? {
        guard let node, let name = node.text else { return nil }
        let fitting = plan.controls.filter { kinds.contains($0.kind) }.map(\.id)
        if fitting.contains(name), let control = plan.control(named: name) {
            log.mention(name, at: node.place)
            return control
        }
        let wanted = kinds.map { "`\($0)`" }.joined(separator: " or ")
        return log.refuse(
            .unknownWord, at: node.place,
            "`\(key)` must be the id of a \(wanted), not `\(quoted(name))`",
            help: didYouMean(name, among: fitting)
                + (fitting.isEmpty
                    ? "add such a control" : "allowed: \(fitting.joined(separator: ", "))"),
            known: fitting)
    }
}
