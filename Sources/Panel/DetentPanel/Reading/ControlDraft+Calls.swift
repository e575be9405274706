import DetentTypes

/// Reads what an action or a step does.
extension ControlDraft {
    /// What an action or a step of this kind does.
    func command(of node: YAMLNode, _ kind: ActionKind) -> ActionPlan.Command {
        switch kind.work {
        case .program: .run(arguments: (node[kind.word]?.items ?? []).map { $0.text ?? "" })
        case .runner: .call(call(node, kind))
        case .output, .set, .wait, .sequence: .steps
        }
    }

    private func call(_ node: YAMLNode, _ kind: ActionKind) -> ActionCall {
        var call = ActionCall(
            kind: kind.word, fields: [], carrier: kind.carrier, timeoutField: kind.timeoutField)
        guard let value = node[kind.word] else { return call }
        guard case .section(let section) = kind.shape else {
            call.fields = kind.shape.fields(of: value, named: kind.word, schema)
            kind.check(value, log)
            return call
        }
        for key in schema.keys(in: section) {
            guard let field = value[key.name] else { continue }
            call.fields += key.shape.fields(of: field, named: key.name, schema)
            if key.shape.language != .plain { call.languages[key.name] = key.shape.language }
        }
        checkChoice(of: value, kind)
        if kind.carrier == .broker { checkBroker(of: node.key(kind.word)?.place, value["topic"]) }
        checkTerms(value)
        kind.check(value, log)
        return call
    }

    /// The remedy where a broker is missing.
    static let brokerHelp = "add `mqtt: {url: \"mqtt://HOST\"}` to the panel"

    /// What goes through the broker needs one, and must not come back to this panel.
    private func checkBroker(of place: SourcePlace?, _ topic: YAMLNode?) {
        if let place, !builder.hasBroker {
            log.error(
                .missingKey, at: place, "`mqtt` needs a broker",
                help: Self.brokerHelp)
        }
        guard let topic, let text = topic.text, builder.broker?.owns(text) == true else { return }
        log.error(
            .invalidArgument, at: topic.place, "`\(quoted(text))` is a topic of this panel",
            help: "write `set: {CONTROL: VALUE}` to operate a control of this panel")
    }

    /// A kind may need exactly one of several keys.
    private func checkChoice(of value: YAMLNode, _ kind: ActionKind) {
        guard !kind.oneOf.isEmpty, let entries = value.entries else { return }
        let found = entries.filter { kind.oneOf.contains($0.name) }
        if found.count > 1 {
            log.error(
                .conflictingKeys, at: found[1].key.place,
                "`\(found[0].name)` and `\(found[1].name)` cannot be in one `\(kind.word)`",
                help: "write `sequence: [{…}, {…}]` with a step for each")
        } else if found.isEmpty {
            let words = kind.oneOf.map { "`\($0)`" }.joined(separator: ", ")
            log.error(
                .missingKey, at: value.place,
                "`\(kind.word)` has \(kind.carrier == .web ? "no address" : "nothing to send")",
                help: "add one of \(words)")
        }
    }
}
