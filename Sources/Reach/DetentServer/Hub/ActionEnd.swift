import DetentCore
import DetentPanel
import DetentTypes

/// How the last action of a control ended. It is told for as long as the panel runs: the page says
/// what failed until the control is touched.
struct ActionEnd: Equatable {
    /// How it ended.
    var result: ActionFigures.Result
    /// Why it failed.
    var reason: Reason
    /// When, on the panel's clock.
    var at: Instant
    /// Whether the control was touched since, or asked for something.
    var isSeen = false

    /// Takes an event of the control after the end.
    mutating func record(_ event: Report.Kind) {
        switch event {
        case .pressed, .buttonPressed, .stepped, .moved: isSeen = true
        case .changed(_, let origin), .chosen(_, let origin):
            if origin.place == .panel || origin.place.isRemote { isSeen = true }
        default: break
        }
    }

    /// The members of `outcome` of a control.
    func json(of control: ControlPlan, in plan: PanelPlan) -> JSONValue {
        [
            "result": .string(result.rawValue), "reason": .text(reason.text(in: plan)),
            "program": .text(plan.program(of: control)), "at": .whole(at.nanoseconds),
            "seen": .bool(isSeen),
        ]
    }
}

extension PanelPlan {
    /// The program that the actions of a control run, as the panel file names it; nil if they run
    /// several ones or none.
    func program(of control: ControlPlan) -> String? {
        let own = control.settings.actions.indices.filter(actions.indices.contains)
        let programs = own.map { index -> String? in
            guard case .run(let arguments) = actions[index].command else { return nil }
            return arguments.first
        }
        guard let first = programs.first, programs.allSatisfy({ $0 == first }) else { return nil }
        return first
    }
}
