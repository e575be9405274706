public import DetentPanel
import DetentTypes

extension SimulationError {
    /// Explains why a part could not be moved.
    public init(_ gesture: Gesture, _ error: GestureError, plan: PanelPlan) {
        let part = Self.part(gesture, plan)
        let can: String =
            switch gesture.subject {
            case .control(let id): plan.possibleGestures(of: id)
            case .line: "name a control"
            }
        switch error {
        case .unknown:
            self.init(
                .impossible, cause: "\(part) has no contact",
                remedy: "use a control with a contact; lamps and outputs cannot be operated")
        case .wrongPart:
            self.init(.impossible, cause: "\(part) does not support this gesture", remedy: can)
        case .outOfRange:
            self.init(.impossible, cause: "\(part) has no such position or button", remedy: can)
        case .tooMuch:
            self.init(
                .tooMuch, cause: "\(part) cannot be moved that far, or too many moves are waiting",
                remedy: "use at most \(WorldLimits.detents) detents at a time, or wait")
        }
    }

    /// Explains a gesture that was not understood.
    public init(_ problem: GestureProblem) {
        self.init(.impossible, cause: problem.cause, remedy: problem.remedy)
    }

    private static func part(_ gesture: Gesture, _ plan: PanelPlan) -> String {
        switch gesture.subject {
        case .control(let id):
            guard plan.controls.indices.contains(Int(id.index)) else { return "that control" }
            let control = plan[id]
            return "\(control.id), a \(control.kind),"
        case .line(let id):
            guard plan.lines.indices.contains(Int(id.index)) else { return "that line" }
            return "the line \(plan[id].name)"
        }
    }
}
