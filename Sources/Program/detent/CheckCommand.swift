import ArgumentParser
import DetentCommand
import DetentPanel

/// `detent check`: all problems of panel files at once.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check panel files.",
        discussion: """
            Example:  detent check panels/*/panel.yaml

                      detent check --explain label-title-case

            With --format sarif, code hosts and editors can show each problem at its line.
            With --print, each control has the keys of its group, its kind and its panel.
            With --explain, it shows a rule with a panel that breaks it and one that keeps it.

            Exit codes: 0 clean or warnings only, 1 errors, 2 a file could not be read.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, sarif
    }

    @Argument(help: ArgumentHelp("Panel files.", valueName: "panel"))
    var panels: [String] = []

    @Option(help: "Output format: text, json or sarif.")
    var format = Format.text

    @Flag(help: "Treat warnings as errors.")
    var strict = false

    @Flag(help: "Print the one file with all its defaults filled in; problems are on stderr.")
    var print = false

    @Option(help: ArgumentHelp("Show a rule with examples.", valueName: "rule"))
    var explain: String?

    func validate() throws {
        if panels.isEmpty, explain == nil {
            throw ValidationError("name a panel file, or a rule: `--explain RULE`")
        }
        if !panels.isEmpty, explain != nil {
            throw ValidationError("--explain shows a rule and reads no panel: remove one of them")
        }
    }

    func run() throws {
        if let explain { return try StandardOutput.writeOrFail(page(of: explain)) }
        if print { return try printFilled() }
        var problems: [Problem] = []
        var remarks = ""
        for panel in panels {
            let reading = PanelReader.read(file: panel)
            problems += reading.problems
            if let plan = reading.plan { remarks += Self.remark(plan.idleControls, in: panel) }
        }
        if strict { problems = problems.map(\.asError) }
        switch format {
        case .text: try StandardOutput.writeOrFail(ProblemRenderer.text(problems))
        case .json: try StandardOutput.writeOrFail(ProblemRenderer.json(problems))
        case .sarif:
            try StandardOutput.writeOrFail(SARIFLog.text(problems, version: ProgramVersion.number))
        }
        if problems.contains(where: { $0.rule.isUnreadable }) { throw ExitStatus.usage }
        if problems.hasErrors { throw ExitStatus.failed }
        if format == .text { StandardError.write(summary(problems.count) + remarks) }
    }

    /// What is no fault, and seldom meant: controls that do nothing.
    private static func remark(_ idle: [ControlPlan], in file: String) -> String {
        guard let first = idle.first else { return "" }
        let others = idle.count == 1 ? "" : " and \(counted(idle.count - 1, "more control"))"
        return "\(quoted(file)): nothing in the file uses the value of `\(first.id)`\(others): "
            + "no action, output, lamp, feedback, condition or broker. Only the page and HTTP "
            + "show it.\n"
    }

    private func printFilled() throws {
        guard panels.count == 1 else {
            throw Failure(
                code: .usage, cause: "--print takes one panel file", remedy: "name one file")
        }
        let source: SourceText
        do {
            source = try SourceText.read(file: panels[0])
        } catch {
            throw Failure(code: .usage, cause: error.cause, remedy: error.remedy)
        }
        let problems = PanelReader.read(source).problems
        StandardError.write(ProblemRenderer.text(problems))
        if let text = PanelReader.filledText(source) { try StandardOutput.writeOrFail(text) }
        if problems.hasErrors { throw ExitStatus.failed }
    }

    private func page(of name: String) throws -> String {
        guard let rule = Rule.all.first(where: { $0.name == name }) else {
            let nearest = nearestWord(to: name, among: Rule.all.map(\.name))
            throw Failure(
                code: .usage, cause: "there is no rule `\(name)`",
                remedy: nearest.map { "did you mean `\($0)`?" }
                    ?? "each message of `detent check` ends with the name of its rule in brackets")
        }
        return rule.page
    }

    private func summary(_ warnings: Int) -> String {
        let files = counted(panels.count, "panel")
        if warnings == 0 { return "\(files): no problems\n" }
        return "\(files): no errors, \(counted(warnings, "warning"))\n"
    }
}

extension Problem {
    /// The same problem as an error.
    fileprivate var asError: Problem {
        var problem = self
        problem.severity = .error
        return problem
    }
}

extension Rule {
    /// Whether the file could not be read.
    fileprivate var isUnreadable: Bool {
        self == .unreadableFile || self == .fileTooLarge
    }
}
