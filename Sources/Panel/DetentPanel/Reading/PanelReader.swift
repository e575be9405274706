import DetentCore
import DetentTypes

/// Reads a panel file: the result is a plan, or all problems of the file.
public enum PanelReader {
    /// The result: `plan` is nil if, and only if, `problems` has an error.
    public typealias Reading = (plan: PanelPlan?, problems: [Problem])

    /// Reads a panel file.
    ///
    /// A file that cannot be read at all has one problem with the rule `unreadable-file`.
    /// - Parameters:
    ///   - file: the path; messages repeat it unchanged.
    ///   - boards: the boards that `board:` can name.
    ///   - deviceTree: the folder by which `board: auto` finds the board.
    public static func read(
        file: String, boards: BoardCatalogue = .builtIn, deviceTree: String = "/proc/device-tree"
    ) -> Reading {
        do throws(SourceText.Unreadable) {
            let source = try SourceText.read(file: file)
            return read(source, boards: boards, deviceTree: deviceTree)
        } catch {
            let log = ProblemLog(SourceText(file: file, bytes: []))
            log.error(
                error.isTooLarge ? .fileTooLarge : .unreadableFile,
                at: SourcePlace(line: 1, column: 1), error.cause, help: error.remedy)
            return (nil, log.problems)
        }
    }

    /// Reads a panel from memory.
    public static func read(
        _ source: SourceText, boards: BoardCatalogue = .builtIn,
        deviceTree: String = "/proc/device-tree"
    ) -> Reading {
        read(source, boards: boards, deviceTree: deviceTree, schema: .builtIn)
    }

    /// Reads a panel by another table of keys.
    ///
    /// - Parameter variable: the value of a variable of the environment; nil if it is not set.
    static func read(
        _ source: SourceText, boards: BoardCatalogue, deviceTree: String, schema: Schema,
        variable: (String) -> String? = Variables.ofProcess
    ) -> Reading {
        let log = ProblemLog(source)
        guard let written = YAMLReader.read(source, log: log) else { return (nil, log.problems) }
        let plan = read(
            written, log: log, boards: boards, deviceTree: deviceTree, schema: schema,
            variable: variable)
        return (log.hasErrors ? nil : plan, log.problems)
    }

    /// Reads the tree of a panel; problems go to the log. The plan of a tree with errors has what
    /// could be read.
    package static func read(
        tree root: YAMLNode, log: ProblemLog, boards: BoardCatalogue = .builtIn,
        deviceTree: String = "/proc/device-tree"
    ) -> PanelPlan? {
        read(
            root, log: log, boards: boards, deviceTree: deviceTree, schema: .builtIn,
            variable: Variables.ofProcess)
    }

    private static func read(
        _ written: YAMLNode, log: ProblemLog, boards: BoardCatalogue, deviceTree: String,
        schema: Schema, variable: (String) -> String?
    ) -> PanelPlan? {
        let written = Variables.filled(written, log, value: variable)
        let check = SchemaCheck(log: log, schema: schema)
        let filled = ControlDefaults.filled(written, schema, log)
        check.check(written, .panel, "panel file")
        guard written.entries != nil else { return nil }
        let root = ControlGroups.joined(filled, log)
        for entry in (root["controls"]?.entries ?? []).prefix(Limits.controls) {
            log.control = entry.name
            check.checkControl(entry)
        }
        log.control = nil
        for entry in root["lint"]?.entries ?? [] where entry.value.text == "off" {
            log.leaveOut(entry.name)
        }
        return plan(root, boards, deviceTree, schema, log)
    }

