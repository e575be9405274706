package import DetentCore
import DetentHAL
package import DetentPanel
package import DetentTypes
package import DetentWorld

/// A panel in virtual time with all that is around it.
///
/// Two of these that get the same stimuli at the same moments do the same, byte for byte: so a
/// session is repeated.
package final class VirtualPanel {
    package let plan: PanelPlan
    let backend: SimulatedBackend
    private let runner: VirtualRunner

    /// Starts a panel at 0.
    ///
    /// - Parameters:
    ///   - actions: how attempts go that are played.
    ///   - programs: begins attempts that are not played.
    ///   - keepsState: values outlive the process, as with a state directory.
    ///   - isTraced: the record also holds what only a trace shows.
    package init(
        _ plan: PanelPlan, seed: UInt64, bounce: BounceChoice,
        actions: [ControlID: ActionScript], programs: (any AttemptStarter)? = nil,
        keepsState: Bool = false, isTraced: Bool = false
    ) throws(EngineError) {
        self.plan = plan
        backend = SimulatedBackend(World(plan, seed: seed, bounce: bounce))
        runner = try VirtualRunner(
            plan, backend: backend, actions: ActionModel(scripts: actions), programs: programs,
            keepsState: keepsState, isTraced: isTraced)
    }

    /// The moment up to which everything has happened.
    package var now: Instant { runner.now }
    /// The next moment at which anything happens by itself.
    package var next: Instant { runner.next }
    /// The next moment at which a part moves or bounces.
    package var nextChange: Instant { backend.nextChange }
    package var scripts: [ControlID: ActionScript] { runner.actions.scripts }
    package var outside: World { backend.outside }
    /// What happened so far.
    package var record: VirtualRecord { runner.record }
    /// The record also holds the levels of lines.
    package var notesLines: Bool {
        get { runner.notesLines }
        set { runner.notesLines = newValue }
    }

    package func snapshot(of control: ControlID) -> ControlSnapshot? {
        runner.snapshot(of: control)
    }

    package func contact(_ line: LineID) -> Level? { runner.contactLevel(of: line) }

    /// What a meter reads on a line, after polarity.
    package func level(of line: LineID) -> Level {
        backend.drivenLevel(of: line) ?? backend.level(of: line)
    }

    /// Lets everything happen up to a moment, that moment included.
    package func run(until moment: Instant) { runner.run(until: moment) }

    package func takeRecord(_ body: (VirtualRecord) -> Void) { runner.takeRecord(body) }

    /// The process ends and starts again; out of order, the power is gone at once.
    package func restart(after pause: TimeSpan, isOrderly: Bool) throws(EngineError) {
        if !isOrderly { backend.cutPower(at: now) }
        try runner.restart(after: pause, isOrderly: isOrderly)
    }
}

/// What comes of a stimulus at its very moment has come when `apply` returns.
extension VirtualPanel: ScenarioStage {
    package func begin(_ gestures: [PartGesture]) throws(GestureError) {
        for it in gestures { try backend.apply(it.gesture, at: now) }
        runner.run(until: now)
    }

    package func tell(_ event: Event) { runner.handle(event) }

    package func failAction(_ control: ControlID, code: Int32) {
        runner.actions.fail(control, code: code, at: now)
        runner.run(until: now)
    }

    package func failNext() { runner.actions.failNext(code: 1) }

    package func follow(_ script: ActionScript, for control: ControlID) {
        runner.actions.follow(script, for: control)
    }

    package func setBounce(of control: ControlID, _ word: BounceWord) {
        backend.setBounce(of: control, word.choice)
    }

    package func setDevice(_ control: ControlID, to value: Value) {
        runner.actions.set(control, to: value)
    }
}
