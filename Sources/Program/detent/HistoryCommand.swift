import ArgumentParser
import DetentClient
import DetentCommand
import DetentHistory
import DetentPanel
import DetentRuntime
import DetentTypes
import Glibc

/// `detent history`: the events of a panel, from its database or from the running panel.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Print the events of a panel.",
        discussion: """
            Example:  detent history panel.yaml --control output --since 2h
                      detent history --limit 20

            With a panel file, prints the events that are kept in --state-dir, oldest
            first, whether the panel runs or not. --since and --until take a time ago
            (90min), a local time (2026-11-22T21:30), or a UTC time that ends in Z.

            Without a panel file, asks the running panel for its last events and
            prints one JSON object per line. --since is then its number `seq`.

            Exit codes: 0 done, 2 unreadable input, 4 cannot reach the daemon.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, csv, json
    }

    @Argument(help: "The panel file (default: ask the running panel).")
    var panel: String?

    @Option(help: "Only events of this control.")
    var control: String?

    @Option(help: "Only events with this word, such as changed.")
    var event: String?

    @Option(
        help: ArgumentHelp(
            "Only events after this time, or after this number.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only events until this time.", valueName: "time"))
    var until: String?

    @Option(help: "Show only the last N events.")
    var limit: Int?

    @Option(help: "text, csv or json (default: text in a terminal, else json).")
    var format: Format?

    @Option(
        help: ArgumentHelp(
            "The folder of the values (default: $STATE_DIRECTORY, or /var/lib/detent).",
            valueName: "folder"))
    var stateDir: String?

    @OptionGroup var remote: RemoteOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
    }

    func run() throws {
        guard let panel else { return try askPanel() }
        let plan = try PanelFile.plan(panel)
        let path = try database(of: plan)
        var query = HistoryQuery()
        query.control = control
        query.event = event
        query.since = try since.map(TimeOption.milliseconds)
        query.until = try until.map(TimeOption.milliseconds)
        query.limit = limit
        let lines = HistoryLines(plan, format ?? (isatty(STDOUT_FILENO) != 0 ? .text : .json))
        try StandardOutput.writeOrFail(lines.head)
        var isEmpty = true
        do {
            try query.read(path) {
                isEmpty = false
                try StandardOutput.writeOrFail(lines.line($0))
            }
        } catch let error as HistoryError {
            throw Failure(
                code: .usage, cause: "\(path) cannot be \(error.step): \(error.cause)",
                remedy: error.isDamage
                    ? "name the folder of the values with --state-dir; a running panel renames "
                        + "such a file and makes a new one"
                    : "run this command as the user of the panel, such as "
                        + "`sudo -u detent detent history …`")
        }
        if isEmpty { try checkControl(plan) }
    }

    /// A control that is not in the file may still have a history; one without either is an error.
    private func checkControl(_ plan: PanelPlan) throws {
        guard let control, plan.control(named: control) == nil else { return }
        let known = plan.controls.map(\.id)
        throw Failure(
            code: .usage, cause: "the panel has no control `\(control)`, and no event of one",
            remedy: didYouMean(control, among: known) + "it has: " + known.joined(separator: ", "))
    }

    /// The file of the history; the library does not follow links.
    private func database(of plan: PanelPlan) throws -> String {
        let named = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? ""
        let folder =
            stateDir ?? named.split(separator: ":").first.map(String.init) ?? "/var/lib/detent"
        let path = folder + "/" + HistoryFile.name(of: plan)
        guard let real = realpath(path, nil) else {
            throw Failure(
                code: .usage,
                cause: "\(path) cannot be read: \(String(cString: strerror(errno)))",
                remedy: "name the folder of the values with --state-dir; a panel with "
                    + "`history: off` has no history")
        }
        defer { free(real) }
        return String(cString: real)
    }

    private func askPanel() throws {
        for (option, isGiven) in [
            ("--event", event != nil), ("--until", until != nil), ("--state-dir", stateDir != nil),
            ("--format", format.map { $0 != .json } ?? false),
        ] where isGiven {
            throw Failure(
                code: .usage, cause: "\(option) needs a panel file",
                remedy: "add one, as in `detent history panel.yaml \(option) …`")
        }
        var query: [String] = []
        if let since {
            guard let number = Int(since) else {
                throw Failure(
                    code: .usage, cause: "--since `\(since)` is not a number",
                    remedy: "add the panel file to use a time, or write the number of an event")
            }
            query.append("since=\(number)")
        }
        if let control { query.append("control=\(control.percentEncoded(except: "-_."))") }
        if let limit { query.append("limit=\(limit)") }
        let path =
            "/api/v1/history" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        let answer = try remote.client().ask("GET", path, for: .history)
        let events = answer["events"]?.items ?? []
        try StandardOutput.writeOrFail(events.map { $0.line + "\n" }.joined())
    }
}
