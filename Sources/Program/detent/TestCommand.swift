import ArgumentParser
import DetentCommand
import DetentGPIOD
import DetentPanel
import DetentScenario
import DetentTrace
import DetentTypes

/// `detent test`: scenarios in virtual time.
struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run scenarios, in virtual time or on simulated lines of the kernel.",
        discussion: """
            Example:  detent test panels/*/*.scenario.yaml
                      detent test day.scenario.yaml --trace run.vcd

            If NAME.expected exists next to NAME.yaml, the events must equal it.
            With --backend gpiod, scenarios run in real time on chips of the kernel's
            simulator gpio-sim.
            Exit codes: 0 all passed, 1 a scenario failed, 2 a scenario could not be read,
            3 no lines available.
            """)

    @Argument(help: ArgumentHelp("Scenario files.", valueName: "scenario"))
    var scenarios: [String]

    enum Backend: String, ExpressibleByArgument, CaseIterable {
        case sim, gpiod
    }

    @Option(help: "Backend: sim (virtual time), or gpiod (real time, on lines of gpio-sim).")
    var backend = Backend.sim

    @Option(help: ArgumentHelp("Also write the results as JUnit XML.", valueName: "file"))
    var junit: String?

    @Flag(help: "Write the events of each scenario to NAME.expected instead of comparing them.")
    var record = false

    @Option(
        help: ArgumentHelp(
            "Write lines and controls of one scenario as VCD, for GTKWave, Surfer or sigrok-cli.",
            valueName: "file.vcd"))
    var trace: String?

    func validate() throws {
        guard trace == nil || backend == .sim else {
            throw ValidationError("--trace works only in virtual time: remove --backend gpiod")
        }
        guard !record || backend == .sim else {
            throw ValidationError(
                "--record works only in virtual time: remove --backend gpiod")
        }
        guard trace == nil || scenarios.count == 1 else {
            throw ValidationError(
                "--trace works with one scenario, not \(scenarios.count): run them one at a time")
        }
    }

    func run() throws {
        var outcomes: [(file: String, outcome: ScenarioFile.Outcome)] = []
        for file in scenarios {
            let outcome = try play(file)
            if let trace { try writeTrace(outcome, to: trace) }
            if record, case .ran(let result) = outcome, result.isPassed {
                try OutputFile.write(
                    result.events.joined(), to: ScenarioFile.expectedTrace(of: file))
            }
            outcomes.append((file, outcome))
            try StandardOutput.writeOrFail(text(file, outcome))
        }
        if let junit { try OutputFile.write(JUnitReport.text(outcomes), to: junit) }
        let unreadable = outcomes.count { if case .unreadable = $0.outcome { true } else { false } }
        let failed = outcomes.count {
            if case .ran(let result) = $0.outcome { !result.isPassed } else { false }
        }
        let passed = outcomes.count - failed - unreadable
        try StandardOutput.writeOrFail("\(passed) passed, \(failed + unreadable) failed\n")
        if unreadable > 0 { throw ExitStatus.usage }
        if failed > 0 { throw ExitStatus.failed }
    }

    private func text(_ file: String, _ outcome: ScenarioFile.Outcome) -> String {
        switch outcome {
        case .ran(let result): result.text
        case .unreadable(let problems): ProblemRenderer.text(problems)
        }
    }

    private func play(_ file: String) throws -> ScenarioFile.Outcome {
        switch backend {
        case .sim:
            return ScenarioFile.run(file, isTraced: trace != nil, isCompared: !record)
        case .gpiod:
            do {
                return try GPIOSimPlayer.run(file, backend: GPIODBackend())
            } catch let error as GPIOSimError {
                throw Failure(.hardware, error, at: file)
            }
        }
    }

    private func writeTrace(_ outcome: ScenarioFile.Outcome, to path: String) throws {
        guard case .ran(let result) = outcome, let plan = result.plan else { return }
        try RecordedTrace.write(result.record, of: plan, until: .zero + result.duration, to: path)
    }
}
