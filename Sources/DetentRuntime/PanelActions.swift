public import DetentActions
import DetentCore
public import DetentPanel
import DetentTypes

/// Fills the actions of a panel with names and values, just before an attempt starts.
public struct PanelActions: Sendable {
    private let plan: PanelPlan
    private let templates: [ArgumentTemplate]

    /// Takes the actions of a plan.
    public init(_ plan: PanelPlan) {
        self.plan = plan
        templates = plan.actions.map { action in
            switch action.command {
            case .run(let arguments): ArgumentTemplate(arguments)
            case .steps: ArgumentTemplate([])  // the core performs the steps
            }
        }
    }

    /// The attempt that a command asks for.
    ///
    /// The request has no timeout: the engine measures the time and cancels the attempt.
    public func request(_ command: ActionCommand) -> ActionRequest {
        let control = Int(command.control.index)
        let action = Int(command.action)
        guard plan.controls.indices.contains(control), templates.indices.contains(action) else {
            return ActionRequest(run: command.run, arguments: [])
        }
        let names = plan.controls[control].valueNames
        let words = ActionWords(
            value: names.name(of: command.value), previous: names.name(of: command.previous),
            control: plan.controls[control].id, origin: command.origin.word)
        return ActionRequest(
            run: command.run, arguments: templates[action].expanded(with: words),
            environment: words.environment, keepsAnswer: isQuery(command))
    }

    /// Reads the first line of a query's output as the word of a value.
    public func answer(_ command: ActionCommand, _ bytes: [UInt8]) -> ActionAnswer {
        let control = Int(command.control.index)
        guard plan.controls.indices.contains(control) else {
            return .unreadable("unknown control")
        }
        return QueryAnswer.read(bytes, of: plan.controls[control])
    }

    private func isQuery(_ command: ActionCommand) -> Bool {
        plan.controls[Int(command.control.index)].settings.query?.index == command.action
    }
}
