import DetentCommand
import DetentDevices
import DetentGPIOD
import DetentGuardian
import DetentPanel
import DetentTypes
import Synchronization

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

/// The lines that the guardian knows: those of the panel that runs with an `on-crash` level.
final class GuardedPanel: Sendable {
    private let guardian: PanelGuardian
    private let say: @Sendable (String) -> Void
    private let present: Mutex<PanelPlan>

    /// - Parameter say: prints a message about a line that cannot be guarded; must not wait.
    init(_ guardian: PanelGuardian, _ plan: PanelPlan, say: @escaping @Sendable (String) -> Void) {
        self.guardian = guardian
        self.say = say
        present = Mutex(plan)
    }

    /// The panel whose lines are requested.
    var plan: PanelPlan {
        get { present.withLock { $0 } }
        set { present.withLock { $0 = newValue } }
    }

    /// Options of the backend: the guardian knows every line before it is requested.
    func options() -> GPIODBackend.Options {
        var options = GPIODBackend.Options()
        options.willRequest = { place in
            guard let line = self.line(place), !self.guardian.guardLine(line) else { return }
            self.sayUnguarded(line.name)
        }
        options.didRelease = { self.guardian.forgetLines() }
        return options
    }

    /// The guardian knows these lines and outputs of the present panel and no others.
    func replaceLines(_ places: [LinePlace], _ levels: [LevelBackend.Place]) {
        let lines = places.compactMap(line) + levels.compactMap(line)
        for name in guardian.replaceLines(by: lines) { sayUnguarded(name) }
    }

    /// The guardian knows where an output with levels is now.
    func add(_ level: LevelBackend.Place) {
        guard let line = line(level), !guardian.guardLine(line) else { return }
        sayUnguarded(line.name)
    }

    /// The outputs of the panel are as they should be.
    func forget() { guardian.forgetLines() }

    private func line(_ place: LevelBackend.Place) -> PanelGuardian.Line? {
        let plan = plan
        return plan.crashLevel(of: place.line).map {
            PanelGuardian.Line(
                name: plan[place.line].name, file: place.file, descriptor: place.descriptor,
                text: place.text($0))
        }
    }

    private func line(_ place: LinePlace) -> PanelGuardian.Line? {
        let plan = plan
        guard let level = plan.crashLevel(of: place.line) else { return nil }
        let line = plan.lines[Int(place.line.index)]
        return PanelGuardian.Line(
            name: line.name, chip: place.chip, offset: place.offset,
            isActiveLow: line.isActiveLow, level: level)
    }

    private func sayUnguarded(_ name: String) {
        say("detent: \(name) is not guarded: it keeps its level after a crash\n")
    }
}
