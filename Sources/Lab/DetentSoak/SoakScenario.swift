public import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld

/// Writes a failure as a scenario file for `detent test`.
public enum SoakScenario {
    /// The text of the file.
    ///
    /// It expects what the law says, so it fails until the fault is fixed. What no scenario can
    /// say is a comment at its moment; `isWhole` is then false.
    ///
    /// - Parameters:
    ///   - panel: the path of the panel file, from the folder of the scenario.
    ///   - version: what made it, for the first line.
    public static func text(
        _ failure: Soak.Failure, of soak: Soak, panel: String, version: String
    ) throws(EngineError) -> (text: String, isWhole: Bool) {
        var run = try SoakRun(
            seed: soak.seed, plan: soak.plan, trouble: soak.trouble, disguise: soak.disguise,
            keepsLog: true)
        for step in failure.steps { try run.play(step) }
        let writer = ScenarioText(soak.plan)
        var isWhole = soak.trouble.wakeEvery == .zero
        var steps = ""
        let moved = Set(run.log.flatMap(\.controls))
        for (control, bounce) in SoakUser.encoderBounce(soak.plan, soak.trouble)
        where moved.contains(control) {
            steps += writer.step(.bounce(control, bounce), at: .zero) ?? ""
        }
        for entry in run.log {
            if let text = Self.text(entry, writer) {
                steps += text
            } else {
                isWhole = false
                steps += "  # at \(entry.at - .zero): \(Self.note(entry))\n"
            }
        }
        let expected = failure.violation.expected
        if let text = expected.flatMap({ writer.step([$0], at: run.runner.now) }) {
            steps += text
        } else {
            isWhole = false
        }
        var head = "# Found by `detent soak`, \(version), seed \(soak.seed)"
        head += " (\(soak.trouble.text)).\n# The law: \(failure.violation.invariant.rawValue).\n"
        head += "# Found: \(oneLine(failure.violation.text))\n"
        if !isWhole {
            head += "# A scenario cannot say all of it: `detent soak --seeds "
            head += "\(soak.seed)-\(soak.seed)` repeats the whole.\n"
        }
        let bounce = BounceSelection.profile(SoakUser.bounce(seed: soak.seed, soak.trouble))
        head += writer.head(panel: panel, bounce: bounce, seed: soak.seed, actions: [:])
        return (head + steps, isWhole)
    }

    /// A step of a scenario; nil if there is none for it.
    private static func text(_ entry: SoakEntry, _ writer: ScenarioText) -> String? {
        switch entry.work {
        case .stimulus(let stimulus): writer.step(stimulus, at: entry.at)
        case .restart(let pause): writer.restart("restart", pause, at: entry.at)
        case .powerCut(let pause): writer.restart("power-cut", pause, at: entry.at)
        case .reload(let controls): writer.reload(controls, at: entry.at)
        case .note: nil
        }
    }

    private static func note(_ entry: SoakEntry) -> String {
        switch entry.work {
        case .note(let text): oneLine(text)
        case .stimulus(let stimulus): oneLine("\(stimulus)")
        case .restart, .powerCut, .reload: ""
        }
    }

    private static func oneLine(_ text: String) -> String {
        String(text.prefix(300).map { $0.isNewline ? " " : $0 })
    }
}
