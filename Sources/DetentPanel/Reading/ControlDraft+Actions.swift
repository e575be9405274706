import DetentCore
import DetentTypes

extension ControlDraft {
    /// The control's actions; `optionActions` are those that its options name, in their order.
    func actions(_ names: ValueNames, optionActions: [YAMLNode?] = []) -> ActionMap {
        let own = optionActions.contains { $0 != nil }
        guard let node = self["action"] else {
            return own ? perValue(optionActions) : .none
        }
        if own {
            refuse(
                "action",
                because: "an option has an action of its own, and the control has one too",
                help: "keep one of the two")
        }
        guard node.isActionPerValue else {
            guard let plan = action(node) else { return .none }
            return .any(builder.add(plan))
        }
        return perValue(byValue(node, names))
    }

    /// The actions of a map by value, in the order of the values.
    private func byValue(_ node: YAMLNode, _ names: ValueNames) -> [YAMLNode?] {
        let words = names.words
        var hasOne = !words.isEmpty
        if case .several = names { hasOne = false }
        guard hasOne else {
            log.error(
                .wrongType, at: node.place, "this control has no values that could be named here",
                help: "write one action: `action: {run: […], timeout: 5s}`")
            return []
        }
        var actions = [YAMLNode?](repeating: nil, count: words.count)
        for entry in node.entries ?? [] {
            guard let index = words.firstIndex(of: entry.name) else {
                let known = words + Schema.supported(in: .action).map(\.name)
                let nearest = nearestWord(to: entry.name, among: known)
                log.error(
                    .unknownWord, at: entry.key.place,
                    "`\(quoted(entry.name))` is not a value of this control",
                    help: (nearest.map { "did you mean `\($0)`? " } ?? "")
                        + "values: \(words.joined(separator: ", "))")
                continue
            }
            actions[index] = entry.value
        }
        return actions
    }

    private func perValue(_ nodes: [YAMLNode?]) -> ActionMap {
        let first = builder.nextAction
        var present: UInt32 = 0
        for (index, node) in nodes.enumerated() {
            guard let node, let plan = action(node), index < 32 else { continue }
            present |= 1 << UInt32(index)
            _ = builder.add(plan)
        }
        return present == 0 ? .none : .perValue(first: first, present: present)
    }

    private func action(_ node: YAMLNode) -> ActionPlan? {
        guard let entries = node.entries else { return nil }
        guard let run = node["run"] else {
            if entries.allSatisfy({ Schema.key($0.name, in: .action)?.isLater == false }) {
                log.error(
                    .missingKey, at: node.place, "the action does nothing",
                    help: "add `run: [program, argument]`")
            }
            return nil
        }
        guard let timeout = node["timeout"] else {
            log.error(
                .actionWithoutTimeout, at: node.key("run")?.place ?? node.place,
                "`run` without `timeout`: a program can hang for ever",
                help: "add `timeout: 5s`, the longest time that it may take")
            return nil
        }
        var settings = ActionSettings(timeout: timeout.durationValue)
        settings.onFailure = onFailure(node["on-failure"])
        switch node["supersede"]?.text {
        case "cancel": settings.supersede = .cancel
        case "ignore": settings.supersede = .ignore
        case .none, .some: settings.supersede = .wait
        }
        settings.loadingAfter = node["loading-after"]?.durationValue ?? settings.loadingAfter
        settings.loadingMinimum = node["loading-min"]?.durationValue ?? settings.loadingMinimum
        settings.failedFor = node["failed-for"]?.durationValue ?? settings.failedFor
        let arguments = (run.items ?? []).map { $0.text ?? "" }
        return ActionPlan(command: .run(arguments: arguments), settings: settings)
    }

    /// The program that asks the device; call when the control's own actions have been added.
    func query(_ settings: ControlSettings) -> ActionID? {
        guard let node = self["query"], let timeout = node["timeout"]?.durationValue else {
            return nil
        }
        if settings.actions == .none, settings.startup.rule != .device {
            log.error(
                .missingKey, at: self.node.key("query")?.place ?? node.place,
                "`query` without `action` is never asked",
                help: "add `action:`, or `startup: device`, or remove `query`")
        }
        let arguments = (node["run"]?.items ?? []).map { $0.text ?? "" }
        return builder.add(
            ActionPlan(
                command: .run(arguments: arguments), settings: ActionSettings(timeout: timeout)))
    }

    private func onFailure(_ node: YAMLNode?) -> ActionSettings.OnFailure {
        guard let retry = node?["retry"] else { return node?.text == "keep" ? .keep : .revert }
        return .retry(
            count: UInt8(clamping: retry["count"]?.integerValue ?? 1),
            backoff: retry["backoff"]?.durationValue ?? .seconds(1),
            thenKeep: retry["then"]?.text == "keep")
    }
}
