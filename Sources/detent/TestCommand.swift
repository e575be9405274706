import ArgumentParser
import DetentScenario
import DetentGPIOD
import DetentPanel
import DetentTrace
import DetentTypes
import DetentWorld
import Glibc

/// `detent test`: scenarios in virtual time.
struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Run scenarios, in virtual time or on a kernel's lines.",
        discussion: """
            Example:  detent test panels/*/*.scenario.yaml
                      detent test panels/lab-supply/ordinary-day.scenario.yaml --trace run.vcd

            NAME.expected beside NAME.yaml is the trace that must come out. With --backend gpiod the
            same files play in real time on chips of the kernel's simulator gpio-sim.
            Exit codes: 0 all passed, 1 one failed, 2 one could not be read, 3 no lines to play on.
            """)

    @Argument(help: ArgumentHelp("Scenario files.", valueName: "scenario"))
    var scenarios: [String]

    enum Backend: String, ExpressibleByArgument, CaseIterable {
        case sim, gpiod
    }

    @Option(help: "Where they play: sim (virtual time), or gpiod (real time, gpio-sim's lines).")
    var backend = Backend.sim

    @Option(help: ArgumentHelp("Also write the results as JUnit XML.", valueName: "file"))
    var junit: String?

    @Flag(help: "Write each scenario's events to NAME.expected instead of comparing them.")
    var record = false

    @Option(
        help: ArgumentHelp(
            "Write what the panel did as VCD, for GTKWave, Surfer or sigrok-cli; one scenario.",
            valueName: "file.vcd"))
    var trace: String?

    func validate() throws {
        guard trace == nil || backend == .sim else {
            throw ValidationError("--trace shows virtual time: leave --backend gpiod out")
        }
        guard !record || backend == .sim else {
            throw ValidationError(
                "an expected trace has the times of virtual time: leave --backend gpiod out")
        }
        guard trace == nil || scenarios.count == 1 else {
            throw ValidationError(
                "--trace takes one scenario, not \(scenarios.count): run them one by one")
        }
    }

    func run() throws {
        var outcomes: [(file: String, outcome: ScenarioFile.Outcome)] = []
        for file in scenarios {
            let outcome = try play(file)
            if let trace { try writeTrace(outcome, to: trace) }
            if record, case .ran(let result) = outcome, result.isPassed {
                try write(result.events.joined(), to: ScenarioFile.expectedTrace(of: file))
            }
            outcomes.append((file, outcome))
            try StandardOutput.writeOrFail(text(file, outcome))
        }
        if let junit { try write(JUnitReport.text(outcomes), to: junit) }
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
        try TraceFailure.told { () throws(TraceError) in
            try RecordedTrace.write(
                result.record, of: plan, until: .zero + result.duration, to: path)
        }
    }

    private func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else {
            throw Failure(
                code: .failed,
                cause: "\(path) cannot be written: \(String(cString: strerror(errno)))",
                remedy: "name a file in a folder that may be written")
        }
        let isWritten = fputs(text, file) >= 0
        let isClosed = fclose(file) == 0
        guard isWritten, isClosed else {
            throw Failure(
                code: .failed,
                cause: "\(path) was not written whole: \(String(cString: strerror(errno)))",
                remedy: "free some space, or write somewhere else")
        }
    }
}
