import DetentCore
public import DetentPanel
import DetentScenario
public import DetentTypes
public import DetentWorld

/// The settings with which a simulated panel starts.
public struct SimulationOptions: Equatable, Sendable {
    /// The panel.
    public var plan: PanelPlan
    /// The name of the panel's file, as a scenario in the same folder names it.
    public var file: String
    /// The random seed.
    public var seed: UInt64
    /// How contacts bounce.
    public var bounce: BounceSelection
    /// How long an attempt of a simulated action takes.
    public var takes: TimeSpan
    /// Limits of the recording; tests lower them.
    var steps = SimulatorLimits.steps
    var events = SimulatorLimits.events

    /// Makes the settings.
    public init(
        plan: PanelPlan, file: String = "panel.yaml", seed: UInt64 = 1,
        bounce: BounceSelection = .typical, takes: TimeSpan
    ) {
        self.plan = plan
        self.file = file
        self.seed = seed
        self.bounce = bounce
        self.takes = takes
    }

    /// The scripts of the controls that have an action.
    var scripts: [ControlID: ActionScript] {
        var scripts: [ControlID: ActionScript] = [:]
        for place in plan.controls.indices where hasAction(plan.controls[place].settings) {
            scripts[ControlID(UInt16(place))] = ActionScript(takes: takes)
        }
        return scripts
    }

    /// Starts the panel at 0.
    func panel(
        programs: (any AttemptStarter)?, isTraced: Bool = false
    ) throws(EngineError) -> VirtualPanel {
        try VirtualPanel(
            plan, seed: seed, bounce: bounce.choice ?? .all(.none), actions: scripts,
            programs: programs, isTraced: isTraced)
    }

    private func hasAction(_ settings: ControlSettings) -> Bool {
        settings.actions != .none || settings.query != nil
    }
}
