import DetentPanel
import DetentTypes
import DetentWorld

/// Why a panel's part could not be moved, for the person who asked.
struct GestureRefusal {
    let cause: String
    let remedy: String

    init(_ gesture: Gesture, _ error: GestureError, plan: PanelPlan) {
        let part = Self.part(gesture, plan)
        switch error {
        case .unknown:
            cause = "\(part) has no contact"
            remedy = "only contacts can be touched; lamps and outputs follow by themselves"
        case .wrongPart:
            cause = "\(part) cannot be moved so"
            remedy = "press and click buttons, flip levers, select on selectors, turn knobs"
        case .outOfRange:
            cause = "\(part) has no such position"
            remedy = "give one of its values"
        case .tooMuch:
            cause = "\(part) cannot be moved so far, or too many moves wait already"
            remedy = "at most \(WorldLimits.detents) detents at once, or wait a moment"
        }
    }

    private static func part(_ gesture: Gesture, _ plan: PanelPlan) -> String {
        switch gesture {
        case .press(let id), .release(let id), .click(let id, _), .flip(let id, _),
            .select(let id, _), .turn(let id, _, _), .miss(let id, _):
            guard plan.controls.indices.contains(Int(id.index)) else { return "that control" }
            let control = plan.controls[Int(id.index)]
            return "\(control.id), a \(control.kind),"
        case .glitch(let id, _), .stick(let id, _), .cut(let id), .restore(let id):
            guard plan.lines.indices.contains(Int(id.index)) else { return "that line" }
            return "the line \(plan.lines[Int(id.index)].name)"
        }
    }
}
