import ArgumentParser
import DetentCommand
import DetentCore
import DetentPanel
import DetentPlatform
import DetentScenario
import DetentSoak
import DetentTypes
import Glibc

/// `detent-lab soak`: random users and faults against the laws, in virtual time.
struct SoakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Test a panel with random users and faults, in virtual time.",
        discussion: """
            Example:  detent-lab soak panels/lab-supply/panel.yaml --seeds 1-1000

            Each seed is a random user with its own mixture of faults: bounce, lost
            and late edges, broken wires, actions that fail or hang, reloads, restarts
            and power cuts. After every step, a model that does not know the engine
            checks the panel. A failure ends the run and becomes a short scenario for
            `detent test`.

            Keep a scenario that found a fault of Detent in simulator/regressions/ of
            the sources; docs/soak.md says how. The tests of Detent play it from then
            on.

            Exit codes: 0 no failure, 1 a failure, 2 wrong usage or unreadable input.
            """)

    @Argument(help: "The panel file.")
    var panel: String

    @Option(help: ArgumentHelp("The seeds, such as 17 or 1-1000.", valueName: "first-last"))
    var seeds = "1-100"

    @Option(
        help: ArgumentHelp(
            "Where the scenario of a failure is written (default: soak-SEED.scenario.yaml).",
            valueName: "file"))
    var output: String?

    func run() throws {
        let range = try seedRange()
        let plan = try PanelFile.plan(panel)
        try StandardOutput.writeOrFail("seeds \(seeds), \(Self.program), \(panel)\n")
        let began = MonotonicClock.now
        var progress = SoakProgress(began)
        var total = Soak.Figures()
        for seed in range {
            let soak = Soak(plan, seed: seed)
            let (failure, figures) = try playing { () throws(EngineError) in try soak.run() }
            if let failure {
                progress.clear()
                try report(failure, of: soak)
                throw ExitStatus.failed
            }
            total.steps += figures.steps
            total.edges += figures.edges
            total.duration = total.duration + figures.duration
            progress.show(seed - range.lowerBound + 1, of: UInt64(range.count), total)
        }
        progress.clear()
        try StandardOutput.writeOrFail(
            "passed: \(range.count) seeds, \(total.steps) steps, \(total.edges) edges, "
                + "\(total.duration.nanoseconds / 1_000_000_000) s of virtual time\n")
    }

    /// What a seed means depends on the program.
    private static var program: String {
        "detent \(ProgramVersion.number), commit \(ProgramVersion.commit)"
    }

    private func seedRange() throws -> ClosedRange<UInt64> {
        let ends = seeds.split(separator: "-", omittingEmptySubsequences: false)
            .map { UInt64($0) }
        guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil,
            first <= last, last - first < SoakLimits.seeds
        else {
            throw Failure(
                code: .usage, cause: "`--seeds \(seeds)` is not a range of seeds",
                remedy: "write, for example, --seeds 1-1000")
        }
        return first...last
    }

    /// A panel that the engine refuses is an error of its file.
    private func playing<Result>(
        _ body: () throws(EngineError) -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            throw Failure(
                code: .usage, cause: "\(panel) does not fit the engine: \(error)",
                remedy: "make the panel smaller")
        }
    }

    private func report(_ failure: Soak.Failure, of soak: Soak) throws {
        try StandardOutput.writeOrFail(
            "FAILED seed \(soak.seed) (\(soak.trouble.text)), step \(failure.steps.count)\n"
                + "    \(failure.violation)\n")
        let short = try playing { () throws(EngineError) in
            try SoakShrinker.shrink(failure, of: soak)
        }
        let path = output ?? "soak-\(soak.seed).scenario.yaml"
        let (text, isWhole) = try playing { () throws(EngineError) in
            try SoakScenario.text(
                short, of: soak, panel: AbsolutePath.of(panel),
                version: Self.program)
        }
        try OutputFile.write(text, to: path)
        var last = "    shrunk to \(short.steps.count) steps in \(path)"
        if !isWhole { last += "; a scenario cannot say all of them, and the file says so" }
        try StandardOutput.writeOrFail("    \(short.violation)\n\(last)\n")
    }
}

/// The line that shows how far a run is; only on a terminal.
private struct SoakProgress {
    private let isTerminal = isatty(STDERR_FILENO) != 0
    private let began: Instant
    private var shown: Instant

    init(_ began: Instant) {
        self.began = began
        shown = began
    }

    /// Shows the progress, at most five times a second.
    mutating func show(_ count: UInt64, of all: UInt64, _ figures: Soak.Figures) {
        guard isTerminal else { return }
        let now = MonotonicClock.now
        guard now - shown > .milliseconds(200) else { return }
        shown = now
        let milliseconds = max(1, Int((now - began).nanoseconds / 1_000_000))
        StandardStream.raw(
            "\r\(count) of \(all) seeds, \(figures.edges * 1_000 / milliseconds) edges/s\u{1B}[K")
    }

    func clear() {
        if isTerminal { StandardStream.raw("\r\u{1B}[K") }
    }
}
