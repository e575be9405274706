import DetentCore
import DetentHAL
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld

/// A panel in virtual time with all that is around it, to which a session's steps are done.
///
/// A session and its repetition are two of these that get the same steps at the same moments.
final class PanelMachine {
    let plan: PanelPlan
    private let backend: SimulatedBackend
    private let runner: VirtualRunner

    init(
        _ start: DeskStart, programs: (any AttemptStarter)? = nil, isTraced: Bool = false
    ) throws(EngineError) {
        plan = start.plan
        backend = SimulatedBackend(
            World(start.plan, seed: start.seed, bounce: start.bounce.choice ?? .all(.none)))
        runner = try VirtualRunner(
            plan, backend: backend, actions: ActionModel(scripts: start.scripts),
            programs: programs, isTraced: isTraced)
    }

    /// The moment up to which everything has happened.
    var now: Instant { runner.now }
    /// The next moment at which anything happens by itself.
    var next: Instant { runner.next }
    /// The next moment at which a part moves or bounces.
    var nextChange: Instant { backend.nextChange }
    var scripts: [ControlID: ActionScript] { runner.actions.scripts }
    var outside: World { backend.outside }
    /// The record also holds the levels of lines.
    var notesLines: Bool {
        get { runner.notesLines }
        set { runner.notesLines = newValue }
    }

    func snapshot(of control: ControlID) -> ControlSnapshot? { runner.snapshot(of: control) }
    func contact(_ line: LineID) -> Level? { runner.contactLevel(of: line) }

    /// What a meter reads on a line, after polarity.
    func level(of line: LineID) -> Level {
        backend.drivenLevel(of: line) ?? backend.level(of: line)
    }

    /// Lets everything happen up to a moment, that moment included.
    func run(until moment: Instant) { runner.run(until: moment) }

    func takeRecord(_ body: (VirtualRecord) -> Void) { runner.takeRecord(body) }

    /// Does something now; what comes of it at this very moment has come when it returns.
    func perform(_ work: ScenarioStep.Work) throws(GestureError) {
        switch work {
        case .gestures(let gestures):
            for it in gestures { try backend.apply(it.gesture, at: now) }
        case .tell(let event): runner.handle(event)
        case .failAction(let control, let code): runner.actions.fail(control, code: code, at: now)
        case .failNext: runner.actions.failNext(code: 1)
        case .actions(let control, let script): runner.actions.follow(script, for: control)
        case .bounce(let control, let word): backend.setBounce(of: control, word.choice)
        case .device(let control, let value): runner.actions.set(control, to: value)
        case .feedback(let control, let value):
            runner.actions.set(control, to: value)
            runner.handle(.feedback(control, value))
        case .wait, .waitUntil, .expect, .restart, .powerCut: break  // no session has these
        }
        runner.run(until: now)
    }
}