    private static func plan(
        _ root: YAMLNode, _ boards: BoardCatalogue, _ deviceTree: String, _ schema: Schema,
        _ log: ProblemLog
    ) -> PanelPlan {
        let ground = ground(root, boards, deviceTree, log)
        var patterns = PatternChoice()
        patterns.change(by: root["patterns"])
        let broker = root["mqtt"].flatMap {
            BrokerReader(log: log, node: $0).read(panel: root["panel"]?.text ?? "")
        }
        let builder = PanelBuilder(
            log: log, schema: schema, ground: ground, patterns: patterns, colors: root["colors"],
            free: freeFunctions(root["board"], ground, log), hasBroker: root["mqtt"] != nil,
            broker: broker)
        builder.hasMembers = (root["controls"]?.entries ?? []).contains {
            $0.value["members"] != nil
        }
        checkLooks(root, patterns, LampCondition.shown(hasMembers: builder.hasMembers), log)
        var plan = PanelPlan(name: root["panel"]?.text ?? "")
        if case .board(let board) = ground { plan.board = board.id }
        plan.chips = builder.name(ChipReader(log: log).read(root["chips"]), root["chips"])
        plan.freeFunctions = builder.free
        for entry in (root["controls"]?.entries ?? []).prefix(Limits.controls) {
            log.control = entry.name
            let draft = ControlDraft(
                id: entry.name, node: entry.value,
                control: ControlID(UInt16(clamping: plan.controls.count)), builder: builder)
            if let control = control(draft) { plan.controls.append(control) }
        }
        log.control = nil
        plan.lines = builder.settledLines()
        plan.actions = builder.actions
        plan.settings = settings(root, plan, log)
        let relations = PanelRelations(
            plan.controls, builder.gestures, hasBroker: builder.hasBroker, log: log)
        builder.performLater(relations)
        relations.finish(&plan)
        plan.lampMilliamperes =
            root["lamp-current"]?.text.flatMap(Measure.current.whole)
            ?? plan.lampMilliamperes
        readLayout(root["layout"], &plan, log)
        readGroups(root["groups"], &plan, log)
        plan.historyRows = historyRows(root["history"])
        var displays = DisplayReader(root, schema, log)
        plan.displays = displays.read(plan.controls)
        plan.broker = broker
        PlateCheck(root, plan, log).check()
        PanelLint(root, plan, ground, schema, log).check()
        plan.mentioned = Set(log.mentions.compactMap { plan.control(named: $0.control) })
        return plan
    }

    /// How many events are kept; nil for `off`.
    private static func historyRows(_ node: YAMLNode?) -> Int? {
        if node?.text == "off" { return nil }
        return node?["rows"]?.text.flatMap { Int($0) } ?? Defaults.historyRows
    }

    private static func readLayout(
        _ node: YAMLNode?, _ plan: inout PanelPlan, _ log: ProblemLog
    ) {
        plan.plateMillimeters = node?["width"]?.text.flatMap(Measure.length.number)
        let known = plan.controls.compactMap(\.layout.group)
        plan.groupOrder = (node?["order"]?.items ?? []).prefix(Limits.members).compactMap {
            $0.text == nil ? nil : $0.word(of: known, log, "order")
        }
    }

    private static func readGroups(
        _ node: YAMLNode?, _ plan: inout PanelPlan, _ log: ProblemLog
    ) {
        for group in node?.items ?? [] {
            guard let name = group["name"]?.text, let help = group["help"] else { continue }
            guard !plan.groupHelps.contains(where: { $0.name == name }) else {
                log.error(
                    .conflictingKeys, at: help.place,
                    "the group `\(quoted(name))` has a `help` already",
                    help: "remove one of the two")
                continue
            }
            plan.groupHelps.append(GroupHelp(name: name, help: help.text ?? ""))
        }
    }

    private static func control(_ draft: ControlDraft) -> ControlPlan? {
        guard draft.node.entries != nil else { return nil }
        checkLabel(draft)
        let schema = draft.schema
        guard let kind = schema.kind(named: draft["kind"]?.text) else { return nil }
        checkKeys(of: kind, draft)
        var parts = kind.make(draft)
        draft.addSteps(to: &parts.settings)
        draft.addGestures(to: &parts.settings, kind)
        draft.holdAction(of: &parts.settings)
        draft.checkExitKeys(parts.settings)
        let keys = schema.keys(of: kind)
        if keys.contains("query") { parts.settings.query = draft.query(parts.settings) }
        let feedback = keys.contains("feedback") ? draft.feedback(&parts) : nil
        draft.later { draft.addRules($0) }
        var control = ControlPlan(
            id: draft.id, label: draft["label"]?.text ?? draft.id, kind: kind.word,
            valueNames: parts.names, settings: parts.settings, look: kind.look,
            layout: parts.layout,
            crashLevel: draft.crashLevel, feedback: feedback)
        control.deviceWords = draft.deviceWords(parts.names)
        draft.checkDevice(control)
        return control
    }

