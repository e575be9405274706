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
    mutating func take(_ event: Report.Kind) {
        switch event {
        case .pressed, .buttonPressed, .stepped, .moved: isSeen = true
        case .changed(_, let origin), .chosen(_, let origin):
            if origin.place == .panel || origin.place.isRemote { isSeen = true }
        default: break
        }
    }

    /// The members of `outcome` of a control.
    func json(of control: ControlPlan, in plan: PanelPlan) -> JSONValue {
        let program = plan.program(of: control)
        return .object([
            ("result", .string(result.rawValue)),
            ("reason", reason.text(in: plan).map(JSONValue.string) ?? .null),
            ("program", program.map(JSONValue.string) ?? .null),
            ("at", .integer(Int64(clamping: at.nanoseconds))), ("seen", .bool(isSeen)),
        ])
    }
}

extension PanelPlan {
    /// The program that the actions of a control run, as the panel file names it; nil if they run
    /// several ones or none.
    func program(of control: ControlPlan) -> String? {
        let places: Range<Int>
        switch control.settings.actions {
        case .none: return nil
        case .any(let action): places = Int(action.index)..<Int(action.index) + 1
        case .perValue(let first, let present):
            places = Int(first.index)..<Int(first.index) + present.nonzeroBitCount
        }
        let programs = places.filter(actions.indices.contains).map { place -> String? in
            guard case .run(let arguments) = actions[place].command else { return nil }
            return arguments.first
        }
        guard let first = programs.first, programs.allSatisfy({ $0 == first }) else { return nil }
        return first
    }
}
