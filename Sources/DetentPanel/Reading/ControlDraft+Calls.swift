/// Reads what an action or a step does.
extension ControlDraft {
    /// What an action or a step of this kind does.
    func command(of node: YAMLNode, _ kind: ActionKind) -> ActionPlan.Command {
        switch kind.work {
        case .program: program(node)
        case .runner: .call(call(node, kind))
        case .output, .set, .wait, .sequence: .steps
        }
    }

    private func call(_ node: YAMLNode, _ kind: ActionKind) -> ActionCall {
        guard let value = node[kind.word] else { return ActionCall(kind: kind.word, fields: []) }
        let fields: [ActionCall.Field]
        if case .section(let section) = kind.shape {
            fields = builder.schema.supported(in: section).compactMap { key in
                value[key.name].flatMap { field(key.name, $0, key.shape) }
            }
        } else {
            fields = field(kind.word, value, kind.shape).map { [$0] } ?? []
        }
        return ActionCall(kind: kind.word, fields: fields)
    }

    private func field(_ name: String, _ node: YAMLNode, _ shape: Shape) -> ActionCall.Field? {
        shape.content(of: node).map { ActionCall.Field(name, $0) }
    }

    /// The program that `run` names.
    func program(_ node: YAMLNode) -> ActionPlan.Command {
        .run(arguments: (node["run"]?.items ?? []).map { $0.text ?? "" })
    }
}
