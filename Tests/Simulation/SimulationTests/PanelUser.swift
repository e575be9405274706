import DetentCore
import DetentPanel
import DetentScenario
import DetentSoak

/// A soak run whose history is kept, with the user that moves it.
struct PanelUser {
    typealias Trouble = SoakTrouble

    private var user: SoakUser
    private var run: SoakRun

    init(seed: UInt64, plan: PanelPlan, trouble: Trouble = Trouble()) throws {
        user = SoakUser(seed: seed, plan: plan, trouble: trouble)
        run = try SoakRun(seed: seed, plan: plan, trouble: trouble)
    }

    var runner: VirtualRunner { run.runner }
    var history: [HistoryStep] { run.history }

    /// Anything at all for a while, then quiet.
    mutating func round(_ gestures: Int) throws {
        for step in user.round(gestures) { try run.play(step) }
    }
}
