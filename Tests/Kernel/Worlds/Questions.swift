internal import DetentActions
internal import DetentCore
internal import DetentPanel
internal import DetentRuntime
internal import DetentTypes

/// Finds out which attempt of which control a program, a request or a message belongs to.
struct Questions {
    /// Stands for the value in a text.
    private static let mark = "DETENTVALUE"

    private let plan: PanelPlan
    private let reader: PanelActions

    init(_ plan: PanelPlan) {
        self.plan = plan
        reader = PanelActions(plan)
    }

    /// The attempt that a program belongs to; nil for one that reports, or that no control knows.
    func attempt(of program: StandIn) -> (ControlID, ActionID, Value, isQuery: Bool)? {
        guard let control = plan.control(named: program.control) else { return nil }
        let names = plan[control].valueNames
        let value = names.value(named: program.value) ?? names.event(named: program.value) ?? .on
        for action in actions(of: control) {
            let command = ActionCommand(
                .start, action: action.index, run: RunID(1), control: control, value: value)
            guard case .program(let call) = reader.request(command).payload,
                call.arguments.dropFirst() == program.arguments.dropFirst(),
                call.arguments.first?.split(separator: "/").last.map(String.init)
                    == program.arguments.first
            else { continue }
            return (control, action, value, plan[control].settings.query == action)
        }
        return nil
    }

    /// The controls whose feedback a program is.
    func reporters(_ program: StandIn) -> [ControlID] {
        plan.allControls.filter {
            guard case .program(let arguments)? = plan[$0].feedback?.source else { return false }
            return Array(arguments.dropFirst()) == Array(program.arguments.dropFirst())
        }
    }

    /// The programs that the panel starts, by their names.
    var programs: [String] {
        var lists = plan.actions.compactMap { action -> [String]? in
            if case .run(let arguments) = action.command { arguments } else { nil }
        }
        lists += plan.controls.compactMap { control in
            if case .program(let arguments)? = control.feedback?.source { arguments } else { nil }
        }
        return lists.compactMap(\.first)
    }

    /// All actions of a control: those of its values and of its steps, and its query.
    func actions(of control: ControlID) -> [ActionID] {
        let settings = plan[control].settings
        var found: [ActionID] = []
        switch settings.actions {
        case .none: break
        case .any(let action): found.append(action)
        case .perValue(let first, let present):
            found += (0..<UInt16(present.nonzeroBitCount)).map { ActionID(first.index + $0) }
        }
        for action in found {
            for step in plan.actions[Int(action.index)].settings.steps.places {
                if case .run(let inner) = plan.relations.sequenceSteps[step] { found.append(inner) }
            }
        }
        return found + (settings.query.map { [$0] } ?? [])
    }

    /// The kinds of actions that a control has, such as `run`.
    func kinds(of control: ControlID) -> Set<String> {
        Set(
            actions(of: control).compactMap { action in
                switch plan.actions[Int(action.index)].command {
                case .run: "run"
                case .call(let call): call.kind
                case .steps: nil
                }
            })
    }
}
