import DetentActions
import DetentCore
public import DetentPanel
import DetentTypes
import DetentWorld

/// Reads a scenario file: returns a scenario, or all problems of it and of its panel.
public enum ScenarioReader {
    /// The result of reading: `scenario` is nil exactly if `problems` has an error.
    public typealias Reading = (scenario: Scenario?, problems: [Problem])

    /// Reads a scenario; `panel:` is relative to the folder of the file.
    public static func read(file: String) -> Reading {
        do throws(SourceText.Unreadable) {
            return read(try SourceText.read(file: file))
        } catch {
            let log = ProblemLog(SourceText(file: file, bytes: []))
            log.error(
                .unreadableFile, at: SourcePlace(line: 1, column: 1), error.cause,
                help: error.remedy)
            return (nil, log.problems)
        }
    }

    /// Reads a scenario from memory; its file name locates the panel.
    public static func read(_ source: SourceText) -> Reading {
        read(source) { PanelReader.read(file: $0) }
    }

    /// - Parameter panel: reads the panel file of a path.
    package static func read(
        _ source: SourceText, panel readPanel: (String) -> PanelReader.Reading
    ) -> Reading {
        let log = ProblemLog(source)
        guard let root = YAMLReader.read(source, log: log) else { return (nil, log.problems) }
        return read(tree: root, file: source.file, log: log, panel: readPanel)
    }

    /// The same of a tree; its problems go to the log.
    package static func read(
        tree root: YAMLNode, file: String, log: ProblemLog,
        panel readPanel: (String) -> PanelReader.Reading
    ) -> Reading {
        let keys = ["panel", "bounce", "seed", "time", "actions", "steps"]
        _ = root.hasOnly(keys, log, in: "a scenario")
        guard let panel = required("panel", root, log)?.text(log, "panel") else {
            return (nil, log.problems)
        }
        let path = panel.hasPrefix("/") ? panel : folder(of: file) + panel
        let reading = readPanel(path)
        guard let plan = reading.plan else {
            if let problem = reading.problems.first, problem.rule == .unreadableFile {
                tellUnreadable(panel, problem, root["panel"]?.place ?? root.place, file, log)
                return (nil, log.problems)
            }
            return (nil, log.problems + reading.problems)
        }
        var scenario = Scenario(
            file: file, plan: plan, bounce: .all(.none), seed: 1, actions: [:], steps: [])
        scenario.panelFile = path
        if let node = root["bounce"] {
            scenario.bounce = BounceReader.choice(node, log) ?? .all(.none)
        }
        if let node = root["seed"] {
            scenario.seed = UInt64(node.integer(in: 0...Int.max, log, "seed") ?? 1)
        }
        scenario.isVirtualOnly = root["time"]?.word(of: ["virtual"], log, "time") != nil
        let names = PanelNames(plan: plan, log: log)
        for entry in root["actions"]?.entries ?? [] {
            guard let control = names.control(entry.key) else { continue }
            scenario.actions[control] = script(entry.value, of: control, plan, log)
        }
        scenario.steps = steps(root, names, log)
        checkMoments(scenario.steps, log)
        return (log.hasErrors ? nil : scenario, log.problems)
    }

    static let codes =
        Int(WorldLimits.failureCodes.lowerBound)...Int(WorldLimits.failureCodes.upperBound)

    private static func tellUnreadable(
        _ panel: String, _ problem: Problem, _ place: SourcePlace, _ file: String,
        _ log: ProblemLog
    ) {
        let folder = folder(of: file)
        let named = folder.isEmpty ? "the current directory" : "`\(quoted(folder))`"
        let path = panel.hasPrefix("/") ? panel : folder + panel
        let cause = problem.text.replacing("the file ", with: "")
        let remedy =
            panel.hasPrefix("/")
            ? "put it there, or write the path of another file"
            : "put it there, or write its path from there: `panel` is relative to the folder of "
                + "the scenario, \(named)"
        log.error(
            problem.rule, at: place,
            "the panel of this scenario, `\(quoted(path))`, \(cause)",
            help: problem.help == SourceText.missingRemedy ? remedy : problem.help)
    }

    private static func folder(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "" }
        return String(file[...slash])
    }

    static func required(_ key: String, _ node: YAMLNode, _ log: ProblemLog) -> YAMLNode? {
        if let value = node[key] { return value }
        return log.refuse(
            .missingKey, at: node.place, "`\(key)` is missing", help: "write `\(key): …` here")
    }

    /// The times of steps must be in order.
    private static func checkMoments(_ steps: [ScenarioStep], _ log: ProblemLog) {
        var latest = Instant.zero
        for step in steps {
            guard let at = step.at else { continue }
            if at < latest {
                log.error(
                    .outOfRange, at: step.place,
                    "`at: \(DurationText.seconds(at - .zero))` is before the previous step, at "
                        + DurationText.seconds(latest - .zero),
                    help: "put the steps in the order of their times")
            }
            latest = max(latest, at)
        }
    }

    /// The script of an action: a map with `takes`, `then`, `code` and `answer`.
    static func script(
        _ node: YAMLNode, of control: ControlID, _ plan: PanelPlan, _ log: ProblemLog
    ) -> ActionScript? {
        let keys = ["takes", "then", "code", "answer"]
        guard node.hasOnly(keys, log, in: "a simulated action") else { return nil }
        var script = ActionScript()
        let day = TimeSpan.zero...WorldLimits.longest
        if let takes = node["takes"]?.duration(in: day, log, "takes") { script.takes = takes }
        let code =
            node["code"]?.integer(in: ScenarioReader.codes, log, "code").map { Int32($0) } ?? 1
        let word = node["then"]?.word(of: ActionScript.Ending.words, log, "then")
        script.ending = word.flatMap { ActionScript.Ending($0, code: code) } ?? .succeed
        if let answer = node["answer"] {
            script.answer = answer.text(log, "answer", limit: ActionLimits.httpAnswer)
            if !plan.readsAnswers(of: control) {
                log.error(
                    .conflictingKeys, at: answer.place,
                    "`answer` has no effect: `\(plan[control].id)` has no action that reads one",
                    help: "remove it; `answer` is for queries, and for actions with `confirm` or "
                        + "`expect`")
            } else if script.ending != .succeed, plan[control].settings.query == nil {
                log.error(
                    .conflictingKeys, at: answer.place,
                    "`answer` has no effect with `then: \(script.ending.word)`",
                    help: "remove one of them; a service that refuses has a status: "
                        + "`{then: fail, code: 503}`")
            }
        }
        return script
    }

    private static func steps(
        _ root: YAMLNode, _ names: PanelNames, _ log: ProblemLog
    ) -> [ScenarioStep] {
        guard let list = required("steps", root, log) else { return [] }
        guard let items = list.items else {
            log.error(
                .wrongType, at: list.place, "`steps` must be a list, not \(list.form)",
                help: "begin each step with `- `")
            return []
        }
        if items.count > ScenarioLimits.steps {
            log.error(
                .outOfRange, at: items[ScenarioLimits.steps].place,
                "more than \(ScenarioLimits.steps) steps",
                help: "split the scenario into several files")
        }
        return items.prefix(ScenarioLimits.steps).flatMap { StepReader(names: names).steps($0) }
    }
}
