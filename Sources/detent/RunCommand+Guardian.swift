import DetentGPIOD
import DetentGuardian
import DetentPanel
import DetentTypes

extension RunCommand {
    /// The times of `--restart-after`: a shorter one could keep a machine busy with restarts.
    private static let restartTimes = TimeSpan.milliseconds(100)...TimeSpan.seconds(3_600)

    /// How long the guardian waits before it starts a crashed panel again; nil to end as it did.
    func restartSpan() throws -> TimeSpan? {
        guard let restartAfter else { return nil }
        let span = try DurationOption.span(restartAfter)
        guard Self.restartTimes.contains(span) else {
            throw Failure(
                code: .usage, cause: "--restart-after \(restartAfter) is out of range",
                remedy: "use a time from 100ms to 1h")
        }
        return span
    }
}

extension PanelGuardian {
    /// The options of the backend of a panel: the guardian knows every line with a declared
    /// `on-crash` level before it is requested.
    ///
    /// - Parameter say: prints a message about a line that cannot be guarded; must not wait.
    func options(
        for plan: PanelPlan, say: @escaping @Sendable (String) -> Void
    ) -> GPIODBackend.Options {
        var options = GPIODBackend.Options()
        options.willRequest = { place in
            guard let level = plan.crashLevel(of: place.line) else { return }
            let line = plan.lines[Int(place.line.index)]
            let isGuarded = self.guardLine(
                Line(
                    name: line.name, chip: place.chip, offset: place.offset,
                    isActiveLow: line.isActiveLow, level: level))
            if !isGuarded {
                say("detent: \(line.name) is not guarded: it keeps its level after a crash\n")
            }
        }
        options.didRelease = { self.forgetLines() }
        return options
    }
}
