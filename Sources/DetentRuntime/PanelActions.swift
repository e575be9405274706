public import DetentActions
import DetentCore
public import DetentPanel
import DetentTypes

/// Fills the actions of a panel with names and values, just before an attempt starts.
public struct PanelActions: Sendable {
    /// The kind of each action; nil for one that the core performs.
    public let kinds: [ActionKindID?]
    private let plan: PanelPlan

    /// Takes the actions of a plan.
    public init(_ plan: PanelPlan) {
        self.plan = plan
        kinds = plan.actions.map { action in
            switch action.command {
            case .run: .run
            case .call(let call): ActionKindID(call.kind)
            case .steps: nil
            }
        }
    }

    /// The attempt that a command asks for.
    ///
    /// The request has no timeout: the engine measures the time and cancels the attempt.
    public func request(_ command: ActionCommand) -> ActionRequest {
        let control = Int(command.control.index)
        let action = Int(command.action)
        guard plan.controls.indices.contains(control), plan.actions.indices.contains(action) else {
            return ActionRequest(run: command.run, .fields([]))
        }
        let names = plan.controls[control].valueNames
        let words = ActionWords(
            value: names.name(of: command.value), previous: names.name(of: command.previous),
            control: plan.controls[control].id, origin: command.origin.word)
        return ActionRequest(
            run: command.run, payload(plan.actions[action].command, words),
            keepsAnswer: isQuery(command) || pointer(command) != nil)
    }

    private func payload(_ command: ActionPlan.Command, _ words: ActionWords) -> ActionPayload {
        switch command {
        case .run(let arguments):
            .program(
                ProgramCall(
                    ArgumentTemplate(arguments).expanded(with: words),
                    environment: words.environment))
        case .call(let call):
            .fields(call.fields.map { ActionField($0.name, filled($0.content, words)) })
        case .steps:
            .fields([])  // the core performs these
        }
    }

    private func filled(
        _ content: ActionField.Content, _ words: ActionWords
    ) -> ActionField.Content {
        switch content {
        case .text(let text): .text(words.filled(into: text))
        case .texts(let texts): .texts(texts.map { words.filled(into: $0) })
        case .pairs(let pairs):
            .pairs(pairs.map { TextPair($0.name, words.filled(into: $0.text)) })
        case .integer, .boolean, .duration: content
        }
    }

    /// The value that an answer means: its first line, or what its JSON has at `confirm`.
    public func answer(_ command: ActionCommand, _ bytes: [UInt8]) -> ActionAnswer {
        let control = Int(command.control.index)
        guard plan.controls.indices.contains(control) else {
            return .unreadable("unknown control")
        }
        let answer =
            pointer(command).map { QueryAnswer.read(bytes, at: $0, of: plan.controls[control]) }
            ?? QueryAnswer.read(bytes, of: plan.controls[control])
        guard case .value(let value) = answer, !isQuery(command) else { return answer }
        return .confirmed(value)
    }

    /// Where the answer of an action has its value; nil if nowhere.
    private func pointer(_ command: ActionCommand) -> String? {
        guard plan.actions.indices.contains(Int(command.action)),
            case .call(let call) = plan.actions[Int(command.action)].command
        else { return nil }
        return call.fields.text("confirm.pointer")
    }

    private func isQuery(_ command: ActionCommand) -> Bool {
        plan.controls[Int(command.control.index)].settings.query?.index == command.action
    }
}
