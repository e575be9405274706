package import DetentCore
package import DetentHAL
package import DetentPanel
package import DetentTypes
package import DetentWorld

/// A panel in virtual time with its simulated surroundings.
///
/// Two panels with the same stimuli at the same moments give the same output, byte for byte. This
/// is how a session is repeated.
package final class VirtualPanel {
    package var plan: PanelPlan { runner.plan }
    private let seed: UInt64
    private let bounce: BounceChoice
    let backend: SimulatedBackend
    private let runner: VirtualRunner

    /// Starts a panel at 0.
    ///
    /// - Parameters:
    ///   - actions: the simulated actions.
    ///   - programs: starts real programs instead.
    ///   - keepsState: whether values survive a restart, as with a state directory.
    ///   - isTraced: whether the record also contains what only a trace shows.
    ///   - tape: notes what goes through the engine, until another panel follows.
    package init(
        _ plan: PanelPlan, seed: UInt64, bounce: BounceChoice,
        actions: [ControlID: ActionScript], programs: (any AttemptStarter)? = nil,
        keepsState: Bool = false, isTraced: Bool = false, tape: EngineTape? = nil
    ) throws(EngineError) {
        self.seed = seed
        self.bounce = bounce
        backend = SimulatedBackend(PhysicalModel(plan, seed: seed, bounce: bounce))
        let effects = VirtualEffects(
            plan, backend: backend, actions: ActionModel(scripts: actions), programs: programs,
            keepsState: keepsState, isTraced: isTraced, tape: tape)
        runner = try VirtualRunner(plan, backend: backend, effects: effects)
    }

    /// The moment up to which the panel has run.
    package var now: Instant { runner.now }
    /// The next moment at which something is due without a stimulus.
    package var next: Instant { runner.next }
    /// The next moment at which a part moves or bounces.
    package var nextChange: Instant { backend.nextChange }
    package var scripts: [ControlID: ActionScript] { runner.actions.scripts }
    /// The latest attempt of each control.
    package var attempts: [ControlID: ActionAttempt] { runner.attempts }
    /// What the latest attempt of a control asks for; empty if there was none.
    package func asked(of control: ControlID) -> String { runner.asked(of: control) }

    package var outside: PhysicalModel { backend.outside }
    /// The record so far.
    package var record: VirtualRecord { runner.record }
    /// Whether the record also contains the levels of lines.
    package var notesLines: Bool {
        get { runner.notesLines }
        set { runner.notesLines = newValue }
    }

    package func snapshot(of control: ControlID) -> ControlSnapshot? {
        runner.snapshot(of: control)
    }

    package func contact(_ line: LineID) -> Level? { runner.contactLevel(of: line) }

    /// The electrical level of a line, after polarity.
    package func level(of line: LineID) -> Level {
        backend.drivenLevel(of: line) ?? backend.level(of: line)
    }

    /// The value of a simulated device; nil if it was never set.
    package func device(of control: ControlID) -> Value? { runner.actions.device(of: control) }

    /// Whether an attempt of a control runs.
    package func isActing(_ control: ControlID) -> Bool { runner.actions.isRunning(control) }

    /// Runs up to and including a moment.
    package func run(until moment: Instant) { runner.run(until: moment) }

    package func takeRecord(_ body: (VirtualRecord) -> Void) { runner.takeRecord(body) }

    /// Another panel follows, as by a reload: parts and wires stay as they are.
    ///
    /// - Parameter scripts: the simulated actions of controls that have none yet.
    /// - Returns: the lines that could not be requested; the panel then goes on unchanged.
    package func replacePlan(
        _ plan: PanelPlan, _ difference: PanelDifference, scripts: [ControlID: ActionScript]
    ) throws(EngineError) -> [HALError] {
        backend.expect(
            PhysicalModel(
                plan, following: backend.outside, difference, seed: seed, bounce: bounce))
        let errors = try runner.replacePlan(plan, difference)
        guard errors.isEmpty else { return errors }
        for (control, script) in scripts where runner.actions.scripts[control] == nil {
            runner.actions.setScript(script, for: control)
        }
        return []
    }

    /// The panel follows its own file, as by a reload; these controls start again.
    ///
    /// - Returns: the lines that could not be requested; the panel then goes on unchanged.
    package func reload(touching controls: [ControlID]) throws(EngineError) -> [HALError] {
        try runner.reload(backend, seed: seed, bounce: bounce, touching: controls)
    }

    /// The process ends and starts again; if not orderly, the power fails at once.
    package func restart(after pause: TimeSpan, isOrderly: Bool) throws(EngineError) {
        if !isOrderly { backend.cutPower(at: now) }
        try runner.restart(after: pause, isOrderly: isOrderly)
    }
}

/// All effects of a stimulus at its moment have happened when `apply` returns.
extension VirtualPanel: ScenarioStage {
    package func begin(_ gestures: [PartGesture]) throws(GestureError) {
        for timed in gestures { try backend.apply(timed.gesture, at: now) }
        runner.run(until: now)
    }

    package func send(_ event: Event) { runner.handle(event) }

    package func change(_ stimulus: Stimulus) {
        if case .bounce(let control, let word) = stimulus {
            backend.setBounce(of: control, word.choice)
        } else {
            runner.change(stimulus)
        }
    }
}