    private static func checkLabel(_ draft: ControlDraft) {
        guard draft["label"] == nil, !misspells(["label"], draft) else { return }
        draft.log.error(
            .labelMissing, at: draft.node.place, "control `\(quoted(draft.id))` has no `label`",
            help: "add `label:`, the name of the control")
    }

    /// Whether an unknown key is probably one of these, and has been reported as such.
    private static func misspells(_ missing: [String], _ draft: ControlDraft) -> Bool {
        let schema = draft.schema
        let known =
            schema.kind(named: draft["kind"]?.text).map(schema.keys)
            ?? schema.keys(in: .control).map(\.name)
        return draft.node.misspells(missing, among: known, in: .control, of: schema)
    }

    private static func checkKeys(of kind: Kind, _ draft: ControlDraft) {
        let schema = draft.schema
        let keys = schema.keys(of: kind)
        for entry in draft.node.entries ?? [] where !keys.contains(entry.name) {
            guard schema.key(entry.name, in: .control) != nil else { continue }
            let others = schema.kinds.filter { schema.keys(of: $0).contains(entry.name) }
            draft.log.error(
                .keyNotForKind, at: entry.key.place,
                "`\(entry.name)` is not a valid key for `\(kind.word)`",
                help: kind.remedies[entry.name] ?? Kind.commonRemedies[entry.name]
                    ?? "valid for: \(others.map(\.word).joined(separator: ", "))")
        }
        draft.checkPart(of: kind)
        for group in kind.requires where !draft.lacksPart(kind, group) {
            let present = group.filter { draft[$0] != nil }
            if present.isEmpty, !misspells(group, draft) {
                draft.log.error(
                    .missingKey, at: draft.node.place,
                    "a `\(kind.word)` needs `\(group.joined(separator: "` or `"))`",
                    help: "add `\(group[0]):`. " + schema.summary(of: group[0])
                        + kind.wayWithoutPart(group))
            }
            if present.count > 1 {
                draft.refuse(
                    present[1],
                    because: "`\(present.joined(separator: "` and `"))` cannot be combined",
                    help: "keep one of them")
            }
        }
    }

    /// The board of the panel. After an error, any line is accepted, so that the rest is checked
    /// too.
    /// Functions that are switched off; each must be one of the board.
    private static func freeFunctions(
        _ node: YAMLNode?, _ ground: LineResolver.Ground, _ log: ProblemLog
    ) -> [String] {
        guard case .board(let board) = ground else { return [] }
        return (node?["free"]?.items ?? []).prefix(Limits.freeFunctions).compactMap {
            $0.text == nil ? nil : $0.word(of: board.functionNames, log, "free")
        }
    }

    private static func ground(
        _ root: YAMLNode, _ boards: BoardCatalogue, _ deviceTree: String, _ log: ProblemLog
    ) -> LineResolver.Ground {
        let node = root["board"]?["name"] ?? root["board"]
        guard let node, let name = node.text, name != "auto" else {
            if let board = boards.detect(deviceTree: deviceTree) { return .board(board) }
            log.warning(
                .boardNotDetected, at: (node ?? root).place,
                "this machine is not a known board, so every line is simulated",
                help: "name the board in `board:`, or write `board: none`")
            return .simulated
        }
        if name == "none" { return .none }
        let (board, problems) = boards.board(named: name)
        if let board { return .board(board) }
        if let problem = problems.first {
            log.error(
                .unknownBoard, at: node.place,
                "the board file of `\(quoted(name))` has an error at "
                    + "\(problem.file):\(problem.place.line): \(problem.text)",
                help: problem.help)
            return .simulated
        }
        log.error(
            .unknownBoard, at: node.place, "no board `\(quoted(name))`",
            help: (boards.nearestName(to: name).map { "did you mean `\($0)`? " } ?? "")
                + "`detent boards` lists them; `auto` and `none` are allowed too",
            known: boards.names + ["auto", "none"])
        return .simulated
    }
}
