import DetentCore
import DetentDevices
import DetentGPIOD
import DetentGuardian
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
import DetentWall
import DetentWorld

/// What a reload changes beside the panel itself: the guardian's lines and the file of values.
///
/// Only the thread of the loop calls it.
final class ReloadHooks {
    private let guarded: GuardedPanel?
    private let backend: any GPIOBackend
    private let keepValues: (PanelPlan, [SavedValue]) -> KeptValues?

    /// - Parameter keep: keeps the values of a panel when the process dies, from now on.
    init(
        _ guarded: GuardedPanel?, _ backend: any GPIOBackend,
        keep: @escaping (PanelPlan, [SavedValue]) -> KeptValues?
    ) {
        self.guarded = guarded
        self.backend = backend
        keepValues = keep
        backend.levels?.didFind = { guarded?.add($0) }
    }

    /// This panel begins with these values.
    func keep(_ plan: PanelPlan, _ values: [SavedValue]) -> KeptValues? { keepValues(plan, values) }

    /// A panel may follow: its new lines are guarded before they are requested.
    func willChange(_ plan: PanelPlan, _ difference: PanelDifference) {
        guarded?.plan = plan
        (backend as? SimulatedBackend)?.expect(plan, difference)
    }

    /// This panel runs: the guardian knows its lines and no others.
    func didChange(_ plan: PanelPlan) {
        guarded?.plan = plan
        guarded?.replaceLines(backend.chips?.places ?? [], backend.levels?.places ?? [])
    }

    /// The lines have their `on-exit` levels. The backend of chips has told the guardian itself.
    func didClose() {
        if backend.levels != nil { guarded?.forget() }
    }
}

extension GPIOBackend {
    /// The backend of GPIO chips: this one, or one that is joined with others.
    fileprivate var chips: GPIODBackend? {
        self as? GPIODBackend ?? (self as? JoinedBackend)?.member(GPIODBackend.self)
    }

    /// The backend of outputs with levels; nil if the panel has none.
    fileprivate var levels: LevelBackend? { (self as? JoinedBackend)?.member(LevelBackend.self) }
}

extension PanelReloader.Reading {
    /// Reads a panel file.
    init(_ file: String) {
        self = Self.read(file).reading
    }

    /// Reads a panel file; the source is nil if the file cannot be read.
    static func read(_ file: String) -> (reading: Self, source: SourceText?) {
        let source = try? SourceText.read(file: file)
        let (plan, problems) = source.map { PanelReader.read($0) } ?? PanelReader.read(file: file)
        return (Self(plan: plan, problems: ProblemRenderer.text(problems)), source)
    }
}

extension RunCommand {
    /// Waits for reloads of the panel from now on.
    ///
    /// - Parameters:
    ///   - gateway: learns the file before the panel does, and every outcome.
    ///   - broker: learns the file before the panel does.
    func listenForReloads(
        of plan: PanelPlan, inbox: Inbox, signal: WakeUp, notifier: ServiceNotifier?,
        _ gateway: ChildProcess?, _ broker: ChildProcess?, _ log: TextWriter
    ) throws -> ReloadListener {
        let reloader = PanelReloader(
            plan, file: panel,
            read: { [panel] in
                let (reading, source) = PanelReloader.Reading.read(panel)
                if let source {
                    gateway?.expect(source)
                    broker?.expect(source)
                }
                if broker == nil, reading.plan?.broker != nil {
                    log.add("detent: restart the panel to connect it to its broker\n")
                }
                for warning in reading.plan.map(Self.warnings) ?? [] { log.add(warning) }
                return reading
            },
            change: { change in
                inbox.send(change)
                return change.answer()
            },
            words: { [panel] errors in LineProblem.text(errors, of: panel) })
        return try ReloadListener(
            signal: signal, watch: watchFile ? try FileWatch(panel) : nil, door: door(log),
            reload: {
                notifier?.reloading(at: MonotonicClock.now)
                let outcome = reloader.reload()
                notifier?.ready(outcome.status)
                return outcome
            },
            asked: { _ = inbox.send(.reload(by: .api, user: $0)) },
            tell: { outcome in
                log.add(outcome.text)
                gateway?.announce(outcome)
            })
    }

    /// Where `detent reload` reaches this process; nil if another process is there.
    private func door(_ log: TextWriter) -> LocalDoor? {
        do throws(ReloadDoor.Problem) {
            return try ReloadDoor.open(of: panel)
        } catch {
            log.add(
                "detent: `detent reload` cannot reach this process: \(error.cause)\n"
                    + "help: another detent may run \(panel); send SIGHUP to reload this one\n")
            return nil
        }
    }
}

extension PanelReloader.Outcome {
    /// The last line, for a service manager.
    var status: String {
        text.split(separator: "\n").last.map(String.init) ?? result.rawValue
    }
}

extension ServiceNotifier {
    /// The timer by which the loop shows that it is alive; nil without a watchdog.
    var watchdog: WatchdogTimer? {
        watchdogPeriod.map { period in WatchdogTimer(every: period) { self.alive() } }
    }
}
