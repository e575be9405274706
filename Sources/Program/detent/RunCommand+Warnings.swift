import DetentActions
import DetentBench
import DetentPanel

extension RunCommand {
    /// What this machine lacks for the keys of a panel, in the words of `detent doctor`; empty if
    /// it lacks nothing.
    static func warnings(_ plan: PanelPlan) -> [String] {
        NeededPrograms.keys(plan, problem: KeyPad.problem).filter { $0.weight == .problem }
            .map { "detent: \($0.text)\nhelp: \($0.help)\n" }
    }
}
