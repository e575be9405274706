import ArgumentParser
import DetentCommand
import DetentCore
import DetentFleet
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc

/// `detent-lab fleet`: many simulated panels against a real broker.
struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Connect many simulated panels with a broker, and measure it.",
        discussion: """
            Example:  detent-lab fleet panels/lab-supply/panel.yaml --count 1000 \\
                          --broker mqtt://127.0.0.1:1883 --for 60s

            Each panel has its own connection and the topics of the file with a number:
            detent/lab-supply-0001/output/state. Random users operate them; the seed
            decides what they do. One more connection hears all panels and measures
            how long a change takes until it is heard. At the end the panels remove
            what the broker has stored of them. Ctrl-C ends the users; the table follows.

            Without --broker, the broker of the file is used, with its user and
            certificates; these are never sent to another one.

            Exit codes: 0 all panels were online and every change was heard, 1 otherwise,
            2 wrong usage or unreadable input, 4 cannot reach the broker.
            """)

    @Argument(help: "The panel file.")
    var panel: String

    @Option(help: "How many panels there are.")
    var count = 100

    @Option(
        help: ArgumentHelp(
            "The broker, such as mqtt://127.0.0.1 (default: that of the panel).",
            valueName: "url"))
    var broker: String?

    @Option(help: ArgumentHelp("Operations of each panel in a second.", valueName: "number"))
    var rate = 1.0

    @Option(name: .customLong("for"), help: ArgumentHelp("How long.", valueName: "time"))
    var duration = "60s"

    @Option(help: "Decides what users do.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The number of the first panel.", valueName: "number"))
    var first = 1

    @ArgumentParser.Flag(help: "Print the figures as one JSON object.")
    var json = false

    func run() throws {
        let plan = try PanelFile.plan(panel)
        var options = FleetOptions(
            plan: plan, broker: try address(plan), count: count, version: ProgramVersion.number)
        options.first = first
        options.rate = rate
        options.duration = try DurationOption.span(duration)
        options.seed = seed
        try allowDescriptors()
        let signals = try SignalInbox()
        let progress = FleetProgress()
        let report: FleetReport
        do {
            report = try Fleet(options) { progress.show($0) }.run(signals: signals)
        } catch let error as FleetError {
            progress.clear()
            throw Failure(error.isUnreachable ? .unreachable : .usage, error)
        } catch let error as EngineError {
            throw Failure(
                code: .usage, cause: "\(panel) does not fit the engine: \(error)",
                remedy: "make the panel smaller")
        }
        progress.clear()
        try StandardOutput.writeOrFail(json ? report.json.line + "\n" : report.table)
        guard report.isWhole else { throw ExitStatus.failed }
    }

    private func address(_ plan: PanelPlan) throws -> BrokerPlan {
        guard let broker else {
            if let own = plan.broker { return own }
            throw Failure(
                code: .usage, cause: "\(panel) has no `mqtt`",
                remedy: "name a broker, such as --broker mqtt://127.0.0.1")
        }
        let topic = plan.broker?.topic ?? "detent/" + BrokerPlan.level(of: plan.name)
        guard let plan = BrokerPlan(url: broker, topic: topic) else {
            throw Failure(
                code: .usage, cause: "`--broker \(broker)` is not the address of a broker",
                remedy: "write mqtt://HOST or mqtts://HOST, with :PORT if it is another one")
        }
        return plan
    }

    private func allowDescriptors() throws {
        let needed = FleetLimits.otherDescriptors + count * FleetLimits.descriptorsOfPanel
        guard count > 0, count <= FleetLimits.panels else { return }
        let allowed = OpenFiles.allow(needed)
        guard allowed < needed else { return }
        throw Failure(
            code: .usage,
            cause: "\(count) panels need \(needed) open files, and the system allows \(allowed)",
            remedy: "raise the limit with `ulimit -Hn \(needed)` as root, or take at most "
                + "\((allowed - FleetLimits.otherDescriptors) / FleetLimits.descriptorsOfPanel) "
                + "panels")
    }
}

/// The line that shows how far a fleet is; only on a terminal.
private struct FleetProgress {
    private let isTerminal = isatty(STDERR_FILENO) != 0

    func show(_ report: FleetReport) {
        guard isTerminal else { return }
        let p99 = report.latencies.span(perMille: 990).nanoseconds / 1_000
        StandardStream.raw(
            "\r\(report.online) of \(report.panels) online, \(report.received) of "
                + "\(report.changes) changes, \(report.rateTenths / 10)/s, p99 \(p99) µs\u{1B}[K")
    }

    func clear() {
        if isTerminal { StandardStream.raw("\r\u{1B}[K") }
    }
}
