import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

extension DeskRefusal {
    /// Why a panel's part could not be moved, for the person who asked.
    init(_ gesture: Gesture, _ error: GestureError, plan: PanelPlan) {
        let part = Self.part(gesture, plan)
        let can = Self.control(gesture).map { plan.possibleGestures(of: $0) } ?? "name a control"
        switch error {
        case .unknown:
            self.init(
                .impossible, cause: "\(part) has no contact",
                remedy: "only contacts can be touched; lamps and outputs follow by themselves")
        case .wrongPart:
            self.init(.impossible, cause: "\(part) cannot be moved so", remedy: can)
        case .outOfRange:
            self.init(.impossible, cause: "\(part) has no such position or button", remedy: can)
        case .tooMuch:
            self.init(
                .tooMuch, cause: "\(part) cannot be moved so far, or too many moves wait already",
                remedy: "at most \(WorldLimits.detents) detents at once, or wait a moment")
        }
    }

    private static func part(_ gesture: Gesture, _ plan: PanelPlan) -> String {
        if let id = control(gesture) {
            guard plan.controls.indices.contains(Int(id.index)) else { return "that control" }
            let control = plan.controls[Int(id.index)]
            return "\(control.id), a \(control.kind),"
        }
        guard let id = line(gesture), plan.lines.indices.contains(Int(id.index)) else {
            return "that line"
        }
        return "the line \(plan.lines[Int(id.index)].name)"
    }

    private static func control(_ gesture: Gesture) -> ControlID? {
        switch gesture {
        case .press(let id, _), .release(let id, _), .click(let id, _, _), .cover(let id, _),
            .flip(let id, _), .select(let id, _), .turn(let id, _, _), .miss(let id, _):
            id
        case .glitch, .stick, .cut, .restore: nil
        }
    }

    private static func line(_ gesture: Gesture) -> LineID? {
        switch gesture {
        case .glitch(let id, _), .stick(let id, _), .cut(let id), .restore(let id): id
        case .press, .release, .click, .cover, .flip, .select, .turn, .miss: nil
        }
    }
}
